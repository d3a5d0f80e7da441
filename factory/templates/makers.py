"""A function that makes functions; each keeps the number or word it was made with."""

from __future__ import annotations

from typing import Any

from factory.constraints.types import INT, STR, Type
from factory.templates import nodes
from factory.templates.base import Template
from factory.templates.loops import flat
from factory.templates.names import element_names
from factory.templates.nodes import Expr
from factory.templates.parts import (
    bounded,
    derived,
    element,
    listed,
    measured,
    neutral,
    prepare,
    test_of,
    value_of,
)
from factory.templates.writer import Variable, Writer


def _maker(w: Writer, source: Variable, title: str, result: Type) -> None:
    type_ = source.type.args[0]
    w.need("collections.abc", "Callable")
    with w.aside(title):
        factor = w.take(INT, "factor", "offset", "weight", "margin")
        inner_title = w.fresh_name(("apply", "adjust", "change", "scaled"))
        outer = value_of(factor)
        if w.chance(0.3):
            kept = w.bind(measured(w, outer), title=w.rng.choice(("twist", "shift", "extra")))
            outer = value_of(kept)
        with w.aside(inner_title, factor):
            item = w.take(type_, *element_names(source.name, w.theme, w.rng, type_))
            value = measured(w, value_of(item))
            mixed = nodes.binary(value, w.rng.choice(("+", "*", "-", "%")), outer())
            if result == STR:
                mixed = nodes.binary(derived(w, value_of(item), STR), "*", outer())
            elif w.chance(0.3):
                limit = nodes.compare(measured(w, value_of(item)), ">", outer())
                mixed = nodes.choose(limit, mixed, outer())
            inner = w.define([nodes.return_(mixed)], result)
        w.emit(inner)
        function = Type("Callable", (Type("[]", (type_,)), result))
        w.finish(Expr(nodes.name(inner_title, function).node, function))


def _write(w: Writer) -> Expr:
    source = listed(w)
    prepare(w)
    result = w.rng.choice((INT, INT, STR))
    title = w.fresh_title(f"make_{w.rng.choice(w.theme.limits)}_rule", "make_rule")
    _maker(w, source, title, result)
    most = 3 if result == STR else 6
    made = [w.number(1, 2), bounded(w, 3, most)] if most > 3 else [w.number(1, 1), w.number(2, 3)]
    titles = [w.fresh_name((each, f"{each}_rule")) for each in w.rng.choice(_PAIRS)]
    for name, amount in zip(titles, made, strict=True):
        w.emit(nodes.assign(name, nodes.call(title, amount, returns=result)))
    item = element(w, source)
    calls = [nodes.call(name, value_of(item)(), returns=result) for name in titles]
    form = w.rng.randrange(3)
    if form == 2:
        pairs = nodes.listcomp(nodes.tuple_display(*calls), item.name, w.read(source))
        kept = w.bind(pairs, title="pairs")
        kept.carried = True
        return w.read(kept)
    total = w.bind(neutral(result), title="total" if result == INT else "line")
    total.carried = True
    first, second = (nodes.augment(total.name, "+", call) for call in calls)
    body: list[Any] = [first, second]
    if form == 0:
        test = test_of(w, Variable(item.name, item.type, flat(source.samples)))
        body = [nodes.if_([(test.make(), [first])], [second])]
    w.emit(nodes.for_([item.name], w.read(source), body))
    return w.read(total)


_PAIRS = (("small", "large"), ("mild", "strong"), ("near", "far"), ("first", "second"))

TEMPLATE = Template("makers", (11,), _write)
