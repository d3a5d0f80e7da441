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
from copy import deepcopy
from dataclasses import dataclass
from functools import partial
from typing import TypeAlias

Change: TypeAlias = Callable[[ast.AST], ast.AST]
Put: TypeAlias = Callable[[ast.AST], None]

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
    by_kind: dict[str, list[tuple[ast.AST, Put, Change]]] = {}
    left_alone = _left_alone(tree)
    for node, put in _places(tree):
        if getattr(node, "lineno", 0) in lines and id(node) not in left_alone:
            for kind, change in _changes(node):
                by_kind.setdefault(kind, []).append((node, put, change))
    queues = [(kind, rng.sample(found, len(found))) for kind, found in sorted(by_kind.items())]
    rng.shuffle(queues)
    original = ast.unparse(tree)
    made: dict[str, Mutant] = {}
    while queues and len(made) < count:
        for kind, queue in queues:
            if queue and len(made) < count:
                source = _changed(tree, *queue.pop())
                if source != original:
                    made.setdefault(source, Mutant(kind, f"{source}\n"))
        queues = [(kind, queue) for kind, queue in queues if queue]
    return tuple(made.values())


def _changed(tree: ast.Module, target: ast.AST, put: Put, change: Change) -> str:
    """The text of a program in which a changed copy stands in the place of a node."""
    put(change(deepcopy(target)))
    try:
        return ast.unparse(tree)
    finally:
        put(target)


def _places(tree: ast.Module) -> Iterator[tuple[ast.AST, Put]]:
    """All nodes but the tree itself, and for each what puts another node in its place."""
    for parent in ast.walk(tree):
        for name, value in ast.iter_fields(parent):
            if isinstance(value, ast.AST):
                yield value, partial(setattr, parent, name)
            elif isinstance(value, list):
                for index, each in enumerate(value):
                    if isinstance(each, ast.AST):
                        yield each, partial(value.__setitem__, index)


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
