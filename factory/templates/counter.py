"""A class that keeps a number, changes it by a method and reports it by another."""

from __future__ import annotations

from factory.constraints.types import INT, NONE, STR, Type
from factory.templates import nodes
from factory.templates.base import Template
from factory.templates.loops import flat
from factory.templates.names import element_names
from factory.templates.nodes import Expr
from factory.templates.parts import (
    bounded,
    class_title,
    derived,
    element,
    listed,
    measured,
    prepare,
    test_of,
    value_of,
)
from factory.templates.uses import over_all
from factory.templates.writer import Method, Variable, Writer

_SELF = "self"


def _field(title: str) -> Expr:
    return nodes.attribute(nodes.name(_SELF, Type("self")), title, INT)


def _changing(w: Writer, source: Variable, field: str, title: str, gives: bool) -> Method:
    type_ = source.type.args[0]
    with w.aside(title):
        item = w.take(type_, *element_names(source.name, w.theme, w.rng, type_))
        read = value_of(item)
        grown = nodes.augment_target(_field(field), w.rng.choice("++-"), measured(w, read))
        form = w.rng.randrange(4)
        if form == 0:
            test = test_of(w, Variable(item.name, type_, flat(source.samples)))
            less = nodes.augment_target(_field(field), "-", w.number(1, 3))
            w.emit(nodes.if_([(test.make(), [grown])], [less] if w.chance(0.5) else ()))
        elif form == 1 and type_ == INT:
            w.emit(grown)
            full = nodes.compare(_field(field), ">", w.number(8, 20))
            w.emit(nodes.if_([(full, [nodes.set_attribute(_field(field), w.number(0, 4))])]))
        else:
            w.emit(grown)
        last = [nodes.return_(_field(field))] if gives else []
        return w.define(last, INT if gives else NONE, first=(_SELF,))


def _report(w: Writer, field: str, title: str, result: Type) -> Method:
    with w.aside(title):
        shown = derived(w, lambda: _field(field), result)
        return w.define([nodes.return_(shown)], result, first=(_SELF,))


def _write(w: Writer) -> Expr:
    source = listed(w)
    prepare(w)
    title = class_title(w, "Counter", "Meter", "Account", "Register", "Tank")
    field = w.rng.choice(("total", "level", "amount", "balance", "load"))
    change = w.rng.choice(("add", "take", "change", "push", "note"))
    report = w.rng.choice(("report", "show", "summary", "result"))
    gives = w.chance(0.5)
    result = w.rng.choice((INT, STR))
    with w.aside("__init__"):
        start = w.take(INT, field)
        w.emit(nodes.set_attribute(_field(field), value_of(start)()))
        birth = w.define([], NONE, first=(_SELF,))
    methods = [birth, _changing(w, source, field, change, gives), _report(w, field, report, result)]
    w.definitions.append(nodes.class_(title, methods))
    w.titles.add(title)
    first = bounded(w, 1, 8) if w.chance(0.6) else w.number(0, 9)
    made = w.fresh_name((field, w.theme.noun, "keeper", "counter"))
    kind = Type(title)
    w.emit(nodes.assign(made, nodes.call(title, first, returns=kind)))

    def called(label: str, returns: Type, *args: Expr) -> Expr:
        return nodes.method(nodes.name(made, kind), label, *args).retyped(returns)

    if gives and w.chance(0.6):
        rows = over_all(w, source, lambda make: called(change, INT, make()))
        return nodes.tuple_display(rows, called(report, result))
    item = element(w, source)
    step = nodes.evaluate(called(change, INT, value_of(item)()))
    w.emit(nodes.for_([item.name], w.read(source), [step]))
    shown = called(report, result)
    if w.chance(0.4):
        return nodes.tuple_display(shown, nodes.attribute(nodes.name(made, kind), field, INT))
    return shown


TEMPLATE = Template("counter", (13,), _write)
