"""Nests of ``tuple`` operators and subscripts."""

from __future__ import annotations

from factory.constraints.types import INT, STR, Type, tuple_of
from factory.templates import nodes
from factory.templates.coercion import TUPLE_INT
from factory.templates.nodes import Expr
from factory.templates.targets.wrapping import Builder, filled_tuple
from factory.templates.writer import Writer


def _type(w: Writer) -> Type:
    return tuple_of(w.element_type())


def _value(w: Writer, element: Type) -> Expr:
    if w.chance(0.3):
        return w.word() if element == STR else w.number(1, 20)
    return w.get(element)


def _add(w: Writer, depth: int) -> Expr:
    type_ = _type(w)
    expr = w.get(type_)
    for turn in range(depth):
        if turn == 0 and w.chance(0.4):
            right = w.get(type_, new=0.5)
        else:
            right = nodes.tuple_display(_value(w, type_.args[0]))
        if turn and w.chance(0.3):
            expr = nodes.binary(right, "+", expr)
        else:
            expr = nodes.binary(expr, "+", right)
    return expr.retyped(type_)


def _repeat(w: Writer, depth: int) -> Expr:
    type_ = _type(w)
    expr = w.get(type_)
    for turn in range(depth):
        if turn:
            expr = nodes.part(expr, w.number(0, 1), w.number(3, 5))
        expr = nodes.binary(expr, "*", nodes.literal(2))
    return expr


def _subscript(w: Writer, depth: int) -> Expr:
    owner = filled_tuple(w, TUPLE_INT)

    def inside(index: Expr) -> Expr:
        size = nodes.call("len", w.read(owner))
        return nodes.item(w.read(owner), nodes.binary(index, "%", size))

    expr = w.get(INT)
    for _ in range(depth):
        expr = inside(expr)
    return expr


def _slice(w: Writer, depth: int) -> Expr:
    expr = w.get(_type(w))
    for turn in range(depth):
        form = w.rng.randrange(3)
        if form == 0:
            expr = nodes.part(expr, w.number(1, 2))
        elif form == 1:
            upper = w.number(2, 5) if turn or w.chance(0.5) else w.get(INT)
            expr = nodes.part(expr, None, upper)
        else:
            expr = nodes.part(expr, None, None, w.rng.choice((-1, 2)))
    return expr


BUILDERS: dict[str, Builder] = {
    "*": _repeat,
    "+": _add,
    "[:]": _slice,
    "[]": _subscript,
}
