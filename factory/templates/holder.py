"""A class around a list: a stack or a queue with a limit, its size a property or ``len``."""

from __future__ import annotations

from factory.constraints.types import INT, NONE, Type, list_of
from factory.templates import nodes
from factory.templates.base import Template
from factory.templates.loops import flat
from factory.templates.names import element_names
from factory.templates.nodes import Expr
from factory.templates.parts import (
    class_title,
    element,
    listed,
    measured,
    prepare,
    test_of,
    value_of,
)
from factory.templates.writer import Method, Variable, Writer

_SELF = Type("self")


def _rows(element_type: Type) -> Expr:
    return nodes.attribute(nodes.name("self", _SELF), "rows", list_of(element_type))


def _birth(w: Writer, type_: Type) -> Method:
    with w.aside("__init__"):
        start = nodes.list_display(of=type_)
        note = nodes.attribute(nodes.name("self", _SELF), "rows", start.type)
        w.emit(nodes.set_attribute(note, start))
        return w.define([], NONE, first=("self",))


def _push(w: Writer, source: Variable, title: str) -> Method:
    type_ = source.type.args[0]
    with w.aside(title):
        item = w.take(type_, *element_names(source.name, w.theme, w.rng, type_))
        added = nodes.evaluate(nodes.method(_rows(type_), "append", value_of(item)()))
        form = w.rng.randrange(3)
        if form == 0:
            test = test_of(w, Variable(item.name, type_, flat(source.samples)))
            front = (nodes.literal(0), value_of(item)())
            lead = nodes.evaluate(nodes.method(_rows(type_), "insert", *front))
            w.emit(nodes.if_([(test.make(), [added])], [lead]))
        elif form == 1:
            w.emit(added)
            most = nodes.compare(nodes.call("len", _rows(type_)), ">", w.number(2, 3))
            first = nodes.evaluate(nodes.method(_rows(type_), "pop", nodes.literal(0)))
            w.emit(nodes.if_([(most, [first])]))
        else:
            w.emit(added)
        return w.define([], NONE, first=("self",))


def _size(w: Writer, type_: Type, title: str) -> tuple[Method, bool]:
    """A property, or ``__len__``; whether it is a property."""
    weighed = nodes.call("len", _rows(type_))
    if w.chance(0.5):
        with w.aside("__len__"):
            return w.define([nodes.return_(weighed)], INT, first=("self",)), False
    if type_ == INT and w.chance(0.5):
        weighed = nodes.call("sum", _rows(type_))
    with w.aside(title):
        weight = nodes.binary(weighed, "*", w.number(2, 3)) if w.chance(0.4) else weighed
        done = [nodes.return_(weight)]
        return w.define(done, INT, first=("self",), decorators=("property",)), True


def _write(w: Writer) -> Expr:
    source = listed(w)
    prepare(w)
    type_ = source.type.args[0]
    title = class_title(w, "Stack", "Queue", "Shelf", "Basket", "Line")
    w.titles.add(title)
    push = w.rng.choice(("push", "put", "add", "store"))
    label = w.rng.choice(("size", "weight", "height"))
    size, is_property = _size(w, type_, label)
    w.definitions.append(nodes.class_(title, [_birth(w, type_), _push(w, source, push), size]))
    kind = Type(title)
    made = w.fresh_name(("stack", "shelf", "basket", "pile"))
    w.emit(nodes.assign(made, nodes.call(title, returns=kind)))

    def measure() -> Expr:
        if is_property:
            return nodes.attribute(nodes.name(made, kind), label, INT)
        return nodes.call("len", nodes.name(made, kind)).retyped(INT)

    item = element(w, source)
    given = nodes.evaluate(nodes.method(nodes.name(made, kind), push, value_of(item)()))
    body = [given]
    sizes = w.chance(0.5)
    if sizes:
        trail = w.bind(nodes.list_display(of=INT), title=w.rng.choice(("sizes", "heights")))
        trail.carried = True
        body.append(nodes.evaluate(w.method(value_of(trail)(), "append", measure())))
    w.emit(nodes.for_([item.name], w.read(source), body))
    rows = nodes.attribute(nodes.name(made, kind), "rows", list_of(type_))
    if sizes:
        return nodes.tuple_display(w.read(trail), rows)
    if w.chance(0.5):
        return nodes.tuple_display(measured(w, measure), rows)
    return nodes.tuple_display(rows, measure())


TEMPLATE = Template("holder", (13,), _write)
