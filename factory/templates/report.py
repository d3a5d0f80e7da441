"""A line of text made with an f-string."""

from __future__ import annotations

from factory.constraints.types import INT, STR
from factory.templates import nodes
from factory.templates.base import STRAIGHT, Template, ingredients
from factory.templates.coercion import to
from factory.templates.nodes import Expr
from factory.templates.writer import Writer


def _write(w: Writer) -> Expr:
    shown: list[str | Expr] = []
    for part in ingredients(w, w.rng.randint(2, 3)):
        value = to(w, part, w.rng.choice((INT, STR)))
        if shown:
            shown.append(w.rng.choice((", ", " / ", ": ", " ", " - ")))
        elif w.chance(0.5):
            shown.append(f"{w.rng.choice(w.theme.texts)} ")
        shown.append(w.read(w.bind(value)))
    line = nodes.fstring(shown)
    form = w.rng.randrange(3)
    if form == 0:
        kept = w.bind(line, title="report")
        return nodes.tuple_display(w.read(kept), nodes.call("len", w.read(kept)))
    return nodes.part(line, None, w.number(12, 40)) if form == 1 else line


TEMPLATE = Template("report", STRAIGHT, _write)
