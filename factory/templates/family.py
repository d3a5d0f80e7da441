"""A class and one derived from it that overrides a method; both are used."""

from __future__ import annotations

from factory.constraints.types import INT, NONE, Type
from factory.templates import nodes
from factory.templates.base import Template
from factory.templates.names import element_names
from factory.templates.nodes import Expr
from factory.templates.parts import (
    bounded,
    class_title,
    element,
    listed,
    measured,
    neutral,
    prepare,
    test_of,
    value_of,
)
from factory.templates.writer import Variable, Writer


def _own(title: str) -> Expr:
    return nodes.attribute(nodes.name("self", Type("self")), title, INT)


def _base(w: Writer, source: Variable, title: str, field: str, method: str) -> None:
    type_ = source.type.args[0]
    with w.aside("__init__"):
        start = w.take(INT, field)
        w.emit(nodes.set_attribute(_own(field), value_of(start)()))
        birth = w.define([], NONE, first=("self",))
    with w.aside(method):
        item = w.take(type_, *element_names(source.name, w.theme, w.rng, type_))
        value = nodes.binary(measured(w, value_of(item)), w.rng.choice("+-*"), _own(field))
        plain = w.define([nodes.return_(value)], INT, first=("self",))
    w.definitions.append(nodes.class_(title, [birth, plain]))


def _derived(w: Writer, source: Variable, title: str, base: str, field: str, method: str) -> None:
    type_ = source.type.args[0]
    with w.aside(method):
        item = w.take(type_, *element_names(source.name, w.theme, w.rng, type_))
        above = nodes.method(nodes.call("super", returns=Type(base)), method, value_of(item)())
        above = above.retyped(INT)
        form = w.rng.randrange(3)
        if form == 0:
            value = nodes.binary(above, w.rng.choice("+-*"), w.number(2, 5))
        elif form == 1:
            plain = w.fresh_name(("plain", "usual", "base"))
            w.emit(nodes.assign(plain, above))
            value = nodes.call(w.rng.choice(("max", "min")), nodes.name(plain, INT), _own(field))
        else:
            value = nodes.binary(measured(w, value_of(item)), w.rng.choice("+-"), _own(field))
        other = w.define([nodes.return_(value)], INT, first=("self",))
    w.definitions.append(nodes.class_(title, [other], (base,)))


def _write(w: Writer) -> Expr:
    source = listed(w)
    prepare(w)
    base = class_title(w, "Scale", "Rule", "Plan", "Tariff")
    w.titles.add(base)
    prefix = w.rng.choice(("Double", "Strict", "Late", "Special"))
    derived = f"{prefix}{base}"
    field = w.rng.choice(("rate", "base", "margin", "bonus"))
    method = w.rng.choice(("price", "apply", "score", "cost"))
    _base(w, source, base, field, method)
    _derived(w, source, derived, base, field, method)
    w.titles.add(derived)
    item = element(w, source)
    total = w.bind(neutral(INT), title=w.rng.choice(("total", "result", "sum_of_all")))
    total.carried = True
    first = bounded(w, 1, 6)
    if w.chance(0.5):
        names = [w.fresh_name((each, f"{each}_one")) for each in ("plain", prefix.lower())]
        starts = (first, w.number(1, 5))
        for name, class_title_, start in zip(names, (base, derived), starts, strict=True):
            w.emit(nodes.assign(name, nodes.call(class_title_, start, returns=Type(class_title_))))
        calls = [
            nodes.method(nodes.name(name, Type(base)), method, value_of(item)()).retyped(INT)
            for name in names
        ]
        steps = [nodes.augment(total.name, "+", call) for call in calls]
        test = test_of(w, item).make()
        body = [nodes.if_([(test, steps[:1])], steps[1:])]
        w.emit(nodes.for_([item.name], w.read(source), body))
        return w.read(total)
    rows = w.fresh_name(("rules", "parts", "plans"))
    given = w.bind(first)
    made = [
        nodes.call(base, w.read(given), returns=Type(base)),
        nodes.call(derived, w.number(1, 5), returns=Type(base)),
    ]
    w.rng.shuffle(made)
    w.emit(nodes.assign(rows, nodes.list_display(*made)))
    each = w.fresh_name(("rule", "part", "plan"))
    call = nodes.method(nodes.name(each, Type(base)), method, value_of(item)()).retyped(INT)
    inner = nodes.for_(
        [each],
        nodes.name(rows, Type("list", (Type(base),))),
        [nodes.augment(total.name, "+", call)],
    )
    w.emit(nodes.for_([item.name], w.read(source), [inner]))
    return w.read(total)


TEMPLATE = Template("family", (13,), _write)
