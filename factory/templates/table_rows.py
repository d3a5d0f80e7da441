"""A comprehension inside a comprehension: rows of a table, then their sums or columns."""

from __future__ import annotations

from factory.constraints.types import INT, STR, Type
from factory.templates import nodes
from factory.templates.base import Template
from factory.templates.nodes import Expr
from factory.templates.parts import bounded, element, listed, measured, prepare, value_of
from factory.templates.writer import Variable, Writer


def _cell(w: Writer, item: Variable, column: Variable) -> Expr:
    here, across = value_of(item), value_of(column)
    form = w.rng.randrange(4)
    if item.type == STR and form == 0:
        return nodes.part(here(), None, nodes.binary(across(), "+", nodes.literal(1)))
    if form == 1:
        value = nodes.binary(measured(w, here), "*", across())
        return nodes.binary(value, "%", w.number(5, 12))
    return nodes.binary(measured(w, here), w.rng.choice("+-*"), across())


def _write(w: Writer) -> Expr:
    source = listed(w)
    prepare(w)
    item = element(w, source)
    column = Variable(w.fresh_name(("column", "step", "turn", "day")), INT)
    cell = _cell(w, item, column)
    span = bounded(w, 2, 2) if w.chance(0.5) else w.number(2, 3)
    inner = nodes.listcomp(cell, column.name, nodes.call("range", span))
    if w.chance(0.25):
        pairs: Expr = nodes.call("sorted", w.read(source))
    else:
        pairs = w.read(source)
    grid = w.bind(nodes.listcomp(inner, item.name, pairs), title=w.rng.choice(("grid", "rows")))
    grid.carried = True
    row = Variable(w.fresh_name(("row", "line_of", "cells")), grid.type.args[0])
    return _summary(w, grid, row, cell.type)


def _summary(w: Writer, grid: Variable, row: Variable, cell: Type) -> Expr:
    read = value_of(row)
    form = w.rng.randrange(5)
    if form == 0 or cell == STR:
        if w.chance(0.5):
            return w.read(grid)
        each = w.fresh_name(("cell", "entry"))
        over = (row.name, w.read(grid), None)
        return nodes.list_over(nodes.name(each, cell), over, (each, read(), None))
    if form == 1:
        return nodes.listcomp(nodes.call("sum", read()), row.name, w.read(grid))
    if form == 2:
        each = w.fresh_name(("cell", "entry", "amount"))
        odd = nodes.binary(nodes.name(each, INT), "%", nodes.literal(2))
        test = nodes.compare(odd, "==", w.number(0, 1))
        over = (row.name, w.read(grid), None)
        return nodes.list_over(nodes.name(each, INT), over, (each, read(), test))
    if form == 3:
        place = nodes.literal(w.rng.choice((0, 1, -1)))
        return nodes.listcomp(nodes.item(read(), place), row.name, w.read(grid))
    best = nodes.each_of(nodes.call("max", read()), (row.name, w.read(grid), None))
    return nodes.call("sum", best)


TEMPLATE = Template("table_rows", (7,), _write)
