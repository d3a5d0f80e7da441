"""Gives every statement of a program a line of its own, so that line events are statements.

Raw interpreter events follow source lines: they repeat for ``with`` exits, decorators and
multi-line expressions and vanish for one-line loops and suites. Here the syntax tree is renumbered
before it is compiled: statement ``k`` owns eight *virtual lines* from ``FIRST + 8 * k``, and a
constant expression statement, which compiles to a single no-op, marks its beginning where no
instruction of the statement would. A line event then says which statement begins, whatever the
layout of the text and the version of the interpreter. What the program computes does not change.

Source: own.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass
from itertools import chain

from tracer.inside.reach import reaches_namespaces
from tracer.inside.sites import (
    DEFINITIONS,
    FUNCTIONS,
    Numbered,
    Numbering,
    Site,
    describe_sites,
    number_statements,
    own_nodes,
)
from tracer.inside.stillness import find_still
from tracer.inside.trees import POSITIONED, nodes_of

FIRST = 16
"""First virtual line; lines below mean nothing."""
STRIDE = 8
BEGIN, NEXT, RESOLVE, RESET, DEFINITION = range(5)
"""Kinds of virtual lines: a statement begins; a ``for`` asks for its next item; the exceptions
that arose inside a statement are over; a loop body begins (the header may begin again); the
line of a ``def`` or ``class``, by which its code object is recognised."""
NEUTRAL = 1
NOTHING, RESET_MARK, RESOLVE_MARK = -1, -2, -3
"""Entries of a line table that are no statements; for statement k, RESOLVE_MARK - k."""
_NOTEWORTHY = frozenset(
    {ast.AsyncFunctionDef, ast.Await, ast.GeneratorExp, ast.Lambda, ast.comprehension}
)
_PARTED = frozenset({*DEFINITIONS, ast.For, ast.AsyncFor, ast.With, ast.AsyncWith, ast.Match}) | {
    *(ast.match_case, ast.Try, ast.TryStar, ast.ExceptHandler, ast.Global, ast.Nonlocal)
}
"""Classes of statements that do not stand as a whole where they begin."""


@dataclass(frozen=True, slots=True)
class Layout:
    """A program ready to be compiled for tracing."""

    tree: ast.Module
    sites: tuple[Site, ...]
    definitions: dict[int, Numbered]
    """Virtual definition line to the original ``def`` or ``class`` node's copy."""
    lazy_lines: tuple[int, ...]
    """Source lines that hold a lambda or a generator expression."""
    has_async: bool
    reaches_namespaces: bool
    """Whether the program can get at frames and namespaces other than by its own names."""
    still: tuple[int, ...]
    """For each statement, whether it can change objects."""


def virtual_line(stmt: int, kind: int) -> int:
    """Return the virtual line of ``stmt`` for ``kind``."""
    return FIRST + STRIDE * stmt + kind


def stmt_of(line: int) -> int:
    """Return the statement that owns a virtual line."""
    return (line - FIRST) // STRIDE


def line_table(layout: Layout) -> list[int]:
    """Return, for each virtual line, the statement that begins or one of the marks."""
    table = [NOTHING] * (FIRST + STRIDE * len(layout.sites))
    for stmt in range(len(layout.sites)):
        begin = virtual_line(stmt, BEGIN)
        table[begin + BEGIN] = table[begin + NEXT] = stmt
        table[begin + RESOLVE] = RESOLVE_MARK - stmt
        table[begin + RESET] = RESET_MARK
    return table


def lay_out(tree: ast.Module) -> Layout:
    """Renumber ``tree`` in place and return it with what the recorder needs."""
    numbering = number_statements(tree)
    numbers = numbering.of
    own = [own_nodes(node) for node in numbering.nodes]
    sites = describe_sites(tree, numbering, own)
    everything = list(chain(numbering.nodes, chain.from_iterable(own)))
    lazy: set[int] = set()
    has_async = False
    for node in everything:
        if type(node) not in _NOTEWORTHY:
            continue
        if isinstance(node, ast.Lambda | ast.GeneratorExp):
            lazy.update(range(node.lineno, (node.end_lineno or node.lineno) + 1))
        else:
            has_async |= not isinstance(node, ast.comprehension) or bool(node.is_async)
    definitions: dict[int, Numbered] = {
        virtual_line(numbers[id(node)], DEFINITION): node
        for node in numbering.nodes
        if isinstance(node, DEFINITIONS)
    }
    reaches = reaches_namespaces(everything)
    still = find_still(sites, numbering.nodes, own, reaches=reaches)
    _place_headers(numbering, own)
    tree.body = _mark_block(tree.body, numbers, "module")
    return Layout(tree, sites, definitions, tuple(sorted(lazy)), has_async, reaches, still)


def _place_headers(numbering: Numbering, own: list[list[ast.AST]]) -> None:
    """Put every statement where most of its kind belong; :func:`_mark_inside` does the rest."""
    for number, (node, inside) in enumerate(zip(numbering.nodes, own, strict=True)):
        kind = type(node)
        line = NEUTRAL if kind in _PARTED else virtual_line(number, BEGIN)
        place = _place_at(line)
        for inner in inside:
            if type(inner) in POSITIONED:
                inner.__dict__.update(place)
        if kind in POSITIONED:
            node.__dict__.update(place)


def is_docstring(body: list[ast.stmt], index: int) -> bool:
    """Tell whether ``body[index]`` is the docstring of the scope whose body it is."""
    node = body[index]
    return (
        index == 0
        and isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Constant)
        and isinstance(node.value.value, str)
    )


def _place(node: ast.AST, line: int) -> None:
    """Put ``node`` and everything under it on ``line``."""
    place = _place_at(line)
    for inner in nodes_of(node):
        if type(inner) in POSITIONED:
            inner.__dict__.update(place)


def _move(node: ast.AST, line: int) -> None:
    if type(node) in POSITIONED:
        node.__dict__.update(_place_at(line))


def _place_at(line: int) -> dict[str, int]:
    return {"lineno": line, "end_lineno": line, "col_offset": 0, "end_col_offset": 0}


def _marker(line: int) -> ast.Expr:
    marker = ast.Expr(_ZERO)
    marker.__dict__.update(_place_at(line))
    return marker


def _constant(value: bool | int | None) -> ast.Constant:
    """Return a node that all trees may share."""
    constant = ast.Constant(value)
    _move(constant, NEUTRAL)
    return constant


_ZERO, _TRUE, _NONE = map(_constant, (0, True, None))


def _mark_block(body: list[ast.stmt], numbers: dict[int, int], scope: str) -> list[ast.stmt]:
    """Return ``body`` with the marks of its statements; ``scope`` is the kind of its scope."""
    marked: list[ast.stmt] = []
    for index, node in enumerate(body):
        number = numbers[id(node)]
        begin = virtual_line(number, BEGIN)
        if is_docstring(body, index) and scope in ("module", "class", "function"):
            _place(node, NEUTRAL)
            marked.append(node)
        elif isinstance(node, ast.ImportFrom) and node.module == "__future__":
            marked.append(node)
        elif _never_a_step(node, scope):
            if isinstance(node, ast.AnnAssign):
                _place(node, NEUTRAL)
            if isinstance(node, ast.Try | ast.TryStar):
                _mark_inside(node, numbers, scope.removesuffix(" block") + " block")
            marked.append(node)
            if isinstance(node, ast.TryStar):  # what no handler ends goes on behind the last one
                marked.append(_marker(virtual_line(number, RESOLVE)))
        else:
            marked.append(_marker(begin))
            _mark_inside(node, numbers, scope.removesuffix(" block") + " block")
            marked.append(node)
            if isinstance(node, ast.With | ast.AsyncWith):
                marked.append(_marker(virtual_line(number, RESOLVE)))
    return marked


def _never_a_step(node: ast.stmt, scope: str) -> bool:
    if isinstance(node, ast.Try | ast.TryStar | ast.Global | ast.Nonlocal):
        return True
    bare = isinstance(node, ast.AnnAssign) and node.value is None
    return bare and scope.startswith("function")


def _mark_inside(node: ast.stmt, numbers: dict[int, int], block: str) -> None:
    """Place what stands apart in the header of ``node``, and mark the statements inside it."""
    number = numbers[id(node)]
    begin = virtual_line(number, BEGIN)
    if isinstance(node, DEFINITIONS):
        _move(node, virtual_line(number, DEFINITION))
        if node.decorator_list:
            _move(node.decorator_list[0], virtual_line(number, DEFINITION))
        inner = "function" if isinstance(node, FUNCTIONS) else "class"
        node.body = _mark_block(node.body, numbers, inner)
    elif isinstance(node, ast.If):
        node.body = _mark_block(node.body, numbers, block)
        node.orelse = _mark_block(node.orelse, numbers, block)
    elif isinstance(node, ast.While):
        _move(node, NEUTRAL)
        node.body = [_marker(begin), *_mark_loop_body(node.body, number, numbers, block)]
        node.orelse = _mark_block(node.orelse, numbers, block)
    elif isinstance(node, ast.For | ast.AsyncFor):
        asks = virtual_line(number, NEXT)
        node.iter = ast.IfExp(_TRUE, node.iter, _NONE)
        _place(node.target, asks)
        _move(node.iter, asks)
        _move(node, asks)
        node.body = _mark_loop_body(node.body, number, numbers, block)
        node.orelse = _mark_block(node.orelse, numbers, block)
    elif isinstance(node, ast.With | ast.AsyncWith):
        node.body = [*_mark_block(node.body, numbers, block), _marker(NEUTRAL)]
    elif isinstance(node, ast.Match):
        _place(node.subject, begin)
        for case in node.cases:
            _place(case.pattern, virtual_line(numbers[id(case)], BEGIN))
            case.body = _mark_block(case.body, numbers, block)
    elif isinstance(node, ast.Try | ast.TryStar):
        _mark_try(node, numbers, block)
    elif isinstance(node, ast.Return):
        _move(node, NEUTRAL)


def _mark_loop_body(
    body: list[ast.stmt], number: int, numbers: dict[int, int], block: str
) -> list[ast.stmt]:
    """Mark a loop body so that the header's next evaluation is never taken for the same one."""
    sure_step = not _never_a_step(body[0], block)
    marked = _mark_block(body, numbers, block)
    return marked if sure_step else [_marker(virtual_line(number, RESET)), *marked]


def _mark_try(node: ast.Try | ast.TryStar, numbers: dict[int, int], block: str) -> None:
    over = virtual_line(numbers[id(node)], RESOLVE)
    node.body = _mark_block(node.body, numbers, block)
    for handler in node.handlers:
        begin = virtual_line(numbers[id(handler)], BEGIN)
        handler.body = _mark_block(handler.body, numbers, block)
        if isinstance(node, ast.Try):
            handler.body.insert(0, _marker(over))
        if handler.type is None:
            handler.body.insert(0, _marker(begin))
        else:
            _place(handler.type, begin)
    node.orelse = _mark_block(node.orelse, numbers, block)
    node.finalbody = _mark_block(node.finalbody, numbers, block)
    # 3.11 gives the clean-up code behind a block the line of the block's last instruction.
    for body in (node.body, *(h.body for h in node.handlers), node.orelse, node.finalbody):
        if body:
            body.append(_marker(NEUTRAL))
