"""Two functions that call each other along a list."""

from __future__ import annotations

from functools import partial

from factory.constraints.types import INT, STR, Type
from factory.templates import nodes
from factory.templates.base import Template
from factory.templates.nodes import Expr
from factory.templates.parts import derived, listed, merged, neutral, prepare, value_of
from factory.templates.writer import Variable, Writer


def _half(
    w: Writer, title: str, other: str, source: Variable, result: Type, by_index: bool
) -> None:
    with w.aside(title):
        items = w.take(source.type, source.name)
        read = value_of(items)
        if by_index:
            place = w.take(INT, "place", "index", "turn")
            here = value_of(place)
            done = nodes.compare(here(), ">=", nodes.call("len", read()))
            rest = [read(), nodes.binary(here(), "+", nodes.literal(1))]
            index = here
        else:
            done = nodes.negate(read())
            rest = [nodes.part(read(), nodes.literal(1))]
            index = partial(nodes.literal, 0)
        w.emit(nodes.if_([(done, [nodes.return_(neutral(result))])]))
        again = nodes.call(other, *rest, returns=result)
        if w.chance(0.3):
            kept = w.fresh_name(("after", "rest", "later"))
            w.emit(nodes.assign(kept, again))
            again = nodes.name(kept, result)
        w.finish(merged(w, derived(w, lambda: nodes.item(read(), index()), result), again))


def _write(w: Writer) -> Expr:
    source = listed(w)
    prepare(w)
    result = w.rng.choice((INT, INT, STR))
    titles = [w.fresh_title(), ""]
    w.titles.add(titles[0])
    titles[1] = w.fresh_title()
    by_index = w.chance(0.5)
    for title, other in (titles, reversed(titles)):
        _half(w, title, other, source, result, by_index)
    rest = [nodes.literal(0)] if by_index else []
    return nodes.call(titles[0], w.read(source), *rest, returns=result)


TEMPLATE = Template("mutual", (9,), _write)
