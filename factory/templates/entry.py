"""A dataclass with a method; a list of its instances made of the arguments."""

from __future__ import annotations

from typing import Any

from factory.constraints.types import INT, STR, Type, list_of
from factory.templates import nodes
from factory.templates.base import Template
from factory.templates.nodes import Expr
from factory.templates.parts import (
    bounded,
    class_title,
    listed,
    measured,
    merged,
    prepare,
    value_of,
)
from factory.templates.writer import Method, Variable, Writer


def _own(title: str, type_: Type) -> Expr:
    return nodes.attribute(nodes.name("self", Type("self")), title, type_)


def _method(w: Writer, title: str, first: str, one: Type, second: str, branches: bool) -> Method:
    """A method that depends on both fields; ``second`` is a number."""
    with w.aside(title):
        left = measured(w, lambda: _own(first, one))
        right = measured(w, lambda: _own(second, INT))
        if branches:
            parity = nodes.binary(_own(second, INT), "%", nodes.literal(2))
            even = nodes.compare(parity, "==", w.number(0, 1))
            w.emit(nodes.if_([(even, [nodes.return_(merged(w, left, right))])]))
            other = measured(w, lambda: _own(first, one))
            return w.define([nodes.return_(other)], INT, first=("self",))
        return w.define([nodes.return_(merged(w, left, right))], INT, first=("self",))


def _write(w: Writer) -> Expr:
    source = listed(w)
    prepare(w)
    w.need("dataclasses", "dataclass")
    type_ = source.type.args[0]
    title = class_title(w, "Entry", "Record", "Order", "Item", "Card")
    label = w.rng.choice(("name", "title", "code") if type_ == STR else ("size", "cost", "count"))
    extra = w.rng.choice(("rank", "bonus", "weight", "place"))
    method = w.rng.choice(("score", "worth", "points", "price"))
    body: list[Any] = [nodes.field(label, type_)]
    default = w.number(1, 4) if w.chance(0.3) else None
    body.append(nodes.field(extra, INT, default))
    branches = w.chance(0.4)
    body.append(_method(w, method, label, type_, extra, branches))
    w.definitions.append(nodes.class_(title, body, (), ("dataclass",)))
    w.titles.add(title)
    kind = Type(title)
    index = w.fresh_name(("index", "place", "position"))
    item = Variable(
        w.fresh_name((w.theme.noun, "value") if type_ == STR else ("value", "each")), type_
    )
    more = nodes.binary(nodes.name(index, INT), "+" if branches else "*", w.number(2, 4))
    made = nodes.call(title, value_of(item)(), more, returns=kind)
    pairs = nodes.call("enumerate", w.read(source))
    rows = w.fresh_name(("entries", "records", "cards", "orders"))
    held = Variable(rows, list_of(kind))
    w.emit(nodes.assign(rows, nodes.list_over(made, ((index, item.name), pairs, None))))
    each = w.fresh_name(("entry", "record", "card", "order"))
    worth = nodes.method(nodes.name(each, kind), method).retyped(INT)
    form = w.rng.randrange(4)
    if form == 0:
        return nodes.call("sum", nodes.each_of(worth, (each, value_of(held)(), None)))
    if form == 1:
        return nodes.listcomp(worth, each, value_of(held)())
    if form == 2:
        changed = nodes.augment_target(
            nodes.attribute(nodes.item(value_of(held)(), nodes.literal(0)), extra, INT),
            "+",
            bounded(w, 1, 5),
        )
        w.emit(changed)
        scores = w.bind(nodes.listcomp(worth, each, value_of(held)()), title="scores")
        scores.carried = True
        return w.read(scores)
    best = w.bind(w.number(0, 2), title=w.rng.choice(("best", "highest", "top")))
    best.carried = True
    larger = nodes.compare(worth, ">", value_of(best)())
    again = nodes.method(nodes.name(each, kind), method).retyped(INT)
    step = nodes.if_([(larger, [nodes.assign(best.name, again)])])
    w.emit(nodes.for_([each], value_of(held)(), [step]))
    return w.read(best)


TEMPLATE = Template("entry", (13,), _write)
