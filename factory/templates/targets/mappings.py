"""Nests of ``dict`` methods that give the default of one another."""

from __future__ import annotations

from factory.constraints.types import INT, STR
from factory.templates import nodes
from factory.templates.coercion import TABLE
from factory.templates.nodes import Expr
from factory.templates.targets.wrapping import Builder, own_table
from factory.templates.writer import Writer


def _key(w: Writer) -> Expr:
    return w.word() if w.chance(0.25) else w.get(STR)


def _default(w: Writer) -> Expr:
    return w.number(0, 5) if w.chance(0.6) else w.get(INT)


def _get(w: Writer, depth: int) -> Expr:
    table = w.pick(TABLE)
    expr = nodes.method(w.read(table), "get", _key(w), _default(w))
    for _ in range(depth - 1):
        outer = w.read(table) if w.chance(0.6) else w.get(TABLE)
        expr = nodes.method(outer, "get", _key(w), expr)
    return expr


def _own(label: str) -> Builder:
    """``pop`` and ``setdefault``, each giving the default of the next."""

    def build(w: Writer, depth: int) -> Expr:
        owner = own_table(w)
        expr = nodes.method(w.read(owner), label, _key(w), _default(w))
        for _ in range(depth - 1):
            expr = nodes.method(w.read(owner), label, _key(w), expr)
        owner.unread = True
        return expr

    return build


def _union(w: Writer, depth: int) -> Expr:
    expr = w.get(TABLE)
    for turn in range(depth):
        if turn == 0 and w.chance(0.5):
            right = w.get(TABLE, new=0.6)
        else:
            right = nodes.dict_display((_key(w), _default(w)))
        expr = nodes.binary(expr, "|", right)
    return expr


BUILDERS: dict[str, Builder] = {
    "get": _get,
    "pop": _own("pop"),
    "setdefault": _own("setdefault"),
    "|": _union,
}
