"""An inner function sees what the function around it changes after defining it."""

from __future__ import annotations

from factory.constraints.types import INT
from factory.templates import nodes
from factory.templates.base import Template
from factory.templates.names import element_names
from factory.templates.nodes import Expr
from factory.templates.parts import bounded, element, listed, measured, prepare, value_of
from factory.templates.writer import Variable, Writer


def _inner(w: Writer, source: Variable, limit: Variable, title: str) -> None:
    type_ = source.type.args[0]
    with w.aside(title, limit):
        item = w.take(type_, *element_names(source.name, w.theme, w.rng, type_))
        read, bound = value_of(item), value_of(limit)
        form = w.rng.randrange(4)
        if form == 0:
            result = nodes.call(w.rng.choice(("min", "max")), measured(w, read), bound())
        elif form == 1:
            over = nodes.compare(measured(w, read), w.rng.choice("><"), bound())
            result = nodes.choose(over, bound(), measured(w, read))
        elif form == 2:
            over = nodes.compare(measured(w, read), ">", bound())
            w.emit(nodes.if_([(over, [nodes.return_(bound())])]))
            result = nodes.binary(bound(), w.rng.choice("+-"), measured(w, read))
        else:
            result = nodes.binary(measured(w, read), w.rng.choice("+-*"), bound())
        inner = w.define([nodes.return_(result)], INT)
    w.emit(inner)


def _write(w: Writer) -> Expr:
    source = listed(w)
    prepare(w)
    start = w.number(1, 6) if w.chance(0.4) else bounded(w, 1, 7)
    names = ("limit", "level_now", "floor", "threshold", "mark")
    limit = w.bind(start, title=w.rng.choice(names))
    limit.carried = True
    title = w.fresh_name(w.rng.sample(("clip", "weigh", "judge", "rate_one"), 4))
    _inner(w, source, limit, title)
    item = element(w, source)
    call = nodes.call(title, value_of(item)(), returns=INT)
    change = nodes.augment(limit.name, w.rng.choice("++-"), w.number(1, 3))
    if w.chance(0.3):
        change = nodes.assign(limit.name, measured(w, value_of(item)))
    if w.chance(0.5):
        total = w.bind(nodes.literal(0), title=w.rng.choice(("total", "result", "score")))
        step = nodes.augment(total.name, w.rng.choice("+-"), call)
    else:
        total = w.bind(nodes.list_display(of=INT), title=w.rng.choice(("results", "marks")))
        step = nodes.evaluate(w.method(value_of(total)(), "append", call))
    total.carried = True
    body = [step, change] if w.chance(0.7) else [change, step]
    w.emit(nodes.for_([item.name], w.read(source), body))
    w.read(limit)
    if w.chance(0.4):
        return nodes.tuple_display(w.read(total), w.read(limit))
    return w.read(total)


TEMPLATE = Template("late", (11,), _write)
