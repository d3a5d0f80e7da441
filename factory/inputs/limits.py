"""Ranges that a function itself demands of its parameters, read from its first statements.

``assert 0 <= score <= 100``, ``if n < 0: raise …``, ``if not xs: raise …`` and their like. Mutants
outside would only be rows that raise.
"""

from __future__ import annotations

import ast
import math
from collections.abc import Iterator
from dataclasses import dataclass

from factory.inputs.definitions import Function
from factory.inputs.shapes import Value

_LARGEST_LIMIT = 1e300
_OPPOSITE: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.GtE,
    ast.LtE: ast.Gt,
    ast.Gt: ast.LtE,
    ast.GtE: ast.Lt,
}
_MIRRORED: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.Gt,
    ast.LtE: ast.GtE,
    ast.Gt: ast.Lt,
    ast.GtE: ast.LtE,
}


@dataclass(frozen=True, slots=True)
class Bound:
    """One demand on a parameter or on its length."""

    parameter: str
    of_length: bool
    lower: bool
    """Whether it is a lower bound."""
    strict: bool
    limit: float


def read_bounds(function: Function | None) -> tuple[Bound, ...]:
    """Return the demands that a function's leading statements state about its parameters."""
    if function is None or isinstance(function, ast.Lambda):
        return ()
    bounds: list[Bound] = []
    for node in function.body:
        if isinstance(node, ast.Assert):
            bounds += _demands(node.test, holds=True)
        elif isinstance(node, ast.If) and isinstance(node.body[-1], ast.Raise):
            bounds += _demands(node.test, holds=False)
        elif not (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)):
            break
    return tuple(bounds)


def _demands(test: ast.expr, *, holds: bool) -> Iterator[Bound]:
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        yield from _demands(test.operand, holds=not holds)
    elif isinstance(test, ast.BoolOp):
        if isinstance(test.op, ast.And) == holds:
            for each in test.values:
                yield from _demands(each, holds=holds)
    elif isinstance(test, ast.Name) and holds:
        yield Bound(test.id, True, True, False, 1)
    elif isinstance(test, ast.Compare) and (holds or len(test.ops) == 1):
        sides = [test.left, *test.comparators]
        for left, operator, right in zip(sides, test.ops, sides[1:], strict=False):
            kind = type(operator) if holds else _OPPOSITE.get(type(operator))
            if kind in _MIRRORED:
                yield from _compared(left, kind, right)
                yield from _compared(right, _MIRRORED[kind], left)


def _compared(side: ast.expr, operator: type[ast.cmpop], other: ast.expr) -> Iterator[Bound]:
    limit = _constant(other)
    of_length = isinstance(side, ast.Call) and ast.unparse(side.func) == "len"
    name = side.args[0] if isinstance(side, ast.Call) and of_length and side.args else side
    if limit is not None and isinstance(name, ast.Name):
        lower = operator in (ast.Gt, ast.GtE)
        yield Bound(name.id, of_length, lower, operator in (ast.Gt, ast.Lt), limit)


def _constant(node: ast.expr) -> float | None:
    sign = 1
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        sign, node = -1, node.operand
    value = node.value if isinstance(node, ast.Constant) else None
    if isinstance(value, int | float) and not isinstance(value, bool):
        return sign * value if abs(value) < _LARGEST_LIMIT else None
    return None


def within(value: Value, bounds: tuple[Bound, ...]) -> bool:
    """Return whether a parameter's value meets every demand that applies to its type."""
    for bound in bounds:
        size = _size(value, bound)
        if size is None:
            continue
        outside = size < bound.limit if bound.lower else size > bound.limit
        if outside or (bound.strict and size == bound.limit):
            return False
    return True


def clamp(value: Value, bounds: tuple[Bound, ...]) -> Value:
    """Return the number nearest to ``value`` that meets every demand; other values as they are."""
    if type(value) not in (int, float):
        return value
    for bound in bounds:
        if bound.of_length or within(value, (bound,)):
            continue
        inward = 1 if bound.lower else -1
        if type(value) is float:
            value = float(bound.limit)
            value = math.nextafter(value, inward * math.inf) if bound.strict else value
        else:
            limit = math.ceil(bound.limit) if bound.lower else math.floor(bound.limit)
            value = limit + inward if bound.strict and limit == bound.limit else limit
    return value


def _size(value: Value, bound: Bound) -> float | None:
    if not bound.of_length:
        return value if type(value) in (int, float) else None
    return len(value) if isinstance(value, str | bytes | list | tuple | set | dict) else None
