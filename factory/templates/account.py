"""An inner function per action on one shared record, and one that reports."""

from __future__ import annotations

from factory.constraints.types import INT, STR, dict_of
from factory.templates import nodes
from factory.templates.base import Template
from factory.templates.names import element_names
from factory.templates.nodes import Expr
from factory.templates.parts import element, listed, measured, prepare, test_of, value_of
from factory.templates.writer import Variable, Writer

_ACTIONS = (("earn", "spend"), ("load", "unload"), ("open_one", "close_one"), ("gain", "lose"))
_RECORD = dict_of(STR, INT)


def _action(w: Writer, source: Variable, record: Variable, title: str, key: str, sign: str) -> None:
    type_ = source.type.args[0]
    with w.aside(title, record):
        item = w.take(type_, *element_names(source.name, w.theme, w.rng, type_))
        slot = nodes.item(value_of(record)(), nodes.literal(key))
        w.emit(nodes.augment_target(slot, sign, measured(w, value_of(item))))
        if w.chance(0.4):
            last = nodes.call("len", value_of(item)()) if type_ == STR else value_of(item)()
            w.emit(nodes.assign_item(value_of(record)(), nodes.literal("last"), last))
        body = w.define([nodes.return_(nodes.item(value_of(record)(), nodes.literal(key)))], INT)
    w.emit(body)


def _write(w: Writer) -> Expr:
    source = listed(w)
    prepare(w)
    keys = w.rng.choice((("in", "out"), ("up", "down"), ("sum", "sum"), ("left", "right")))
    pairs = [(nodes.literal(key), w.number(0, 9)) for key in dict.fromkeys(keys)]
    record = w.bind(nodes.dict_display(*pairs), title=w.rng.choice(("record", "state", "book")))
    record.carried = True
    titles = [w.fresh_name((each, f"{each}_now")) for each in w.rng.choice(_ACTIONS)]
    for title, key, sign in zip(titles, keys, ("+", w.rng.choice("-+")), strict=True):
        _action(w, source, record, title, key, sign)
    item = element(w, source)
    calls = [nodes.call(title, value_of(item)(), returns=INT) for title in titles]
    test = test_of(w, item).make()
    if w.chance(0.5):
        trail = w.bind(nodes.list_display(of=INT), title=w.rng.choice(("trail", "steps_taken")))
        trail.carried = True
        chosen = nodes.choose(test, calls[0], calls[1])
        step = nodes.evaluate(w.method(value_of(trail)(), "append", chosen))
        w.emit(nodes.for_([item.name], w.read(source), [step]))
        return nodes.tuple_display(w.read(trail), w.read(record))
    body = nodes.if_([(test, [nodes.evaluate(calls[0])])], [nodes.evaluate(calls[1])])
    w.emit(nodes.for_([item.name], w.read(source), [body]))
    shown = w.read(record)
    return nodes.call("sorted", w.method(shown, "items")) if w.chance(0.4) else shown


TEMPLATE = Template("account", (11,), _write)
