"""A function that takes the head of a list and calls itself with the rest."""

from __future__ import annotations

from factory.constraints.types import BOOL, INT, STR, Type
from factory.templates import nodes
from factory.templates.base import Template
from factory.templates.nodes import Expr
from factory.templates.parts import (
    derived,
    element,
    listed,
    merged,
    neutral,
    prepare,
    test_of,
    value_of,
)
from factory.templates.writer import Variable, Writer, Written


def _recursive(w: Writer, source: Variable, result: Type) -> Written:
    items = w.take(source.type, source.name)
    head = element(w, items, source)
    read, here = value_of(items), value_of(head)
    start = w.word() if result == STR and w.chance(0.3) else neutral(result)
    w.emit(nodes.if_([(nodes.negate(read()), [nodes.return_(start)])]))
    form = w.rng.randrange(4)
    if form == 0:
        value = derived(w, lambda: nodes.item(read(), nodes.literal(0)), result)
        again = _again(w, nodes.part(read(), nodes.literal(1)), result)
        return w.finish(merged(w, value, again))
    w.emit(nodes.assign(head.name, nodes.item(read(), nodes.literal(0))))
    if form == 1:
        rest = w.fresh_name(("rest", "others", "tail"))
        again = _again(w, nodes.part(read(), nodes.literal(1)), result)
        w.emit(nodes.assign(rest, again))
        return w.finish(merged(w, derived(w, here, result), nodes.name(rest, result)))
    test = test_of(w, head)
    if form == 2:
        skipped = _again(w, nodes.part(read(), nodes.literal(1)), result)
        w.emit(nodes.if_([(test.make(), [nodes.return_(skipped)])]))
        again = _again(w, nodes.part(read(), nodes.literal(1)), result)
        return w.finish(merged(w, derived(w, here, result), again))
    other = w.word() if result == STR else w.number(0, 3)
    chosen = nodes.choose(test.make().retyped(BOOL), derived(w, here, result), other)
    share = w.fresh_name(("share", "mine", "own"))
    w.emit(nodes.assign(share, chosen))
    again = _again(w, nodes.part(read(), nodes.literal(1)), result)
    return w.finish(merged(w, nodes.name(share, result), again))


def _again(w: Writer, rest: Expr, result: Type) -> Expr:
    return nodes.call(w.frame.title, rest, returns=result)


def _write(w: Writer) -> Expr:
    source = listed(w)
    prepare(w)
    result = w.rng.choice((INT, INT, STR))
    with w.aside(w.fresh_title()):
        helper = _recursive(w, source, result)
    argument = w.read(source)
    if w.chance(0.3):
        argument = nodes.call("sorted", argument)
    return nodes.call(helper.title, argument, returns=helper.returns)


TEMPLATE = Template("descend", (9,), _write)
