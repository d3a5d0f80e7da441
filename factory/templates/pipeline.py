"""A few steps in a row, each using the one before."""

from __future__ import annotations

from factory.constraints.types import INT, STR
from factory.templates import nodes
from factory.templates.base import STRAIGHT, Template, ingredients
from factory.templates.coercion import returnable, to
from factory.templates.nodes import Expr
from factory.templates.writer import Writer


def _write(w: Writer) -> Expr:
    parts = ingredients(w, w.rng.randint(2, 3))
    value = w.read(w.bind(returnable(w, parts[0])))
    for part in parts[1:]:
        type_ = w.rng.choice((INT, STR)) if part.type not in (INT, STR) else part.type
        left, right = to(w, value, type_), to(w, part, type_)
        symbol = "+" if type_ == STR else w.rng.choice("+-")
        value = w.read(w.bind(nodes.binary(left, symbol, right)))
    return value


TEMPLATE = Template("pipeline", STRAIGHT, _write)
