"""A list that a dictionary holds too, under one key or several."""

from __future__ import annotations

from factory.constraints.types import INT, STR, dict_of
from factory.templates import nodes
from factory.templates.base import Template
from factory.templates.nodes import Expr
from factory.templates.parts import derived, element, listed, prepare, test_of, value_of
from factory.templates.writer import Writer


def _write(w: Writer) -> Expr:
    source = listed(w)
    prepare(w)
    held = w.rng.choice((INT, STR))
    rows = w.bind(nodes.list_display(of=held), title=w.rng.choice(("rows", "common", "current")))
    rows.carried = True
    read = value_of(rows)
    keys = w.rng.sample(("old", "new", "north", "south", "in", "out", "a", "b"), 2)
    other = nodes.list_display(of=held) if w.chance(0.4) else read()
    if w.chance(0.3) and other.constant is False:
        other = nodes.part(other)
    pairs = [(nodes.literal(keys[0]), read()), (nodes.literal(keys[1]), other)]
    board = dict_of(STR, rows.type)
    table = w.bind(
        nodes.dict_display(*pairs).retyped(board), title=w.rng.choice(("book", "places"))
    )
    table.carried = True
    item = element(w, source)

    def added(key: str) -> Expr:
        slot = nodes.item(value_of(table)(), nodes.literal(key))
        return w.method(slot, "append", derived(w, value_of(item), held))

    first = nodes.evaluate(added(keys[0]))
    form = w.rng.randrange(3)
    if form == 0:
        body = [nodes.if_([(test_of(w, item).make(), [first])], [nodes.evaluate(added(keys[1]))])]
        w.emit(nodes.for_([item.name], w.read(source), body))
    elif form == 1:
        w.emit(nodes.for_([item.name], w.read(source), [first, nodes.evaluate(added(keys[1]))]))
    else:
        mine = nodes.evaluate(w.method(read(), "append", derived(w, value_of(item), held)))
        w.emit(nodes.for_([item.name], w.read(source), [first, mine]))
    if w.chance(0.5):
        last = w.number(1, 9) if held == INT else w.word()
        w.emit(nodes.evaluate(w.method(read(), "append", last)))
    if w.chance(0.5):
        return nodes.tuple_display(w.read(rows), w.read(table))
    w.read(rows)
    return w.read(table)


TEMPLATE = Template("registered", (8,), _write)
