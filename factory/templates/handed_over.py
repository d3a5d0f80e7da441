"""A helper that changes the list or dictionary it is given; the caller sees it."""

from __future__ import annotations

from typing import Any

from factory.constraints.types import INT, NONE, STR, Type
from factory.templates import nodes
from factory.templates.base import Template
from factory.templates.coercion import LIST_INT, LIST_STR, TABLE
from factory.templates.nodes import Expr
from factory.templates.parts import derived, element, listed, prepare, test_of, value_of
from factory.templates.writer import Variable, Writer


def _changes(w: Writer, store: Variable, item: Variable) -> list[Any]:
    read = value_of(store)
    if store.type == TABLE:
        key = value_of(item)() if item.type == STR else nodes.call("str", value_of(item)())
        again = value_of(item)() if item.type == STR else nodes.call("str", value_of(item)())
        known = w.method(read(), "get", again, w.number(0, 2))
        return [nodes.assign_item(read(), key, nodes.binary(known, "+", w.number(1, 5)))]
    held = store.type.args[0]
    added = nodes.evaluate(w.method(read(), "append", derived(w, value_of(item), held)))
    form = w.rng.randrange(3)
    if form == 0:
        return [added]
    if form == 1:
        most = nodes.compare(nodes.call("len", read()), ">", w.number(2, 3))
        first = nodes.evaluate(w.method(read(), "pop", nodes.literal(0)))
        return [added, nodes.if_([(most, [first])])]
    front = (nodes.literal(0), derived(w, value_of(item), held))
    lead = nodes.evaluate(w.method(read(), "insert", *front))
    return [nodes.if_([(test_of(w, item).make(), [added])], [lead])]


def _helper(
    w: Writer, source: Variable, kind: Type, title: str, returns: bool, loops: bool
) -> None:
    with w.aside(title):
        label = w.rng.choice(w.theme.tables) if kind == TABLE else "store"
        store = w.take(kind, label, "store", "target")
        if loops:
            items = w.take(source.type, source.name)
            item = element(w, items, source)
            w.emit(nodes.for_([item.name], value_of(items)(), _changes(w, store, item)))
        else:
            type_ = source.type.args[0]
            known = element(w, source)
            item = Variable(known.name, type_, known.samples, is_parameter=False)
            w.frame.blocks[0].variables.append(Variable(known.name, type_, is_parameter=True))
            for statement in _changes(w, store, item):
                w.emit(statement)
        if returns:
            w.finish(nodes.call("len", value_of(store)()))
        else:
            w.definitions.append(w.define([], NONE))


def _write(w: Writer) -> Expr:
    source = listed(w)
    prepare(w)
    kind = w.rng.choice((LIST_INT, LIST_STR, TABLE))
    title = w.fresh_title()
    returns, loops = w.chance(0.5), w.chance(0.5)
    _helper(w, source, kind, title, returns, loops)
    start = nodes.dict_display(of=kind) if kind == TABLE else nodes.list_display(of=kind.args[0])
    store = w.bind(start, title=w.rng.choice(("shared", "collected", "ledger_now", "pool_now")))
    store.carried = True
    if loops:
        call = nodes.call(title, value_of(store)(), w.read(source), returns=INT)
        if not returns:
            w.emit(nodes.evaluate(call))
            again = nodes.part(w.read(source), None, w.number(1, 2))
            w.emit(nodes.evaluate(nodes.call(title, value_of(store)(), again, returns=NONE)))
            return w.read(store)
        size = w.bind(call)
        return nodes.tuple_display(w.read(store), w.read(size))
    item = element(w, source)
    call = nodes.call(title, value_of(store)(), value_of(item)(), returns=INT)
    if returns and w.chance(0.6):
        rows = w.bind(nodes.listcomp(call, item.name, w.read(source)), title="sizes")
        rows.carried = True
        return nodes.tuple_display(w.read(rows), w.read(store))
    w.emit(nodes.for_([item.name], w.read(source), [nodes.evaluate(call)]))
    return w.read(store)


TEMPLATE = Template("handed_over", (8,), _write)
