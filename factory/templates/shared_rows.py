"""One row that stands several times in a list, or rows that only look the same."""

from __future__ import annotations

from typing import Any

from factory.constraints.types import INT, STR, list_of
from factory.templates import nodes
from factory.templates.base import Template
from factory.templates.nodes import Expr
from factory.templates.parts import element, listed, prepare, taken, value_of
from factory.templates.writer import Variable, Writer


def _write(w: Writer) -> Expr:
    source = listed(w)
    prepare(w)
    held = source.type.args[0]
    row = w.bind(_row(w, source), title=w.rng.choice(("row", "line_of", "shelf")))
    row.carried = True
    read = value_of(row)
    copy = nodes.part(read()) if w.chance(0.5) else nodes.call("list", read())
    form, place = w.rng.randrange(3), w.rng.choice((0, -1))
    if form == 0:
        value: Expr = nodes.binary(nodes.list_display(read()), "*", w.number(2, 3))
    else:
        parts = [read(), read(), copy] if form == 1 else [read(), copy]
        value = nodes.list_display(*(parts if place == 0 else reversed(parts)))
    grid = w.bind(value.retyped(list_of(row.type)), title=w.rng.choice(("grid", "rows", "board")))
    grid.carried = True
    _changed(w, source, row, grid, place)
    if w.chance(0.4):
        added = w.word() if held == STR else w.number(1, 20)
        w.emit(nodes.evaluate(w.method(w.read(row), "append", added)))
    if w.chance(0.5):
        return nodes.tuple_display(w.read(row), w.read(grid))
    w.read(row)
    return w.read(grid)


def _row(w: Writer, source: Variable) -> Expr:
    some = nodes.list_display(taken(w, source.type.args[0]))
    form = w.rng.randrange(3)
    if form == 0:
        return some
    first = nodes.part(w.read(source), None, w.number(2, 3))
    return nodes.binary(first, "+", some) if form == 1 else nodes.binary(some, "+", first)


def _changed(w: Writer, source: Variable, row: Variable, grid: Variable, at: int) -> None:
    """Changes a row of the grid by its place there, or all of them."""
    held = source.type.args[0]
    read = value_of(grid)
    place = nodes.literal(at)
    item = element(w, source)
    form = w.rng.randrange(3)
    if form == 0:
        added: list[Any] = [
            nodes.evaluate(w.method(nodes.item(read(), place), "append", value_of(item)()))
        ]
        few = nodes.part(w.read(source), None, w.number(2, 3))
        w.emit(nodes.for_([item.name], few, added))
        return
    if form == 1:
        each = w.fresh_name(("each_row", "current", "cells"))
        name = nodes.name(each, row.type)
        given = taken(w, held) if w.chance(0.5) else nodes.item(w.read(source), nodes.literal(0))
        step = nodes.evaluate(w.method(name, "append", given))
        w.emit(nodes.for_([each], read(), [step]))
        return
    first = nodes.item(read(), place)
    w.emit(nodes.assign_item(first, nodes.literal(0), taken(w, held)))
    if held == INT and w.chance(0.6):
        cell = nodes.item(nodes.item(read(), nodes.literal(1)), nodes.literal(0))
        w.emit(nodes.augment_target(cell, w.rng.choice("+-*"), w.number(2, 6)))


TEMPLATE = Template("shared_rows", (8,), _write)
