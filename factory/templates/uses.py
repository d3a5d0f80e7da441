"""Ways to use a function of the program on every element of a list."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from factory.constraints.types import INT, STR, Type, dict_of, list_of
from factory.templates import nodes
from factory.templates.conditions import split_on
from factory.templates.nodes import Expr
from factory.templates.parts import Make, derived, element, neutral, value_of
from factory.templates.writer import Variable, Writer

Call = Callable[[Make], Expr]
"""Calls the function with an expression as argument; gives a number or a string."""

_TITLES = {
    "total": ("total", "result", "balance", "outcome"),
    "text": ("line", "trail", "summary"),
    "rows": ("results", "values", "collected", "answers"),
    "best": ("best", "highest", "peak"),
    "table": ("table", "by_name", "answers"),
}


def over_all(w: Writer, source: Variable, call: Call) -> Expr:
    """Calls the function for each element of ``source`` and keeps what comes out."""
    item = element(w, source)
    read = value_of(item)
    type_ = call(read).type
    form = w.rng.choice((_comprehension, _summed, _summed, _listed, _listed, _largest, _keyed))
    if type_ == STR and form is _largest:
        form = _summed
    if item.type != STR and form is _keyed:
        form = _listed
    return form(w, source, item, call)


def _kept(w: Writer, kind: str, start: Expr) -> Variable:
    kept = w.bind(start, title=w.rng.choice(_TITLES[kind]))
    kept.carried = True
    return kept


def _comprehension(w: Writer, source: Variable, item: Variable, call: Call) -> Expr:
    rows = nodes.listcomp(call(value_of(item)), item.name, w.read(source))
    return w.read(_kept(w, "rows", rows))


def _summed(w: Writer, source: Variable, item: Variable, call: Call) -> Expr:
    type_ = call(value_of(item)).type
    total = _kept(w, "total" if type_ == INT else "text", neutral(type_))
    symbol = "-" if type_ == INT and w.chance(0.2) else "+"
    step = nodes.augment(total.name, symbol, call(value_of(item)))
    test = split_on(w, item) if w.chance(0.3) else None
    if test is None:
        body: list[Any] = [step]
    else:
        other = nodes.augment(total.name, "+", derived(w, value_of(item), type_))
        body = [nodes.if_([(test.make(), [step])], [other] if w.chance(0.5) else ())]
    w.emit(nodes.for_([item.name], w.read(source), body))
    return w.read(total)


def _listed(w: Writer, source: Variable, item: Variable, call: Call) -> Expr:
    type_ = call(value_of(item)).type
    rows = _kept(w, "rows", nodes.list_display(of=type_))
    added = nodes.evaluate(w.method(value_of(rows)(), "append", call(value_of(item))))
    order = nodes.call(w.rng.choice(("sorted", "reversed")), w.read(source))
    over = order if w.chance(0.25) else w.read(source)
    w.emit(nodes.for_([item.name], over, [added]))
    return nodes.part(w.read(rows), None, None, -1) if w.chance(0.2) else w.read(rows)


def _largest(w: Writer, source: Variable, item: Variable, call: Call) -> Expr:
    best = _kept(w, "best", w.number(0, 3))
    larger = nodes.call("max", value_of(best)(), call(value_of(item)))
    w.emit(nodes.for_([item.name], w.read(source), [nodes.assign(best.name, larger)]))
    return w.read(best)


def _keyed(w: Writer, source: Variable, item: Variable, call: Call) -> Expr:
    type_ = call(value_of(item)).type
    table = _kept(w, "table", nodes.dict_display(of=dict_of(STR, type_)))
    value = call(value_of(item))
    step = nodes.assign_item(value_of(table)(), value_of(item)(), value)
    w.emit(nodes.for_([item.name], w.read(source), [step]))
    return w.read(table)


def over_stream(w: Writer, stream: Expr, type_: Type) -> Expr:
    """Takes what a generator yields, one by one or all at once."""
    form = w.rng.randrange(6 if type_ in (INT, STR) else 2)
    if form == 0:
        return w.read(_kept(w, "rows", nodes.call("list", stream).retyped(list_of(type_))))
    value = Variable(w.fresh_name(("value", "each", "entry", "part")), type_)
    read = value_of(value)
    if form == 1 or form == 2:
        rows = _kept(w, "rows", nodes.list_display(of=type_))
        added = nodes.evaluate(w.method(value_of(rows)(), "append", read()))
        w.emit(nodes.for_([value.name], stream, [added]))
        return w.read(rows)
    if form == 3 and type_ == INT:
        return nodes.call(w.rng.choice(("sum", "sorted")), stream)
    if form == 3:
        return w.method(nodes.literal(w.rng.choice(("-", " ", "/"))), "join", stream)
    total = _kept(w, "total" if type_ == INT else "text", neutral(type_))
    if form == 4:
        w.emit(nodes.for_([value.name], stream, [nodes.augment(total.name, "+", read())]))
        return w.read(total)
    index = Variable(w.fresh_name(("index", "place", "turn")), INT)
    if type_ == INT:
        grown = nodes.binary(read(), "*", value_of(index)())
    else:
        grown = nodes.binary(nodes.call("str", value_of(index)()), "+", read())
    pairs = nodes.call("enumerate", stream, *([nodes.literal(1)] if w.chance(0.5) else []))
    body = [nodes.augment(total.name, "+", grown)]
    w.emit(nodes.for_([index.name, value.name], pairs, body))
    return w.read(total)
