"""An exception class of the program's own, raised with what went wrong."""

from __future__ import annotations

from factory.constraints.types import INT, STR, Type
from factory.templates import nodes
from factory.templates.base import Template
from factory.templates.loops import flat
from factory.templates.names import element_names
from factory.templates.nodes import Expr, Handler
from factory.templates.parts import (
    class_title,
    element,
    listed,
    measured,
    prepare,
    test_of,
    value_of,
)
from factory.templates.writer import Variable, Writer, Written


def _limited(w: Writer, source: Variable, error: str) -> Written:
    type_ = source.type.args[0]
    total = w.take(INT, "total", "used", "load")
    item = w.take(type_, *element_names(source.name, w.theme, w.rng, type_))
    value = nodes.binary(value_of(total)(), "+", measured(w, value_of(item)))
    title = w.fresh_name(("grown", "after", "filled"))
    read = value_of(Variable(title, INT))
    w.emit(nodes.assign(title, value))
    known = Variable(item.name, type_, flat(source.samples))
    over = test_of(w, known).make()
    told = read() if w.chance(0.5) else value_of(item)()
    failing = nodes.raise_(nodes.call(error, told, returns=Type(error)))
    w.emit(nodes.if_([(over, [failing])]))
    return w.finish(read())


def _write(w: Writer) -> Expr:
    source = listed(w)
    prepare(w)
    base = w.rng.choice(("Exception", "ValueError", "RuntimeError"))
    error = class_title(w, "Error", "Overflow", "TooMany", "Limit")
    w.titles.add(error)
    w.definitions.append(nodes.class_(error, [nodes.pass_()], (base,)))
    with w.aside(w.fresh_title()):
        helper = _limited(w, source, error)
    total = w.bind(w.number(0, 3), title=w.rng.choice(("total", "level_now", "filled")))
    total.carried = True
    item = element(w, source)
    read = value_of(total)
    grown = nodes.call(helper.title, read(), value_of(item)(), returns=INT)
    work = nodes.assign(total.name, grown)
    problem = w.fresh_name(("error", "problem", "fault"))
    told = nodes.call("str", nodes.name(problem, Type(error)))
    if w.chance(0.5):
        told = nodes.binary(nodes.literal(w.rng.choice(("over at ", "stop: ", "no "))), "+", told)
    again = nodes.assign(total.name, w.number(0, 2))
    if w.chance(0.6):
        notes = w.bind(nodes.list_display(of=STR), title=w.rng.choice(("notes", "faults", "stops")))
        notes.carried = True
        noted = nodes.evaluate(w.method(value_of(notes)(), "append", told))
        handler = Handler(error, [noted, again] if w.chance(0.6) else [noted], problem)
        w.emit(nodes.for_([item.name], w.read(source), [nodes.try_([work], [handler])]))
        return nodes.tuple_display(w.read(total), w.read(notes))
    last = w.bind(nodes.literal(""), title=w.rng.choice(("last_fault", "reason", "stopped_by")))
    last.carried = True
    handler = Handler(error, [nodes.assign(last.name, told), again], problem)
    w.emit(nodes.for_([item.name], w.read(source), [nodes.try_([work], [handler])]))
    return nodes.tuple_display(w.read(total), w.read(last))


TEMPLATE = Template("own_error", (10,), _write)
