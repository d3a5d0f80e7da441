"""Mutants: programs that differ from a given one in a single small way.

What could keep a loop from ending is left alone: conditions of ``while`` loops, and statements in
them that touch what the condition is about. So is what lies deep in an expression or is a mere
setting of a call, for there a small change is often lost before it can show.

Source: own; the operators are the common ones of mutation testing.
"""

from __future__ import annotations

import ast
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import TypeAlias

from tracer.records import Program

Change: TypeAlias = Callable[[ast.AST], ast.AST]

LEVELS = 2
"""Levels of an expression in which something is changed."""

_ARITHMETIC: dict[type[ast.operator], tuple[type[ast.operator], ...]] = {
    ast.Add: (ast.Sub,),
    ast.Sub: (ast.Add,),
    ast.Mult: (ast.Add, ast.FloorDiv),
    ast.FloorDiv: (ast.Mult, ast.Mod),
    ast.Div: (ast.Mult,),
    ast.Mod: (ast.FloorDiv,),
    ast.BitOr: (ast.BitAnd,),
    ast.BitAnd: (ast.BitOr,),
    ast.BitXor: (ast.BitOr,),
}
_RELATIONS: dict[type[ast.cmpop], tuple[type[ast.cmpop], ...]] = {
    ast.Lt: (ast.LtE, ast.Gt),
    ast.LtE: (ast.Lt, ast.Gt),
    ast.Gt: (ast.GtE, ast.Lt),
    ast.GtE: (ast.Gt, ast.LtE),
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
    ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,),
}
_NAMES = {
    "min": "max",
    "max": "min",
    "any": "all",
    "all": "any",
    "sum": "len",
    "upper": "lower",
    "lower": "upper",
    "find": "rfind",
    "startswith": "endswith",
    "append": "extend",
    "union": "intersection",
}


@dataclass(frozen=True, slots=True)
class Mutant:
    """A spoilt program."""

    kind: str
    """What was done: ``arithmetic``, ``relation``, ``boolean``, ``negated``, ``constant``,
    ``name``, ``dropped``, ``iteration`` or ``result``."""
    source: str

    def of(self, program: Program) -> Program:
        """The spoilt program, called as the other is."""
        return replace(program, source=self.source)


def make_mutants(
    tree: ast.Module, lines: frozenset[int], count: int, rng: random.Random
) -> tuple[Mutant, ...]:
    """Up to ``count`` different mutants of a program, of kinds drawn in turn.

    Args:
        tree: The program; it stays as it is.
        lines: Lines that may be changed: those that are known to be executed.
        count: How many at most.
        rng: Draws the places.
    """
    by_kind: dict[str, list[tuple[int, Change]]] = {}
    nodes = list(ast.walk(tree))
    left_alone = _left_alone(tree)
    for place, node in enumerate(nodes):
        if getattr(node, "lineno", 0) in lines and id(node) not in left_alone:
            for kind, change in _changes(node):
                by_kind.setdefault(kind, []).append((place, change))
    queues = [(kind, rng.sample(found, len(found))) for kind, found in sorted(by_kind.items())]
    rng.shuffle(queues)
    text = _Text(tree)
    made: dict[str, Mutant] = {}
    while queues and len(made) < count:
        for kind, queue in queues:
            if queue and len(made) < count:
                place, change = queue.pop()
                source = text.changed(nodes[place], change)
                if source != text.original:
                    made.setdefault(source, Mutant(kind, f"{source}\n"))
        queues = [(kind, queue) for kind, queue in queues if queue]
    return tuple(made.values())


class _Text:
    """Writes a program down again after a change, of which it undoes what it did to the tree."""

    def __init__(self, tree: ast.Module) -> None:
        self._tree = tree
        self.original = ast.unparse(tree)
        self._home = {id(node): top for top in tree.body for node in ast.walk(top)}
        """The statement of the module that a node is in."""
        self._spans: dict[int, tuple[int, int]] = {}
        """Where its text is."""
        end = 0
        for top in tree.body:
            own = ast.unparse(top)
            start = self.original.index(own, end)
            end = start + len(own)
            self._spans[id(top)] = (start, end)

    def changed(self, node: ast.AST, change: Change) -> str:
        """The text of the program with one node changed."""
        top = self._home[id(node)]
        before = dict(vars(node))
        changed = change(node)
        try:
            if changed is node:
                own = ast.unparse(top)
            else:
                own = _with_other(top, node, changed)
        finally:
            vars(node).clear()
            vars(node).update(before)
        start, end = self._spans[id(top)]
        return f"{self.original[:start]}{own}{self.original[end:]}"


def _with_other(top: ast.stmt, old: ast.AST, new: ast.AST) -> str:
    """The text of a statement in which another one stands in for one of its own."""
    if old is top:
        return ast.unparse(new)
    for parent in ast.walk(top):
        for _, value in ast.iter_fields(parent):
            if isinstance(value, list) and any(each is old for each in value):
                place = next(n for n, each in enumerate(value) if each is old)
                value[place] = new
                try:
                    return ast.unparse(top)
                finally:
                    value[place] = old
    raise AssertionError("a statement is in no list")


def _deep(tree: ast.Module) -> Iterator[int]:
    """Ids of nodes more than :data:`LEVELS` levels inside an expression."""
    todo: list[tuple[ast.AST, int]] = [(tree, 0)]
    while todo:
        node, level = todo.pop()
        if level > LEVELS:
            yield id(node)
        inside = level + 1 if isinstance(node, ast.expr) else level
        inside = 0 if isinstance(node, ast.stmt) else inside
        todo.extend((child, inside) for child in ast.iter_child_nodes(node))


def _left_alone(tree: ast.Module) -> set[int]:
    """Ids of nodes that no mutant may change."""
    found = set(_deep(tree))
    for node in ast.walk(tree):
        untouched: list[ast.AST] = []
        if isinstance(node, ast.FunctionDef):
            named = node.args
            arguments = [*named.posonlyargs, *named.args, *named.kwonlyargs]
            untouched += [each.annotation for each in arguments if each.annotation]
            untouched += [*node.decorator_list, *([node.returns] if node.returns else [])]
        elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            untouched.append(node)
        elif isinstance(node, ast.AnnAssign):
            untouched.append(node.annotation)
        elif isinstance(node, ast.JoinedStr | ast.MatchValue):
            untouched += [each for each in ast.walk(node) if isinstance(each, ast.Constant)]
        elif isinstance(node, ast.Call | ast.Slice):
            untouched += [each for each in ast.iter_child_nodes(node) if _is_setting(each, node)]
        elif isinstance(node, ast.ClassDef):
            untouched += [*node.bases, *node.decorator_list]
        elif isinstance(node, ast.While):
            untouched.append(node.test)
            names = {n.id for n in ast.walk(node.test) if isinstance(n, ast.Name)}
            for inner in ast.walk(node):
                if isinstance(inner, ast.stmt) and inner is not node and not _is_compound(inner):
                    own = {n.id for n in ast.walk(inner) if isinstance(n, ast.Name)}
                    if own & names or isinstance(inner, ast.Break):
                        untouched.append(inner)
                elif isinstance(inner, ast.If | ast.While) and inner is not node:
                    if any(isinstance(each, ast.Break) for each in ast.walk(inner)):
                        untouched.append(inner.test)
        for each in untouched:
            found.update(map(id, ast.walk(each)))
    return found


def _is_setting(node: ast.AST, parent: ast.AST) -> bool:
    """Whether a constant hardly matters: a text that a call is given, the far end of a slice."""
    if not isinstance(node, ast.Constant):
        return False
    return isinstance(node.value, str) if isinstance(parent, ast.Call) else node is parent.upper  # type: ignore[attr-defined]


def _is_compound(node: ast.stmt) -> bool:
    return hasattr(node, "body")


def _changes(node: ast.AST) -> Iterator[tuple[str, Change]]:
    if isinstance(node, ast.BinOp | ast.AugAssign):
        for operator in _ARITHMETIC.get(type(node.op), ()):
            yield "arithmetic", _with("op", operator())
    if isinstance(node, ast.Compare) and len(node.ops) == 1:
        for relation in _RELATIONS.get(type(node.ops[0]), ()):
            yield "relation", _with("ops", [relation()])
    if isinstance(node, ast.BoolOp):
        yield "boolean", _with("op", ast.Or() if isinstance(node.op, ast.And) else ast.And())
    if isinstance(node, ast.If | ast.IfExp):
        yield "negated", _negate
    if isinstance(node, ast.Constant) and type(node.value) is int:
        yield "constant", _with("value", node.value + 1)
        yield "constant", _with("value", node.value - 1)
    if isinstance(node, ast.Constant) and type(node.value) is str and node.value:
        yield "constant", _with("value", f"{node.value}x")
    if isinstance(node, ast.Name) and node.id in _NAMES:
        yield "name", _with("id", _NAMES[node.id])
    if isinstance(node, ast.Attribute) and node.attr in _NAMES:
        yield "name", _with("attr", _NAMES[node.attr])
    if isinstance(node, ast.AugAssign) or (
        isinstance(node, ast.Expr) and isinstance(node.value, ast.Call)
    ):
        yield "dropped", lambda _: ast.Pass()
    if isinstance(node, ast.For):
        yield "iteration", _skip_first
    if isinstance(node, ast.Return) and isinstance(node.value, ast.BinOp):
        yield "result", _with("value", node.value.left)
    if isinstance(node, ast.Return) and isinstance(node.value, ast.Tuple) and node.value.elts:
        turned = [*node.value.elts[1:], node.value.elts[0]]
        yield "result", _with("value", ast.Tuple(turned, ast.Load()))


def _with(name: str, value: object) -> Change:
    """Give a node another value of a field."""

    def change(node: ast.AST) -> ast.AST:
        setattr(node, name, value)
        return node

    return change


def _negate(node: ast.AST) -> ast.AST:
    assert isinstance(node, ast.If | ast.IfExp)
    node.test = ast.UnaryOp(ast.Not(), node.test)
    return node


def _skip_first(node: ast.AST) -> ast.AST:
    assert isinstance(node, ast.For)
    listed = ast.Call(ast.Name("list", ast.Load()), [node.iter], [])
    node.iter = ast.Subscript(listed, ast.Slice(lower=ast.Constant(1)), ast.Load())
    return node
