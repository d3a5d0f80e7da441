"""Expressions: names, literals, calls, operators, subscripts; parentheses where needed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import libcst as cst  # noqa: TID253 - factory.templates is only imported inside functions

from factory.constraints.signatures import (
    builtin_result,
    method_result,
    operator_result,
    slice_result,
    subscript_result,
)
from factory.constraints.types import BOOL, INT, STR, Type, join

_ATOM = 20
_UNARY = 14
_COMPARE = 7
_NOT = 6
_AND = 5
_OR = 4
CONDITIONAL = 3
_OPERATORS: dict[str, tuple[type[cst.BaseBinaryOp], int]] = {
    "+": (cst.Add, 12),
    "-": (cst.Subtract, 12),
    "*": (cst.Multiply, 13),
    "/": (cst.Divide, 13),
    "//": (cst.FloorDivide, 13),
    "%": (cst.Modulo, 13),
    "&": (cst.BitAnd, 10),
    "^": (cst.BitXor, 9),
    "|": (cst.BitOr, 8),
}
_COMPARISONS: dict[str, type[cst.BaseCompOp]] = {
    "==": cst.Equal,
    "!=": cst.NotEqual,
    "<": cst.LessThan,
    "<=": cst.LessThanEqual,
    ">": cst.GreaterThan,
    ">=": cst.GreaterThanEqual,
    "in": cst.In,
    "not in": cst.NotIn,
}


@dataclass(frozen=True, slots=True)
class Expr:
    """An expression node, its static type and how tightly it binds."""

    node: cst.BaseExpression
    type: Type
    binding: int = _ATOM
    constant: bool = False
    """Whether it holds no variable."""

    def retyped(self, type_: Type) -> Expr:
        """The same expression, known to have ``type_``."""
        return replace(self, type=type_)


def same(left: Expr, right: Expr) -> bool:
    """Whether both print as the same text."""
    return left.node.deep_equals(right.node)


def is_name(expr: Expr, title: str) -> bool:
    """Whether ``expr`` is the variable ``title``."""
    return isinstance(expr.node, cst.Name) and expr.node.value == title


def is_call(expr: Expr, function: str) -> bool:
    """Whether ``expr`` is a plain call of ``function``."""
    node = expr.node
    return (
        isinstance(node, cst.Call)
        and isinstance(node.func, cst.Name)
        and node.func.value == function
    )


def inside(expr: Expr, binding: int) -> cst.BaseExpression:
    """The node, in parentheses unless it binds at least as tightly as ``binding``."""
    if expr.binding >= binding:
        return expr.node
    return expr.node.with_changes(lpar=[cst.LeftParen()], rpar=[cst.RightParen()])


def _receiver(expr: Expr) -> cst.BaseExpression:
    """Like :func:`_inside`; ``10.bit_length()`` is no Python, so numbers get parentheses."""
    if isinstance(expr.node, cst.Integer):
        return expr.node.with_changes(lpar=[cst.LeftParen()], rpar=[cst.RightParen()])
    return inside(expr, _ATOM)


def name(text: str, type_: Type) -> Expr:
    """A variable."""
    return Expr(cst.Name(text), type_)


def literal(value: str | int | bool) -> Expr:
    """A string, integer or boolean literal."""
    if isinstance(value, bool):
        return Expr(cst.Name(repr(value)), BOOL, constant=True)
    if isinstance(value, str):
        return Expr(cst.SimpleString(repr(value)), STR, constant=True)
    if value < 0:
        number = cst.UnaryOperation(cst.Minus(), cst.Integer(str(-value)))
        return Expr(number, INT, _UNARY, constant=True)
    return Expr(cst.Integer(str(value)), INT, constant=True)


def all_constant(parts: Iterable[Expr]) -> bool:
    """Whether no part holds a variable."""
    return all(part.constant for part in parts)


def _arguments(args: Sequence[Expr], keywords: Sequence[tuple[str, Expr]] = ()) -> list[cst.Arg]:
    found = [cst.Arg(arg.node) for arg in args]
    equal = cst.AssignEqual(cst.SimpleWhitespace(""), cst.SimpleWhitespace(""))
    return found + [
        cst.Arg(value.node, keyword=cst.Name(key), equal=equal) for key, value in keywords
    ]


def method(
    receiver: Expr, label: str, *args: Expr, keywords: Sequence[tuple[str, Expr]] = ()
) -> Expr:
    """``receiver.label(args, key=value)``."""
    func = cst.Attribute(_receiver(receiver), cst.Name(label))
    return Expr(
        cst.Call(func, _arguments(args, keywords)),
        method_result(receiver.type, label, [arg.type for arg in args]),
        constant=receiver.constant and all_constant(args),
    )


def call(function: str, *args: Expr, returns: Type | None = None, **keywords: Expr) -> Expr:
    """A call of a built-in function, or of a program's own one when ``returns`` is given."""
    result = returns or builtin_result(function, [arg.type for arg in args])
    if "default" in keywords:
        result = join(result, keywords["default"].type)
    return Expr(
        cst.Call(cst.Name(function), _arguments(args, tuple(keywords.items()))),
        result,
        constant=bool(args) and all_constant(args),
    )


def binary(left: Expr, symbol: str, right: Expr) -> Expr:
    """``left symbol right``, parenthesised as needed."""
    kind, binding = _OPERATORS[symbol]
    node = cst.BinaryOperation(inside(left, binding), kind(), inside(right, binding + 1))
    result = operator_result(symbol, left.type, right.type)
    return Expr(node, result, binding, constant=left.constant and right.constant)


def compare(left: Expr, symbol: str, right: Expr) -> Expr:
    """``left symbol right`` for a comparison or membership."""
    target = cst.ComparisonTarget(_COMPARISONS[symbol](), inside(right, _COMPARE + 1))
    node = cst.Comparison(inside(left, _COMPARE + 1), [target])
    return Expr(node, BOOL, _COMPARE, constant=left.constant and right.constant)


def minus(expr: Expr) -> Expr:
    """``-expr``."""
    return Expr(cst.UnaryOperation(cst.Minus(), inside(expr, _UNARY)), INT, _UNARY)


def negate(expr: Expr) -> Expr:
    """``not expr``."""
    return Expr(cst.UnaryOperation(cst.Not(), inside(expr, _NOT)), BOOL, _NOT)


def both(left: Expr, word: str, right: Expr) -> Expr:
    """``left and right`` or ``left or right``."""
    binding = _AND if word == "and" else _OR
    kind = cst.And() if word == "and" else cst.Or()
    node = cst.BooleanOperation(inside(left, binding), kind, inside(right, binding + 1))
    return Expr(node, join(left.type, right.type), binding, left.constant and right.constant)


def choose(test: Expr, yes: Expr, no: Expr) -> Expr:
    """``yes if test else no``."""
    node = cst.IfExp(
        test=inside(test, CONDITIONAL + 1),
        body=inside(yes, CONDITIONAL + 1),
        orelse=inside(no, CONDITIONAL),
    )
    return Expr(node, join(yes.type, no.type), CONDITIONAL)


def item(container: Expr, index: Expr) -> Expr:
    """``container[index]``."""
    node = cst.Subscript(_receiver(container), [cst.SubscriptElement(cst.Index(index.node))])
    position: int | None = None
    if isinstance(index.node, cst.Integer):
        position = int(index.node.value)
    elif index.constant and index.type == INT and isinstance(index.node, cst.UnaryOperation):
        position = -int(cst.ensure_type(index.node.expression, cst.Integer).value)
    return Expr(node, subscript_result(container.type, position), constant=container.constant)


def part(
    container: Expr, lower: Expr | None = None, upper: Expr | None = None, step: int | None = None
) -> Expr:
    """``container[lower:upper:step]``."""
    bounds = cst.Slice(
        lower=lower.node if lower else None,
        upper=upper.node if upper else None,
        step=literal(step).node if step is not None else None,
        second_colon=cst.Colon() if step is not None else cst.MaybeSentinel.DEFAULT,
    )
    node = cst.Subscript(_receiver(container), [cst.SubscriptElement(bounds)])
    return Expr(node, slice_result(container.type), constant=container.constant)
