"""A generator without an end; whoever reads it stops, and it is closed."""

from __future__ import annotations

from factory.constraints.types import BOOL, INT, iterator_of
from factory.templates import nodes
from factory.templates.base import Template
from factory.templates.nodes import Expr
from factory.templates.parts import bounded, element, listed, prepare, value_of
from factory.templates.writer import Variable, Writer


def _endless(w: Writer, title: str) -> None:
    with w.aside(title):
        start = w.take(INT, *w.rng.sample(("start", "number", "value", "amount"), 4))
        read = value_of(start)
        given = nodes.yield_(read())
        form = w.rng.randrange(4)
        if form == 0:
            body = [given, nodes.augment(start.name, "+", w.number(2, 5))]
        elif form == 1:
            larger = nodes.binary(nodes.binary(read(), "*", nodes.literal(2)), "+", w.number(1, 3))
            body = [given, nodes.assign(start.name, larger)]
        elif form == 2:
            before = w.bind(w.number(1, 4), title="before")
            both = nodes.binary(value_of(before)(), "+", read())
            names = [before.name, start.name]
            body = [
                given,
                nodes.assign_many(names, [read(), nodes.binary(both, "+", w.number(1, 2))]),
            ]
        else:
            step = w.bind(w.number(1, 2), title="step")
            more = nodes.augment(start.name, "+", value_of(step)())
            body = [given, more, nodes.augment(step.name, "+", w.number(1, 2))]
        w.emit(nodes.while_(nodes.literal(True), body))
        w.definitions.append(w.define([], iterator_of(INT)))


def _write(w: Writer) -> Expr:
    source = listed(w)
    prepare(w)
    w.need("collections.abc", "Iterator")
    noun = w.theme.noun
    title = w.fresh_title(*w.rng.sample((f"{noun}_numbers", f"count_{noun}s", "growing"), 3))
    _endless(w, title)
    stream = nodes.call(title, bounded(w, 1, 6), returns=iterator_of(INT))
    value = Variable(w.fresh_name(("number", "value", "mark", "step_size")), INT)
    if w.chance(0.5):
        item = element(w, source)
        pairs = nodes.call("zip", w.read(source), stream)
        shown = nodes.tuple_display(value_of(item)(), value_of(value)())
        rows = w.bind(nodes.list_display(of=shown.type), title=w.rng.choice(("rows", "numbered")))
        rows.carried = True
        added = nodes.evaluate(w.method(value_of(rows)(), "append", shown))
        w.emit(nodes.for_([item.name, value.name], pairs, [added]))
        return w.read(rows)
    total = w.bind(nodes.literal(0), title=w.rng.choice(("total", "reached", "sum_of_all")))
    total.carried = True
    limit = nodes.binary(nodes.call("len", w.read(source)), "*", w.number(4, 6))
    read = value_of(value) if w.chance(0.5) else value_of(total)
    over = nodes.compare(read(), ">", limit).retyped(BOOL)
    stop = nodes.if_([(over, [nodes.break_()])])
    gain = nodes.augment(total.name, "+", value_of(value)())
    w.emit(nodes.for_([value.name], stream, [stop, gain]))
    return w.read(total)


TEMPLATE = Template("endless", (12,), _write)
