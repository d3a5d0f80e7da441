"""A mapping made by a comprehension, looked up or extended with the target's result."""

from __future__ import annotations

from factory.constraints.types import INT, STR
from factory.templates import nodes
from factory.templates.base import STRAIGHT, Template, ingredients
from factory.templates.coercion import LIST_STR, to_int
from factory.templates.nodes import Expr
from factory.templates.writer import Writer


def _write(w: Writer) -> Expr:
    numbers = [w.bind(to_int(w, part)) for part in ingredients(w, 1)]
    source = w.pick(LIST_STR)
    title = w.fresh_name((w.theme.noun, "name", "item", "each"))
    size = nodes.call("len", nodes.name(title, STR))
    value = nodes.binary(size, w.rng.choice("+-*"), w.read(numbers[0]))
    chart = w.bind(nodes.dictcomp(nodes.name(title, STR), value, title, w.read(source)))
    for number in numbers[1:]:
        w.emit(nodes.assign_item(w.read(chart), w.word(), w.read(number)))
    form = w.rng.randrange(3)
    if form == 0:
        return w.read(chart)
    if form == 1 and w.allow_methods:
        return nodes.call("sorted", w.method(w.read(chart), "items"))
    size = nodes.call("len", w.read(chart))
    return nodes.tuple_display(nodes.name(chart.name, chart.type), size.retyped(INT))


TEMPLATE = Template("chart", STRAIGHT, _write)
