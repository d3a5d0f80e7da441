"""A dictionary turned round or thinned out by a comprehension."""

from __future__ import annotations

from factory.constraints.types import INT, STR
from factory.templates import nodes
from factory.templates.base import Template
from factory.templates.coercion import OWNERS, TABLE
from factory.templates.nodes import Expr
from factory.templates.parts import derived, measured, prepare, test_of, value_of, worded
from factory.templates.writer import Variable, Writer


def _write(w: Writer) -> Expr:
    source = w.parameter(w.rng.choice((TABLE, TABLE, OWNERS)))
    prepare(w)
    type_ = source.type.args[1]
    keys = tuple(key for each in source.samples for key in each)
    values = tuple(value for each in source.samples for value in each.values())
    key = Variable(w.fresh_name((w.theme.noun, "key", "name")), STR, keys)
    names = ("owner", "holder", w.theme.role) if type_ == STR else ("count", "amount", "value")
    value = Variable(w.fresh_name(names), type_, values)
    test = test_of(w, w.rng.choice((key, value))).make()
    pairs = w.method(w.read(source), "items")
    clause = ((key.name, value.name), pairs, test)
    form = w.rng.randrange(4)
    if form == 0:
        made = nodes.dict_over(value_of(value)(), value_of(key)(), clause)
    elif form == 1:
        result = w.rng.choice((INT, STR))
        made = nodes.dict_over(value_of(key)(), derived(w, value_of(value), result), clause)
    elif form == 2:
        made = nodes.dict_over(worded(w, value_of(key)), value_of(value)(), clause)
    else:
        shown = nodes.tuple_display(measured(w, value_of(value)), value_of(key)())
        made = nodes.list_over(shown, clause)
    kept = w.bind(made, title=w.rng.choice(("kept", "turned", "chosen", "picked")))
    kept.carried = True
    if form == 3:
        return nodes.call("sorted", w.read(kept)) if w.chance(0.5) else w.read(kept)
    after = w.rng.randrange(4)
    if after == 0:
        return nodes.call("sorted", w.method(w.read(kept), "items"))
    if after == 1:
        known = Variable(key.name, kept.type.args[0])
        size = nodes.set_over(measured(w, value_of(known)), (key.name, w.read(kept), None))
        return nodes.call("sorted", size)
    return w.read(kept)


TEMPLATE = Template("inverse", (7,), _write)
