"""A class with a position that a method moves; it remembers where it was."""

from __future__ import annotations

from factory.constraints.types import INT, NONE, Type, list_of
from factory.templates import nodes
from factory.templates.base import Template
from factory.templates.loops import flat
from factory.templates.names import element_names
from factory.templates.nodes import Expr
from factory.templates.parts import (
    bounded,
    class_title,
    element,
    listed,
    measured,
    prepare,
    test_of,
    value_of,
)
from factory.templates.writer import Method, Variable, Writer


def _own(title: str, type_: Type = INT) -> Expr:
    return nodes.attribute(nodes.name("self", Type("self")), title, type_)


def _birth(w: Writer, remembers: bool) -> Method:
    with w.aside("__init__"):
        start = w.take(INT, "start", "x")
        w.emit(nodes.set_attribute(_own("x"), value_of(start)()))
        w.emit(nodes.set_attribute(_own("y"), w.number(0, 3)))
        if remembers:
            trail = nodes.list_display(_own("x"))
            w.emit(nodes.set_attribute(_own("trail"), trail))
        return w.define([], NONE, first=("self",))


def _move(w: Writer, source: Variable, title: str, remembers: bool) -> Method:
    type_ = source.type.args[0]
    with w.aside(title):
        item = w.take(type_, *element_names(source.name, w.theme, w.rng, type_))
        read = value_of(item)
        along = nodes.augment_target(_own("x"), w.rng.choice("+-"), measured(w, read))
        across = nodes.augment_target(_own("y"), w.rng.choice("+-"), measured(w, read))
        if w.chance(0.6):
            test = test_of(w, Variable(item.name, type_, flat(source.samples)))
            w.emit(nodes.if_([(test.make(), [along])], [across]))
        else:
            w.emit(along)
            w.emit(across)
        if remembers:
            gap = nodes.binary(_own("x"), "-", _own("y"))
            step = nodes.method(_own("trail", list_of(INT)), "append", gap)
            w.emit(nodes.evaluate(step))
        return w.define([], NONE, first=("self",))


def _distance(w: Writer, title: str) -> Method:
    with w.aside(title):
        ways = [nodes.call("abs", _own("x")), nodes.call("abs", _own("y"))]
        if w.chance(0.5):
            value = nodes.binary(ways[0], "+", ways[1])
        else:
            value = nodes.call(w.rng.choice(("max", "min")), *ways)
        return w.define([nodes.return_(value)], INT, first=("self",))


def _write(w: Writer) -> Expr:
    source = listed(w)
    prepare(w)
    title = class_title(w, "Walker", "Pointer", "Cursor", "Pilot")
    w.titles.add(title)
    move, far = w.rng.choice(("move", "step", "go")), w.rng.choice(("distance", "reach", "span"))
    remembers = w.chance(0.5)
    methods = [_birth(w, remembers), _move(w, source, move, remembers), _distance(w, far)]
    w.definitions.append(nodes.class_(title, methods))
    kind = Type(title)
    made = w.fresh_name(("walker", "cursor", "pilot"))
    w.emit(nodes.assign(made, nodes.call(title, bounded(w, 0, 9), returns=kind)))
    item = element(w, source)
    step = nodes.evaluate(nodes.method(nodes.name(made, kind), move, value_of(item)()))
    w.emit(nodes.for_([item.name], w.read(source), [step]))
    result = nodes.method(nodes.name(made, kind), far).retyped(INT)
    if remembers:
        trail = nodes.attribute(nodes.name(made, kind), "trail", list_of(INT))
        return nodes.tuple_display(result, trail)
    if w.chance(0.5):
        place = nodes.attribute(nodes.name(made, kind), w.rng.choice("xy"), INT)
        return nodes.tuple_display(result, place)
    return result


TEMPLATE = Template("walker", (13,), _write)
