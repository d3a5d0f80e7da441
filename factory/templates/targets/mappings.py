"""Nests of ``dict`` methods."""

from __future__ import annotations

from factory.constraints.types import INT, STR
from factory.templates import nodes
from factory.templates.coercion import LIST_INT, LIST_STR, TABLE
from factory.templates.nodes import Expr
from factory.templates.targets.wrapping import Builder, called, changed, container, held, wrap
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
        owner = container(w, TABLE)
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


def _popitem(w: Writer, depth: int) -> Expr:
    owner = container(w, TABLE, filled=True)
    taken = nodes.method(w.read(owner), "popitem")
    if w.chance(0.5):
        result = nodes.call("len", nodes.item(taken, nodes.literal(0)))
    elif w.chance(0.5):
        result = nodes.call("abs", nodes.item(taken, nodes.literal(1)))
    else:
        result = nodes.call("str", taken)
    for _ in range(depth - 2):
        result = wrap(w, result)
    owner.unread = True
    if not w.in_loop:
        return result
    spare = nodes.literal(0 if result.type == INT else "none")
    if result.type.name == "list":
        spare = nodes.list_display(w.word())
    return nodes.choose(nodes.name(owner.name, owner.type), result, spare)


def _update(w: Writer, depth: int) -> Expr:
    owner = container(w, TABLE)
    form = w.rng.randrange(3)
    if form == 0 or depth > 2:
        keys = w.get(LIST_STR)
        if depth > 3:
            keys = nodes.call("sorted", keys)
        pairs = nodes.call("zip", keys, w.get(LIST_INT))
        more = nodes.call("dict", pairs)
    elif form == 1:
        more = nodes.dict_display((_key(w), called(w, INT, 1)))
    else:
        more = nodes.call("dict", w.get(TABLE))
    w.emit(nodes.evaluate(nodes.method(w.read(owner), "update", more)))
    return changed(w, owner, nodes.call("len", w.read(owner)), nodes.call("sorted", w.read(owner)))


def _values(w: Writer, depth: int) -> Expr:
    values = nodes.method(w.get(TABLE), "values")
    form = w.rng.randrange(4)
    if form == 0:
        result = nodes.call("max", values, default=nodes.literal(0))
    elif form == 1:
        result = nodes.call("sorted", values)
    elif form == 2 and depth > 2:
        return nodes.call("len", nodes.call("set", values))
    else:
        result = nodes.call("sum", values)
    for _ in range(depth - 2):
        result = wrap(w, result)
    return result


def _keys(w: Writer, depth: int) -> Expr:
    keys = nodes.method(w.get(TABLE), "keys")
    result = nodes.call(w.rng.choice(("sorted", "list", "sorted")), keys)
    for _ in range(depth - 2):
        result = wrap(w, result)
    return result


BUILDERS: dict[str, Builder] = {
    "copy": held(TABLE, lambda w, receiver: nodes.method(receiver, "copy")),
    "get": _get,
    "items": held(TABLE, lambda w, receiver: nodes.method(receiver, "items")),
    "keys": _keys,
    "pop": _own("pop"),
    "popitem": _popitem,
    "setdefault": _own("setdefault"),
    "update": _update,
    "values": _values,
    "|": _union,
}
