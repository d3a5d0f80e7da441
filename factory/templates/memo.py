"""A recursive function that keeps what it has found in a dictionary."""

from __future__ import annotations

from factory.constraints.types import INT, dict_of
from factory.templates import nodes
from factory.templates.base import Template
from factory.templates.nodes import Expr
from factory.templates.parts import bounded, measured, prepare, value_of
from factory.templates.writer import Writer, Written

_KNOWN = dict_of(INT, INT)


def _recursive(w: Writer) -> Written:
    number = w.take(INT, "n", *w.theme.limits)
    known = w.take(_KNOWN, "known", "cache", "memo")
    n, cache = value_of(number), value_of(known)

    def again(less: int) -> Expr:
        smaller = nodes.binary(n(), "-", nodes.literal(less))
        return nodes.call(w.frame.title, smaller, cache(), returns=INT)

    stored = nodes.item(cache(), n())
    w.emit(nodes.if_([(nodes.compare(n(), "in", cache()), [nodes.return_(stored)])]))
    least = w.rng.randint(1, 2)
    small = nodes.compare(n(), "<=", nodes.literal(least))
    w.emit(nodes.if_([(small, [nodes.return_(w.number(1, 5) if w.chance(0.5) else n())])]))
    form = w.rng.randrange(3)
    if form == 0:
        value = nodes.binary(again(1), "+", again(least + 1))
    elif form == 1:
        value = nodes.call(w.rng.choice(("max", "min")), again(1), again(2))
        value = nodes.binary(value, "+", measured(w, n))
    else:
        value = nodes.binary(nodes.binary(again(1), "*", w.number(2, 3)), "-", again(2))
    if w.chance(0.5):
        title = w.fresh_name(("found", "answer", "value"))
        w.emit(nodes.assign(title, value))
        w.emit(nodes.assign_item(cache(), n(), nodes.name(title, INT)))
        return w.finish(nodes.name(title, INT))
    w.emit(nodes.assign_item(cache(), n(), value))
    return w.finish(nodes.item(cache(), n()))


def _write(w: Writer) -> Expr:
    prepare(w)
    with w.aside(w.fresh_title()):
        helper = _recursive(w)
    start = bounded(w, 4, 4)
    if w.chance(0.4):
        empty = nodes.dict_display(of=_KNOWN)
        return nodes.call(helper.title, start, empty, returns=INT)
    if w.chance(0.5):
        first = nodes.dict_display((w.number(0, 2), w.number(1, 9)))
        known = w.bind(first, title=w.rng.choice(("known", "cache", "memo")))
    else:
        empty = nodes.dict_display(of=_KNOWN)
        known = w.bind(empty, title=w.rng.choice(("known", "cache", "memo")))
    result = w.bind(nodes.call(helper.title, start, w.read(known), returns=INT))
    size = nodes.call("len", w.read(known))
    if w.chance(0.5):
        return nodes.tuple_display(w.read(result), size)
    return nodes.binary(w.read(result), w.rng.choice("+-*"), size)


TEMPLATE = Template("memo", (9,), _write)
