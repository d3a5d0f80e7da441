"""A condition decides between two results."""

from __future__ import annotations

from factory.constraints.types import BOOL, INT, STR
from factory.templates import nodes
from factory.templates.base import STRAIGHT, Template, ingredients
from factory.templates.coercion import to, to_bool
from factory.templates.expressions import express
from factory.templates.nodes import Expr
from factory.templates.writer import Writer


def _write(w: Writer) -> Expr:
    type_ = w.rng.choice((INT, STR))
    parts = ingredients(w, 3)
    values = [to(w, part, type_) for part in parts[1:]]
    test = to_bool(w, parts[0])
    if w.chance(0.4):
        test = nodes.both(test, w.rng.choice(("and", "or")), express(w, BOOL, 1))
    flag = w.bind(test)
    kept = [w.bind(value) if w.chance(0.6) else value for value in values]
    yes, no, *rest = [each if isinstance(each, Expr) else w.read(each) for each in kept]
    result = nodes.choose(w.read(flag), yes, no)
    return nodes.tuple_display(result, *rest) if rest else result


TEMPLATE = Template("verdict", STRAIGHT, _write)
