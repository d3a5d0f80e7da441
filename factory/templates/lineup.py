"""A short list, put together and then reordered."""

from __future__ import annotations

from factory.constraints.types import INT, STR
from factory.templates import nodes
from factory.templates.base import STRAIGHT, Template, ingredients
from factory.templates.coercion import to
from factory.templates.nodes import Expr
from factory.templates.writer import Writer


def _write(w: Writer) -> Expr:
    type_ = w.rng.choice((INT, STR))
    parts = [to(w, part, type_) for part in ingredients(w, w.rng.randint(2, 4))]
    rows = w.bind(nodes.list_display(*parts[:-1]), filled=True, title="lineup")
    held = nodes.name(rows.name, rows.type)
    if w.chance(0.5):
        w.emit(nodes.augment(rows.name, "+", nodes.list_display(parts[-1])))
    else:
        longer = nodes.binary(nodes.list_display(parts[-1]), "+", held)
        w.emit(nodes.assign(rows.name, longer))
    form = w.rng.randrange(4)
    rows_read = w.read(rows)
    if form == 0:
        return nodes.call("sorted", rows_read)
    if form == 1:
        return nodes.part(rows_read, None, None, -1)
    if form == 2:
        return nodes.tuple_display(nodes.call("max", rows_read), nodes.call("len", w.read(rows)))
    return rows_read


TEMPLATE = Template("lineup", STRAIGHT, _write)
