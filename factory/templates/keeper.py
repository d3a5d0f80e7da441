"""Inner functions that share a container of the function around them."""

from __future__ import annotations

from factory.constraints.types import INT, STR, list_of
from factory.templates import nodes
from factory.templates.base import Template
from factory.templates.loops import flat
from factory.templates.names import element_names
from factory.templates.nodes import Expr
from factory.templates.parts import derived, element, listed, prepare, test_of, value_of
from factory.templates.uses import over_all
from factory.templates.writer import Variable, Writer


def _keeping(w: Writer, source: Variable, kept: Variable, title: str) -> None:
    type_ = source.type.args[0]
    with w.aside(title, kept):
        item = w.take(type_, *element_names(source.name, w.theme, w.rng, type_))
        read = value_of(item)
        value = derived(w, read, kept.type.args[0])
        added = nodes.evaluate(w.method(value_of(kept)(), "append", value))
        test = test_of(w, Variable(item.name, type_, flat(source.samples)))
        form = w.rng.randrange(4)
        if form == 0:
            w.emit(nodes.if_([(test.make(), [added])]))
        elif form == 1:
            lead = nodes.evaluate(
                w.method(
                    value_of(kept)(),
                    "insert",
                    nodes.literal(0),
                    derived(w, read, kept.type.args[0]),
                )
            )
            w.emit(nodes.if_([(test.make(), [added])], [lead]))
        else:
            w.emit(added)
        result = nodes.call("len", value_of(kept)())
        if form == 2:
            limit = nodes.compare(result, ">", w.number(2, 3))
            first = nodes.evaluate(w.method(value_of(kept)(), "pop", nodes.literal(0)))
            w.emit(nodes.if_([(limit, [first])]))
            result = nodes.call("len", value_of(kept)())
        elif form == 3 and kept.type.args[0] == INT:
            result = nodes.call(w.rng.choice(("sum", "max")), value_of(kept)())
        inner = w.define([nodes.return_(result)], INT)
    w.emit(inner)


def _write(w: Writer) -> Expr:
    source = listed(w)
    prepare(w)
    held = w.rng.choice((INT, STR))
    kept = w.bind(nodes.list_display(of=held), title=w.rng.choice(("kept", "history", "shelf")))
    kept.carried = True
    title = w.fresh_name(w.rng.sample(("keep", "remember", "push", "note_down"), 4))
    _keeping(w, source, kept, title)
    if w.chance(0.5):
        result = over_all(w, source, lambda make: nodes.call(title, make(), returns=INT))
        return nodes.tuple_display(result, w.read(kept))
    item = element(w, source)
    call = nodes.evaluate(nodes.call(title, value_of(item)(), returns=INT))
    w.emit(nodes.for_([item.name], w.read(source), [call]))
    return _shown(w, kept)


def _shown(w: Writer, kept: Variable) -> Expr:
    rows = w.read(kept)
    if kept.type == list_of(STR) and w.chance(0.4):
        return w.method(nodes.literal(w.rng.choice("-/ ")), "join", rows)
    return nodes.call("sorted", rows) if w.chance(0.3) else rows


TEMPLATE = Template("keeper", (11,), _write)
