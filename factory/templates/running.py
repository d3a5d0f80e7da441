"""A generator that keeps a state: running totals, neighbours, changes."""

from __future__ import annotations

from typing import Any

from factory.constraints.types import INT, STR, Type, iterator_of
from factory.templates import nodes
from factory.templates.base import Template
from factory.templates.nodes import Expr
from factory.templates.parts import element, listed, measured, prepare, test_of, value_of
from factory.templates.uses import over_stream
from factory.templates.writer import Variable, Writer


def _totals(w: Writer, item: Variable) -> tuple[list[Any], Type]:
    total = w.bind(w.number(0, 4), title=w.rng.choice(("total", "so_far", "running_sum")))
    read = value_of(total)
    grown = nodes.augment(total.name, w.rng.choice("++-"), measured(w, value_of(item)))
    shown = read() if w.chance(0.6) else measured(w, read)
    if w.chance(0.3):
        low = nodes.compare(read(), ">", w.number(12, 30))
        reset = nodes.if_([(low, [nodes.assign(total.name, w.number(0, 2))])])
        return [grown, nodes.yield_(shown), reset], INT
    return [grown, nodes.yield_(shown)], INT


def _neighbours(w: Writer, item: Variable) -> tuple[list[Any], Type]:
    type_ = item.type
    start = w.word() if type_ == STR else w.number(0, 9)
    previous = w.bind(start, title=w.rng.choice(("previous", "before", "last")))
    read, here = value_of(previous), value_of(item)
    if type_ == STR:
        shown = nodes.binary(nodes.binary(read(), "+", nodes.literal("-")), "+", here())
        if w.chance(0.4):
            gap = nodes.binary(nodes.call("len", here()), "-", nodes.call("len", read()))
            shown = gap
    else:
        shown = nodes.binary(here(), "-", read())
        if w.chance(0.4):
            shown = nodes.call(w.rng.choice(("max", "min")), here(), read())
    keep = nodes.assign(previous.name, here())
    return [nodes.yield_(shown), keep], shown.type


def _groups(w: Writer, item: Variable) -> tuple[list[Any], Type]:
    count = w.bind(nodes.literal(0), title=w.rng.choice(("count", "streak", "run")))
    read = value_of(count)
    grown = nodes.augment(count.name, "+", nodes.literal(1))
    shown = nodes.yield_(read())
    reset = nodes.assign(count.name, nodes.literal(0))
    test = test_of(w, item).make()
    if w.chance(0.5):
        return [nodes.if_([(test, [grown])], [shown, reset])], INT
    return [nodes.if_([(test, [grown])], [reset]), shown], INT


def _write(w: Writer) -> Expr:
    source = listed(w)
    prepare(w)
    w.need("collections.abc", "Iterator")
    noun = w.theme.noun
    title = w.fresh_title(*w.rng.sample((f"{noun}_steps", f"{noun}_totals", f"{noun}_trend"), 3))
    with w.aside(title):
        items = w.take(source.type, source.name)
        item = element(w, items, source)
        body, result = w.rng.choice((_totals, _neighbours, _groups))(w, item)
        w.emit(nodes.for_([item.name], value_of(items)(), body))
        if result == INT and w.chance(0.3):
            w.emit(nodes.yield_(nodes.call("len", value_of(items)())))
        w.definitions.append(w.define([], iterator_of(result)))
    stream = nodes.call(title, w.read(source), returns=iterator_of(result))
    return over_stream(w, stream, result)


TEMPLATE = Template("running", (12,), _write)
