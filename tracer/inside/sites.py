"""Numbers the statements of a program and collects the static facts of each.

Source: numbering, positions and kinds as in DESIGN, section 3.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from tracer.inside.trees import children_of, spread

Numbered = ast.stmt | ast.ExceptHandler | ast.match_case
DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_BLOCKS = ("body", "cases", "handlers", "orelse", "finalbody")
"""Fields that hold numbered nodes, in the order of the text."""


def _is_numbered(kind: type[ast.AST]) -> bool:
    return issubclass(kind, ast.stmt | ast.ExceptHandler | ast.match_case)


_BLOCKS_OF = {
    kind: tuple(name for name in _BLOCKS if name in kind._fields)
    for kind in vars(ast).values()
    if isinstance(kind, type) and issubclass(kind, ast.AST)
    if _is_numbered(kind) or kind is ast.Module
}
_NUMBERED = frozenset(kind for kind in _BLOCKS_OF if kind is not ast.Module)
_BINDERS = frozenset({ast.alias, ast.MatchAs, ast.MatchStar, ast.MatchMapping})
"""Classes of nodes, names apart, that bind."""
_NOTHING: frozenset[str] = frozenset()


class Site(NamedTuple):
    """What the step recorder needs to know of one numbered statement."""

    kind: str
    line: int
    end_line: int
    col: int
    first: int
    """Its own number."""
    reraises: bool
    """A ``raise`` without an expression."""
    is_return: bool
    body_last: int
    """Last statement of a ``try`` or ``with`` body, and of the last ``except*``: exceptions from
    ``first`` to here are over when one of the handlers, or the exit, has ended them."""
    final_ranges: tuple[tuple[int, int], ...]
    """``finally`` blocks that run after a ``return`` that stands here."""
    left_loop: tuple[int, int] | None
    """For ``break`` and ``continue``: range of the loop they belong to."""
    swallows: bool
    """Whether they stand in a ``finally`` inside that loop: exceptions that arose in it are over
    then."""
    handler_names: tuple[str, ...]
    """``as`` names of the handlers around it, its own included."""
    deleted: frozenset[str]
    """Names that a ``del`` statement here unbinds."""
    owner: int
    """Nearest ``def`` or ``class`` around it; -1 in module code."""
    binds: frozenset[str]
    """Every name that it may bind or unbind where it stands."""


@dataclass(frozen=True, slots=True)
class Numbering:
    """The preorder numbers of a tree's statements, handlers and cases."""

    nodes: tuple[Numbered, ...]
    """The index is the number."""
    last: tuple[int, ...]
    """For each number, that of the last statement inside it."""
    of: dict[int, int]
    """``id`` of a node to its number."""

    def span(self, block: list[ast.stmt]) -> tuple[int, int]:
        """Return the first and last number of a block of statements."""
        return self.of[id(block[0])], self.last[self.of[id(block[-1])]]


def number_statements(tree: ast.Module) -> Numbering:
    """Number every statement, handler and case in preorder."""
    nodes: list[Numbered] = []
    last: list[int] = []

    def visit(block: list[Numbered]) -> None:
        for node in block:
            number = len(nodes)
            nodes.append(node)
            last.append(number)
            for name in _BLOCKS_OF[type(node)]:
                visit(getattr(node, name))
            last[number] = len(nodes) - 1

    visit(tree.body)  # type: ignore[arg-type]
    return Numbering(tuple(nodes), tuple(last), {id(node): k for k, node in enumerate(nodes)})


def own_nodes(node: Numbered) -> list[ast.AST]:
    """Return the nodes of a statement or header, not those of the statements inside it."""
    return spread([child for child in children_of(node) if type(child) not in _NUMBERED])


@dataclass(frozen=True, slots=True)
class _Around:
    """What encloses a statement inside its own function or class body."""

    finals: tuple[tuple[int, int], ...] = ()
    loop: tuple[int, int] | None = None
    in_final: bool = False
    """Whether a ``finally`` stands between it and that loop."""
    names: tuple[str, ...] = ()
    owner: int = -1


def describe_sites(
    tree: ast.Module, numbering: Numbering, own: Sequence[Sequence[ast.AST]]
) -> tuple[Site, ...]:
    """Return the static facts of every numbered statement.

    Args:
        tree: The program.
        numbering: Its.
        own: For each number, the :func:`own_nodes`.
    """
    sites: list[Site] = []

    def visit(block: Sequence[Numbered], around: _Around) -> None:
        for node in block:
            describe(node, around)

    def describe(node: Numbered, around: _Around) -> None:
        number = len(sites)
        if isinstance(node, ast.ExceptHandler) and node.name:
            around = replace(around, names=(*around.names, node.name))
        sites.append(_site(node, number, numbering, own[number], around))
        blocks = _BLOCKS_OF[type(node)]
        if not blocks:
            return
        if isinstance(node, DEFINITIONS):
            visit(node.body, _Around(owner=number))
        elif isinstance(node, ast.Try | ast.TryStar) and node.finalbody:
            final = numbering.span(node.finalbody)
            inner = replace(around, finals=(*around.finals, final))
            visit((*node.body, *node.handlers, *node.orelse), inner)
            visit(node.finalbody, replace(around, in_final=True))
        elif isinstance(node, ast.For | ast.While | ast.AsyncFor):
            loop = (number, numbering.span(node.body)[1])
            visit(node.body, replace(around, loop=loop, in_final=False))
            visit(node.orelse, around)
        else:
            for name in blocks:
                visit(getattr(node, name), around)

    visit(tree.body, _Around())
    return tuple(sites)


def _site(
    node: Numbered, number: int, numbering: Numbering, own: Sequence[ast.AST], around: _Around
) -> Site:
    if isinstance(node, ast.match_case):
        line, col = node.pattern.lineno, node.pattern.col_offset
        end_line = node.body[-1].end_lineno or line
    else:
        line, col = node.lineno, node.col_offset
        end_line = node.end_lineno or line
    body_last = -1
    if isinstance(node, ast.Try | ast.With | ast.AsyncWith):
        body_last = numbering.span(node.body)[1]
    elif isinstance(node, ast.TryStar):
        body_last = numbering.last[numbering.of[id(node.handlers[-1])]]
    leaves = isinstance(node, ast.Break | ast.Continue)
    return Site(
        kind=type(node).__name__,
        line=line,
        end_line=end_line,
        col=col,
        first=number,
        reraises=isinstance(node, ast.Raise) and node.exc is None,
        is_return=isinstance(node, ast.Return),
        body_last=body_last,
        final_ranges=around.finals,
        left_loop=around.loop if leaves else None,
        swallows=leaves and around.in_final,
        handler_names=around.names,
        deleted=_deleted(node) if isinstance(node, ast.Delete) else _NOTHING,
        owner=around.owner,
        binds=frozenset((*_bound_names(node, own), *around.names)),
    )


def _bound_names(node: Numbered, own: Sequence[ast.AST]) -> list[str]:
    """Return what a statement or header binds or unbinds, not counting what is inside its body."""
    found = [node.name] if isinstance(node, DEFINITIONS) else []
    for inner in own:
        kind = type(inner)
        if kind is ast.Name:
            if type(inner.ctx) is not ast.Load:  # type: ignore[attr-defined]
                found.append(inner.id)  # type: ignore[attr-defined]
        elif kind not in _BINDERS:
            continue
        elif isinstance(inner, ast.alias):
            found.append(inner.asname or inner.name.partition(".")[0])
        elif isinstance(inner, ast.MatchAs | ast.MatchStar) and inner.name is not None:
            found.append(inner.name)
        elif isinstance(inner, ast.MatchMapping) and inner.rest is not None:
            found.append(inner.rest)
    return found


def _deleted(node: ast.Delete) -> frozenset[str]:
    return frozenset(
        target.id for target in _flat_targets(node.targets) if isinstance(target, ast.Name)
    )


def _flat_targets(targets: list[ast.expr]) -> list[ast.expr]:
    flat: list[ast.expr] = []
    for target in targets:
        if isinstance(target, ast.Tuple | ast.List):
            flat.extend(_flat_targets(target.elts))
        else:
            flat.append(target)
    return flat
