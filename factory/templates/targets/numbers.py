"""Nests of ``int`` methods, operators and built-in functions; results stay small."""

from __future__ import annotations

from factory.constraints.types import INT
from factory.templates import nodes
from factory.templates.nodes import Expr
from factory.templates.targets.wrapping import Builder
from factory.templates.writer import Writer

_MODULI = (31, 47, 59, 71, 83, 97, 101, 113)


def _operand(w: Writer, literal: float = 0.4) -> Expr:
    return w.number(2, 15) if w.chance(literal) else w.get(INT)


def _between(w: Writer, expr: Expr) -> Expr:
    """A step between two calls that changes the number a little."""
    form = w.rng.randrange(3)
    if form == 0:
        return nodes.binary(expr, w.rng.choice("+-"), _operand(w))
    if form == 1:
        return nodes.binary(expr, "*", w.number(2, 7))
    return nodes.binary(_operand(w, 0.2), "+", expr)


def _method(label: str) -> Builder:
    def build(w: Writer, depth: int) -> Expr:
        expr = w.get(INT)
        for turn in range(depth):
            if turn or w.chance(0.4):
                expr = _between(w, expr)
            expr = nodes.method(expr, label)
        return expr

    return build


def _absolute(w: Writer, depth: int) -> Expr:
    expr = nodes.call("abs", nodes.binary(w.get(INT), "-", _operand(w)))
    for _ in range(depth - 1):
        left, right = (expr, _operand(w)) if w.chance(0.6) else (_operand(w), expr)
        expr = nodes.call("abs", nodes.binary(left, "-", right))
    return expr


def _divmod(w: Writer, depth: int) -> Expr:
    expr = nodes.call("divmod", w.get(INT), w.number(3, 9))
    for _ in range(depth - 1):
        part = nodes.item(expr, w.number(0, 1))
        if w.chance(0.5):
            part = nodes.binary(part, "+", w.get(INT))
        expr = nodes.call("divmod", part, w.number(2, 5))
    return expr


def _power(w: Writer, depth: int) -> Expr:
    expr = w.get(INT)
    for _ in range(depth):
        if w.chance(0.3):
            expr = nodes.binary(expr, "+", _operand(w))
        modulus = nodes.literal(w.rng.choice(_MODULI))
        expr = nodes.call("pow", expr, w.number(2, 4), modulus)
    return expr


def _extreme(label: str) -> Builder:
    def build(w: Writer, depth: int) -> Expr:
        expr = nodes.call(label, w.get(INT), _operand(w))
        for _ in range(depth - 1):
            if w.chance(0.4):
                expr = nodes.binary(expr, w.rng.choice("+-"), w.number(1, 6))
            pair = [expr, _operand(w, 0.3)]
            w.rng.shuffle(pair)
            expr = nodes.call(label, *pair)
        return expr

    return build


def _quotient(symbol: str) -> Builder:
    """``//`` and ``%`` by numbers that are never zero."""

    def build(w: Writer, depth: int) -> Expr:
        expr = nodes.binary(w.get(INT), symbol, w.number(3, 9))
        for _ in range(depth - 1):
            if symbol == "%" and w.chance(0.4):
                divisor = nodes.binary(expr, "+", w.number(2, 5))
                expr = nodes.binary(w.get(INT), symbol, divisor)
            else:
                expr = nodes.binary(_between(w, expr), symbol, w.number(2, 7))
        return expr

    return build


def _bitwise(symbol: str) -> Builder:
    def build(w: Writer, depth: int) -> Expr:
        expr = nodes.binary(w.get(INT), symbol, _operand(w))
        for _ in range(depth - 1):
            if w.chance(0.5):
                expr = _between(w, expr)
            right = _operand(w, 0.5)
            if w.chance(0.5):
                expr = nodes.binary(expr, symbol, right)
            else:
                expr = nodes.binary(right, symbol, expr)
        return expr

    return build


BUILDERS: dict[str, Builder] = {
    "%": _quotient("%"),
    "&": _bitwise("&"),
    "//": _quotient("//"),
    "^": _bitwise("^"),
    "abs()": _absolute,
    "bit_count": _method("bit_count"),
    "bit_length": _method("bit_length"),
    "divmod()": _divmod,
    "max()": _extreme("max"),
    "min()": _extreme("min"),
    "pow()": _power,
}
