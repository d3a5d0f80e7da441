"""A shallow copy shares the inner lists, a deep one does not."""

from __future__ import annotations

from factory.constraints.types import INT, STR, list_of
from factory.templates import nodes
from factory.templates.base import Template
from factory.templates.nodes import Expr
from factory.templates.parts import bounded, listed, prepare, taken, value_of
from factory.templates.writer import Variable, Writer


def _shallow(w: Writer, read: Expr) -> Expr:
    form = w.rng.randrange(4)
    if form == 0:
        return nodes.call("list", read)
    if form == 1:
        return nodes.part(read)
    if form == 2:
        w.need("copy", "copy")
        return nodes.call("copy", read, returns=read.type)
    return w.method(read, "copy")


def _deep(w: Writer, read: Expr) -> Expr:
    if w.chance(0.6):
        w.need("copy", "deepcopy")
        return nodes.call("deepcopy", read, returns=read.type)
    row = w.fresh_name(("row", "part", "inner"))
    return nodes.listcomp(nodes.call("list", nodes.name(row, read.type.args[0])), row, read)


def _write(w: Writer) -> Expr:
    source = listed(w)
    prepare(w)
    held = source.type.args[0]
    rows_type = list_of(source.type)
    middle = w.rng.randint(1, 2)
    parts = [
        nodes.part(w.read(source), None, nodes.literal(middle)),
        nodes.part(w.read(source), nodes.literal(middle)),
    ]
    if w.chance(0.4):
        parts.append(nodes.list_display(taken(w, held)))
    rows = w.bind(nodes.list_display(*parts), title=w.rng.choice(("nested", "groups", "halves")))
    rows.carried, rows.unread = True, False
    names = [rows.name]
    shallow = w.fresh_name(("shallow", "view", "second_one"))
    w.emit(nodes.assign(shallow, _shallow(w, value_of(rows)())))
    names.append(shallow)
    if w.chance(0.7):
        deep = w.fresh_name(("deep", "snapshot", "untouched"))
        w.emit(nodes.assign(deep, _deep(w, value_of(rows)())))
        names.append(deep)
    inner = w.fresh_name(("inner", "front", "first_part"))
    place = bounded(w, 0, 2) if w.chance(0.4) else w.number(0, 1)
    w.emit(nodes.assign(inner, nodes.item(value_of(rows)(), place)))
    part = nodes.name(inner, source.type)
    w.emit(nodes.evaluate(w.method(part, "append", taken(w, held))))
    if w.chance(0.5):
        outer = w.rng.choice(names)
        more = nodes.list_display(w.word() if held == STR else w.number(1, 20))
        w.emit(nodes.evaluate(w.method(nodes.name(outer, rows_type), "append", more)))
    if w.chance(0.3):
        some = w.word() if held == STR else w.number(1, 20)
        w.emit(
            nodes.assign_item(
                nodes.name(shallow, rows_type), nodes.literal(0), nodes.list_display(some)
            )
        )
    shown = [value_of(Variable(each, rows_type))() for each in names]
    if w.chance(0.3):
        shown[-1] = nodes.call("len", nodes.item(shown[-1], nodes.literal(0))).retyped(INT)
    return nodes.tuple_display(*shown)


TEMPLATE = Template("copies", (8,), _write)
