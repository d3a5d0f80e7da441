"""Two values that change places."""

from __future__ import annotations

from factory.constraints.types import INT, STR
from factory.templates import nodes
from factory.templates.base import STRAIGHT, Template, ingredients
from factory.templates.coercion import to
from factory.templates.nodes import Expr
from factory.templates.writer import Writer

_TITLES = (("first", "second"), ("left", "right"), ("front", "back"), ("old", "fresh"))


def _write(w: Writer) -> Expr:
    type_ = w.rng.choice((INT, STR))
    parts = [to(w, part, type_) for part in ingredients(w, 2)]
    names = [w.fresh_name((each, f"{each}_one")) for each in w.rng.choice(_TITLES)]
    w.emit(nodes.assign_many(names, parts[:2]))
    one, two = (nodes.name(each, type_) for each in names)
    mixed = nodes.binary(one, "+", nodes.name(names[1], type_))
    changed = mixed if type_ == INT or w.chance(0.5) else nodes.part(one, None, None, -1)
    w.emit(nodes.assign_many(names, [two, changed]))
    three, four = (nodes.name(each, type_) for each in names)
    if w.chance(0.5):
        symbol = "+" if type_ == STR else w.rng.choice("-*")
        result = nodes.binary(three, symbol, four)
    else:
        result = nodes.tuple_display(three, four)
    return nodes.tuple_display(result, *parts[2:]) if len(parts) > 2 else result


TEMPLATE = Template("exchange", STRAIGHT, _write)
