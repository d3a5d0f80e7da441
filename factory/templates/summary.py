"""A small record of results under fixed keys."""

from __future__ import annotations

from factory.constraints.types import INT, STR
from factory.templates import nodes
from factory.templates.base import STRAIGHT, Template, ingredients
from factory.templates.coercion import to
from factory.templates.nodes import Expr
from factory.templates.writer import Writer

_KEYS = ("size", "score", "first", "extra", "gap", "check", "rank", "share")


def _write(w: Writer) -> Expr:
    type_ = w.rng.choice((INT, STR))
    parts = [to(w, part, type_) for part in ingredients(w, w.rng.randint(2, 3))]
    keys = w.rng.sample(_KEYS, len(parts))
    pairs: list[tuple[Expr, Expr]] = []
    for key, part in zip(keys, parts, strict=True):
        value = w.read(w.bind(part)) if w.chance(0.4) else part
        pairs.append((nodes.literal(key), value))
    if w.chance(0.5):
        return nodes.dict_display(*pairs)
    record = w.bind(nodes.dict_display(*pairs[:-1]), title="record")
    held = nodes.name(record.name, record.type)
    w.emit(nodes.assign_item(held, *pairs[-1]))
    return w.read(record)


TEMPLATE = Template("summary", STRAIGHT, _write)
