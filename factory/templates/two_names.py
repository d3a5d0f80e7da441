"""Two names for one list; a third may be a copy of it."""

from __future__ import annotations

from typing import Any

from factory.constraints.types import INT, STR, Type
from factory.templates import nodes
from factory.templates.base import Template
from factory.templates.nodes import Expr
from factory.templates.parts import element, listed, measured, prepare, taken, test_of, value_of
from factory.templates.writer import Variable, Writer

_NAMES = (("shown", "stored"), ("mine", "yours"), ("left", "right"), ("plan", "board"))


def _copy(w: Writer, read: Expr) -> Expr:
    form = w.rng.randrange(3)
    if form == 0:
        return nodes.call("list", read)
    return nodes.part(read) if form == 1 else w.method(read, "copy")


def _change(w: Writer, name: str, type_: Type, value: Expr) -> Any:
    rows = nodes.name(name, type_)
    form = w.rng.randrange(4)
    if form == 0:
        return nodes.evaluate(w.method(rows, "insert", nodes.literal(0), value))
    if form == 1:
        return nodes.assign_item(rows, nodes.literal(w.rng.choice((0, -1))), value)
    if form == 2:
        return nodes.augment(name, "+", nodes.list_display(value))
    return nodes.evaluate(w.method(rows, "append", value))


def _write(w: Writer) -> Expr:
    source = listed(w)
    prepare(w)
    type_, held = source.type, source.type.args[0]
    first, second = (w.fresh_name((each, f"{each}_now")) for each in w.rng.choice(_NAMES))
    start = nodes.binary(w.read(source), "+", nodes.list_display(taken(w, held)))
    w.emit(nodes.assign(first, start))
    w.emit(nodes.assign(second, nodes.name(first, type_)))
    names = [first, second]
    if w.chance(0.5):
        apart = w.fresh_name(("backup", "saved", "copied"))
        w.emit(nodes.assign(apart, _copy(w, nodes.name(first, type_))))
        names.append(apart)
    if w.chance(0.5):
        item = element(w, source)
        value = value_of(item)() if held == STR or w.chance(0.3) else measured(w, value_of(item))
        added = nodes.evaluate(w.method(nodes.name(second, type_), "append", value))
        test = test_of(w, item).make()
        body = [nodes.if_([(test, [added])])] if w.chance(0.6) else [added]
        w.emit(nodes.for_([item.name], w.read(source), body))
    else:
        w.emit(_change(w, second, type_, taken(w, held)))
    if w.chance(0.6):
        some = w.word() if held == STR else w.number(1, 30)
        w.emit(_change(w, w.rng.choice(names), type_, some))
    if w.chance(0.3):
        again = nodes.binary(nodes.name(first, type_), "+", nodes.list_display(taken(w, held)))
        w.emit(nodes.assign(first, again))
    return nodes.tuple_display(*(_shown(w, Variable(each, type_)) for each in names))


def _shown(w: Writer, rows: Variable) -> Expr:
    if w.chance(0.7):
        return value_of(rows)()
    if rows.type.args[0] == INT and w.chance(0.5):
        return nodes.call("sum", value_of(rows)())
    return nodes.call("len", value_of(rows)())


TEMPLATE = Template("two_names", (8,), _write)
