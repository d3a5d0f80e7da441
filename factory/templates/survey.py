"""A comprehension over a list, beside the target's result."""

from __future__ import annotations

from factory.constraints.types import STR
from factory.templates import nodes
from factory.templates.base import STRAIGHT, Template, ingredients
from factory.templates.coercion import LIST_INT, LIST_STR, returnable, to, to_bool, to_int
from factory.templates.nodes import Expr
from factory.templates.writer import Writer


def _write(w: Writer) -> Expr:
    facts = [w.bind(to_int(w, part)) for part in ingredients(w, 1)]
    source = w.pick(w.rng.choice((LIST_STR, LIST_INT)))
    element = source.type.args[0]
    title = w.fresh_name((w.theme.noun, "item", "each") if element == STR else ("value", "n"))
    each = nodes.name(title, element)
    limit = w.read(facts[0])
    form = w.rng.randrange(3)
    if form == 0:
        test = nodes.compare(to_int(w, each), w.rng.choice((">", "<=", "!=")), limit)
        rows = nodes.listcomp(nodes.name(title, element), title, w.read(source), test)
    elif form == 1:
        value = nodes.binary(to_int(w, each), w.rng.choice("+-*"), limit)
        rows = nodes.listcomp(value, title, w.read(source))
    else:
        value = nodes.choose(to_bool(w, each), nodes.name(title, element), to(w, limit, element))
        rows = nodes.listcomp(value, title, w.read(source))
    kept = w.bind(rows)
    rest = [w.read(fact) for fact in facts[1:]]
    result = w.read(kept)
    if w.chance(0.3):
        result = nodes.call("sorted", result)
    elif w.chance(0.3):
        result = to_int(w, result)
    return nodes.tuple_display(returnable(w, result), *rest) if rest else returnable(w, result)


TEMPLATE = Template("survey", STRAIGHT, _write)
