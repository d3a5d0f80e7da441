"""Two numbers, and which of them wins."""

from __future__ import annotations

from factory.constraints.types import INT
from factory.templates import nodes
from factory.templates.base import STRAIGHT, Template, ingredients
from factory.templates.coercion import to_int
from factory.templates.nodes import Expr
from factory.templates.writer import Writer


def _write(w: Writer) -> Expr:
    numbers = [w.bind(to_int(w, part)) for part in ingredients(w, 2)]
    left, right = numbers[0], numbers[1]
    rest = [w.read(each) for each in numbers[2:]]
    form = w.rng.randrange(4)
    if form == 0:
        result = nodes.call(w.rng.choice(("max", "min")), w.read(left), w.read(right), *rest)
    elif form == 1:
        wins = nodes.compare(w.read(left), w.rng.choice(("<", ">", ">=")), w.read(right))
        result = nodes.choose(wins, nodes.name(left.name, INT), nodes.name(right.name, INT))
        result = nodes.tuple_display(result, *rest) if rest else result
    elif form == 2:
        result = nodes.tuple_display(w.read(left), w.read(right), *rest)
    else:
        gap = nodes.call("abs", nodes.binary(w.read(left), "-", w.read(right)))
        result = nodes.binary(gap, "*", rest[0]) if rest else gap
    return result


TEMPLATE = Template("contrast", STRAIGHT, _write)
