"""A generator that hands on to others with ``yield from``."""

from __future__ import annotations

from factory.constraints.types import INT, STR, iterator_of
from factory.templates import nodes
from factory.templates.base import Template
from factory.templates.nodes import Expr
from factory.templates.parts import derived, element, listed, prepare, value_of
from factory.templates.uses import over_stream
from factory.templates.writer import Variable, Writer


def _part(w: Writer, source: Variable, title: str) -> None:
    type_ = source.type.args[0]
    with w.aside(title):
        items = w.take(source.type, source.name)
        item = element(w, items, source)
        over: Expr = value_of(items)()
        form = w.rng.randrange(3)
        if form == 0:
            over = nodes.call(w.rng.choice(("sorted", "reversed")), over)
        given = nodes.yield_(derived(w, value_of(item), type_))
        w.emit(nodes.for_([item.name], over, [given]))
        if form == 1:
            w.emit(nodes.yield_(w.word() if type_ == STR else w.number(0, 9)))
        w.definitions.append(w.define([], iterator_of(type_)))


def _whole(w: Writer, source: Variable, title: str, part: str) -> None:
    type_ = source.type.args[0]
    with w.aside(title):
        items = w.take(source.type, source.name)
        read = value_of(items)
        middle = nodes.part(read(), None, w.number(1, 3))
        rest = nodes.part(read(), nodes.literal(1))
        stream = nodes.yield_from(nodes.call(part, rest, returns=iterator_of(type_)))
        first = nodes.yield_from(nodes.call(part, middle, returns=iterator_of(type_)))
        form = w.rng.randrange(4)
        if form == 0:
            w.emit(nodes.yield_(w.word() if type_ == STR else nodes.call("len", read())))
            w.emit(nodes.yield_from(nodes.call(part, read(), returns=iterator_of(type_))))
        elif form == 1:
            w.emit(first)
            w.emit(stream)
        elif form == 2:
            w.emit(nodes.yield_from(nodes.call("sorted", read())))
            w.emit(stream)
        else:
            again = nodes.call("range", nodes.literal(2))
            turn = w.fresh_name(("turn", "lap", "pass_number"))
            shown = nodes.name(turn, INT)
            if type_ == STR:
                shown = nodes.call("str", shown)
            w.emit(nodes.for_([turn], again, [nodes.yield_(shown), first]))
        w.definitions.append(w.define([], iterator_of(type_)))


def _write(w: Writer) -> Expr:
    source = listed(w)
    prepare(w)
    type_ = source.type.args[0]
    w.need("collections.abc", "Iterator")
    noun, plural = w.theme.noun, w.theme.plural
    part = w.fresh_title(*w.rng.sample((f"each_{noun}", f"plain_{plural}"), 2))
    _part(w, source, part)
    whole = w.fresh_title(*w.rng.sample((f"all_{plural}", f"{noun}_tour", f"both_{plural}"), 3))
    _whole(w, source, whole, part)
    stream = nodes.call(whole, w.read(source), returns=iterator_of(type_))
    return over_stream(w, stream, type_)


TEMPLATE = Template("delegate", (12,), _write)
