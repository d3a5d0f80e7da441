"""Tests that are one expression over the result of one call on literals.

``set(f(1)) == {2}``, ``not f(3)``, ``math.isclose(f(2), 0.5)``, ``abs(f(2) - 0.5) < 1e-6``: nearly
all published asserts that are more than a comparison. They need no process of their own: the result
is plain data, and the expression may hold nothing but literals, comparisons, sums, differences
and a few functions that cannot do harm. Every other test is left to the tests' process.

Source: own.
"""

from __future__ import annotations

import ast
import math
import operator
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any, TypeGuard

RESULT = "_result"
"""Stands for the call in the expression."""

_FUNCTIONS = {
    function.__name__: function
    for function in (abs, all, any, bool, frozenset, len, list, max, min, round, set, sorted)
} | {"sum": sum, "tuple": tuple}
_MATH = SimpleNamespace(fabs=math.fabs, floor=math.floor, ceil=math.ceil, isclose=math.isclose)
_ARITHMETIC: dict[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
}
_LITERALS = (ast.Constant, ast.List, ast.Tuple, ast.Set, ast.Dict)
_HARMLESS = (ast.Import, ast.ImportFrom, ast.FunctionDef)
_SIGNS = (ast.Not, ast.USub)
_SUMS = (ast.Add, ast.Sub)


def claim_about(test: ast.expr, call: ast.Call, setup: ast.Module) -> str | None:
    """Return ``test`` with :data:`RESULT` in place of ``call``, or ``None`` if it is not one.

    Args:
        test: what a test asserts; ``call`` is the only thing in it that is to be tested.
        call: a node of it.
        setup: what is run before; names that it binds are not what they seem.
    """
    taken = {name for node in ast.walk(setup) for name in _names_bound(node)}

    def is_pure(node: ast.AST) -> bool:
        if node is call:
            return True
        if isinstance(node, _LITERALS):
            return all(map(is_pure, _inner(node)))
        if isinstance(node, ast.UnaryOp):
            return isinstance(node.op, _SIGNS) and is_pure(node.operand)
        if isinstance(node, ast.BinOp):
            return isinstance(node.op, _SUMS) and is_pure(node.left) and is_pure(node.right)
        if isinstance(node, ast.Compare):
            return len(node.ops) == 1 and is_pure(node.left) and is_pure(node.comparators[0])
        if isinstance(node, ast.Call):
            known = is_known(node.func)
            values = [word.value for word in node.keywords if word.arg is not None]
            whole = len(values) == len(node.keywords)
            return known and whole and all(map(is_pure, [*node.args, *values]))
        return False

    def is_known(function: ast.expr) -> bool:
        if isinstance(function, ast.Attribute) and isinstance(function.value, ast.Name):
            known = function.value.id == "math" and function.attr in vars(_MATH)
            return known and _imports_math(setup) and "math" not in taken
        return isinstance(function, ast.Name) and function.id in _FUNCTIONS.keys() - taken

    if not all(isinstance(node, _HARMLESS) or _is_text(node) for node in setup.body):
        return None  # it may raise, and then no test counts
    return ast.unparse(_Replaced(call).visit(test)) if is_pure(test) else None


def holds(claim: str, result: Any) -> bool:
    """Whether a claim holds of a result, which is plain data or a stand-in.

    Raises:
        Exception: as the expression does, when the result is of the wrong kind.
    """
    names = {"__builtins__": {}, "math": _MATH, **_FUNCTIONS, RESULT: result}
    return bool(eval(claim, names))  # noqa: S307 - made by claim_about of harmless parts


def fold(node: ast.expr) -> ast.expr:
    """Return ``node`` with sums, products and quotients of numbers worked out."""
    folded: ast.expr = _Folded().visit(node)
    return folded


class _Folded(ast.NodeTransformer):
    def visit_BinOp(self, node: ast.BinOp) -> ast.expr:
        self.generic_visit(node)
        work = _ARITHMETIC.get(type(node.op))
        if work is None or not (_is_number(node.left) and _is_number(node.right)):
            return node
        try:
            result = work(node.left.value, node.right.value)
        except ArithmeticError:
            return node
        return ast.copy_location(ast.Constant(result), node)


def _is_number(node: ast.expr) -> TypeGuard[ast.Constant]:
    value = node.value if isinstance(node, ast.Constant) else None
    return isinstance(value, int | float) and type(value) is not bool and abs(value) < 2**256


class _Replaced(ast.NodeTransformer):
    def __init__(self, call: ast.Call) -> None:
        self._call = call

    def visit_Call(self, node: ast.Call) -> ast.AST:
        if node is self._call:
            return ast.Name(RESULT, ast.Load())
        return self.generic_visit(node)


def _is_text(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def _inner(node: ast.AST) -> list[ast.AST]:
    return [each for each in ast.iter_child_nodes(node) if not isinstance(each, ast.expr_context)]


def _imports_math(setup: ast.Module) -> bool:
    return any(
        isinstance(node, ast.Import)
        and any(alias.name == "math" and alias.asname is None for alias in node.names)
        for node in setup.body
    )


def _names_bound(node: ast.AST) -> list[str]:
    if isinstance(node, ast.Name):
        return [node.id] if isinstance(node.ctx, ast.Store) else []
    if isinstance(node, ast.FunctionDef | ast.ClassDef):
        return [node.name]
    if isinstance(node, ast.Import | ast.ImportFrom):
        if any(alias.name == "*" for alias in node.names):
            return [*_FUNCTIONS, "math"]
        return [
            alias.asname or alias.name
            for alias in node.names
            if isinstance(node, ast.ImportFrom) or alias.name != "math" or alias.asname
        ]
    return []
