"""One number, adjusted line by line."""

from __future__ import annotations

from factory.templates import nodes
from factory.templates.base import STRAIGHT, Template, ingredients
from factory.templates.coercion import to_int
from factory.templates.nodes import Expr
from factory.templates.writer import Writer

_SYMBOLS = ("+", "+", "-", "*")


def _write(w: Writer) -> Expr:
    parts = [to_int(w, part) for part in ingredients(w, w.rng.randint(2, 4))]
    score = w.bind(parts[0], title=w.rng.choice(("result", "rating", "estimate", "value")))
    for part in parts[1:]:
        w.emit(nodes.augment(score.name, w.rng.choice(_SYMBOLS), part))
        if w.chance(0.3):
            w.emit(nodes.augment(score.name, w.rng.choice(("%", "//")), w.number(2, 50)))
    return w.read(score)


TEMPLATE = Template("adjust", STRAIGHT, _write)
