"""A generator that reads another generator."""

from __future__ import annotations

from typing import Any

from factory.constraints.types import INT, STR, Type, iterator_of
from factory.templates import nodes
from factory.templates.base import Template
from factory.templates.nodes import Expr
from factory.templates.parts import derived, element, listed, prepare, test_of, value_of
from factory.templates.uses import over_stream
from factory.templates.writer import Variable, Writer


def _first(w: Writer, source: Variable, title: str) -> Type:
    type_ = source.type.args[0]
    with w.aside(title):
        items = w.take(source.type, source.name)
        item = element(w, items, source)
        test = test_of(w, item).make()
        given = nodes.yield_(value_of(item)())
        w.emit(nodes.for_([item.name], value_of(items)(), [nodes.if_([(test, [given])])]))
        w.definitions.append(w.define([], iterator_of(type_)))
    return type_


def _second(w: Writer, title: str, type_: Type, result: Type) -> None:
    with w.aside(title):
        stream = w.take(iterator_of(type_), "stream", "items", "chosen", "source")
        item = Variable(w.fresh_name((w.theme.noun if type_ == STR else "value", "item")), type_)
        read = value_of(item)
        body: list[Any] = [nodes.yield_(derived(w, read, result))]
        form = w.rng.randrange(3)
        if form == 0:
            body.append(nodes.yield_(derived(w, read, result)))
        elif form == 1:
            count = w.bind(w.number(0, 2), title="count")
            body.insert(0, nodes.augment(count.name, "+", nodes.literal(1)))
            shown = value_of(count)()
            number = nodes.binary(derived(w, read, INT), w.rng.choice("+*"), shown)
            tagged = nodes.fstring([value_of(count)(), ".", read()])
            body[-1] = nodes.yield_(number if result == INT else tagged)
        w.emit(nodes.for_([item.name], value_of(stream)(), body))
        w.definitions.append(w.define([], iterator_of(result)))


def _write(w: Writer) -> Expr:
    source = listed(w)
    prepare(w)
    result = w.rng.choice((INT, INT, STR))
    w.need("collections.abc", "Iterator")
    noun, plural = w.theme.noun, w.theme.plural
    first = w.fresh_title(*w.rng.sample((f"wanted_{plural}", f"some_{plural}"), 2))
    type_ = _first(w, source, first)
    second = w.fresh_title(
        *w.rng.sample((f"changed_{plural}", f"{noun}_marks", f"told_{plural}"), 3)
    )
    _second(w, second, type_, result)
    inner = nodes.call(first, w.read(source), returns=iterator_of(type_))
    if w.chance(0.4):
        kept = w.fresh_name(("chosen", "stream", "picked_ones"))
        w.emit(nodes.assign(kept, inner))
        inner = nodes.name(kept, iterator_of(type_))
    stream = nodes.call(second, inner, returns=iterator_of(result))
    return over_stream(w, stream, result)


TEMPLATE = Template("relay", (12,), _write)
