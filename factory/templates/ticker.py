"""An inner function that counts in a ``nonlocal`` variable."""

from __future__ import annotations

from factory.constraints.types import STR, Type
from factory.templates import nodes
from factory.templates.base import Template
from factory.templates.loops import flat
from factory.templates.names import element_names
from factory.templates.nodes import Expr
from factory.templates.parts import derived, listed, measured, prepare, test_of, value_of
from factory.templates.uses import over_all
from factory.templates.writer import Variable, Writer


def _inner(w: Writer, source: Variable, count: Variable, title: str) -> Type:
    type_ = source.type.args[0]
    with w.aside(title, count):
        item = w.take(type_, *element_names(source.name, w.theme, w.rng, type_))
        read, held = value_of(item), value_of(count)
        w.emit(nodes.nonlocal_(count.name))
        grown = nodes.augment(count.name, w.rng.choice("++-"), measured(w, read))
        form = w.rng.randrange(4)
        if form == 0:
            test = test_of(w, Variable(item.name, type_, flat(source.samples)))
            w.emit(nodes.if_([(test.make(), [grown])]))
        elif form == 1:
            next_one = nodes.binary(nodes.binary(held(), "*", w.number(2, 3)), "+", read())
            if type_ == STR:
                next_one = nodes.binary(held(), "+", nodes.call("len", read()))
            w.emit(nodes.assign(count.name, nodes.binary(next_one, "%", w.number(17, 50))))
        else:
            w.emit(grown)
        result = held()
        if w.chance(0.3):
            result = nodes.binary(held(), w.rng.choice("+-*"), measured(w, read))
        elif w.chance(0.3):
            result = derived(w, held, STR)
        w_inner = w.define([nodes.return_(result)], result.type)
    w.emit(w_inner)
    return result.type


def _write(w: Writer) -> Expr:
    source = listed(w)
    prepare(w)
    count = w.bind(w.number(0, 5), title=w.rng.choice(("count", "state", "running", "level_now")))
    count.carried = True
    title = w.fresh_name(w.rng.sample(("bump", "tick", "advance", "add_up", "record"), 5))
    returns = _inner(w, source, count, title)
    result = over_all(w, source, lambda make: nodes.call(title, make(), returns=returns))
    if w.chance(0.5):
        return nodes.tuple_display(result, w.read(count))
    w.read(count)
    return result


TEMPLATE = Template("ticker", (11,), _write)
