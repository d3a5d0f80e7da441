"""A generator that picks or changes the elements of a list."""

from __future__ import annotations

from typing import Any

from factory.constraints.types import INT, STR, iterator_of
from factory.templates import nodes
from factory.templates.base import Template
from factory.templates.nodes import Expr
from factory.templates.parts import derived, element, listed, prepare, test_of, value_of
from factory.templates.uses import over_stream
from factory.templates.writer import Writer


def _write(w: Writer) -> Expr:
    source = listed(w)
    prepare(w)
    result = w.rng.choice((INT, INT, STR))
    w.need("collections.abc", "Iterator")
    noun = w.theme.noun
    title = w.fresh_title(*w.rng.sample((f"each_{noun}", f"good_{w.theme.plural}"), 2))
    with w.aside(title):
        items = w.take(source.type, source.name)
        item = element(w, items, source)
        read = value_of(item)
        given = nodes.yield_(derived(w, read, result))
        form = w.rng.randrange(4)
        if form == 0:
            body: list[Any] = [nodes.if_([(test_of(w, item).make(), [given])])]
        elif form == 1:
            other = nodes.yield_(derived(w, read, result))
            body = [nodes.if_([(test_of(w, item).make(), [given])], [other])]
        elif form == 2:
            skip = nodes.if_([(test_of(w, item).make(), [nodes.continue_()])])
            body = [skip, given]
        else:
            body = [given]
        w.emit(nodes.for_([item.name], value_of(items)(), body))
        if w.chance(0.3):
            w.emit(nodes.yield_(nodes.literal(0) if result == INT else nodes.literal("end")))
        w.definitions.append(w.define([], iterator_of(result)))
    stream = nodes.call(title, w.read(source), returns=iterator_of(result))
    return over_stream(w, stream, result)


TEMPLATE = Template("stream", (12,), _write)
