"""Looks words up in a table; those that are not there are noted."""

from __future__ import annotations

from typing import Any

from factory.constraints.types import INT, STR, dict_of
from factory.templates import nodes
from factory.templates.base import Template
from factory.templates.coercion import LIST_STR
from factory.templates.loops import flat
from factory.templates.nodes import Expr, Handler
from factory.templates.parts import element, prepare, value_of, worded
from factory.templates.writer import Unwritable, Variable, Writer


def _table(w: Writer, source: Variable) -> Variable:
    """A table with some of the words that the calls bring, and not all."""
    words = sorted(set(flat(source.samples)))
    if len(words) < 4:
        raise Unwritable("too few words to miss some")
    known = w.rng.sample(words, len(words) // 2)
    pairs = [(nodes.literal(word), w.number(1, 20)) for word in known]
    table = w.bind(nodes.dict_display(*pairs), title=w.rng.choice(w.theme.tables))
    table.carried = True
    return table


def _write(w: Writer) -> Expr:
    source = w.parameter(LIST_STR)
    prepare(w)
    table = _table(w, source)
    total = w.bind(nodes.literal(0), title=w.rng.choice(("total", "found", "score")))
    counting = w.chance(0.5)
    start = nodes.literal(0) if counting else nodes.list_display(of=STR)
    missing = w.bind(start, title=w.rng.choice(("missing", "unknown", "absent")))
    total.carried = missing.carried = True
    item = element(w, source)
    read = value_of(item)
    found = nodes.item(nodes.name(table.name, dict_of(STR, INT)), read())
    note = nodes.name(missing.name, missing.type)
    if counting:
        noted = nodes.augment(missing.name, "+", nodes.literal(1))
    else:
        shown = read() if w.chance(0.5) else worded(w, read)
        noted = nodes.evaluate(w.method(note, "append", shown))
    handler = Handler("KeyError", [noted])
    form = w.rng.randrange(4)
    if form == 0:
        body: list[Any] = [nodes.try_([nodes.augment(total.name, "+", found)], [handler])]
    elif form == 1:
        price = w.fresh_name(("price", "worth", "entry"))
        gain = nodes.augment(total.name, "+", nodes.name(price, INT))
        body = [nodes.try_([nodes.assign(price, found)], [handler], [gain])]
    elif form == 2:
        price = w.fresh_name(("price", "worth", "entry"))
        spare = Handler("KeyError", [noted, nodes.assign(price, w.number(0, 2))])
        gain = nodes.augment(total.name, "+", nodes.name(price, INT))
        body = [nodes.try_([nodes.assign(price, found)], [spare]), gain]
    else:
        seen = nodes.augment(total.name, "-", nodes.literal(1))
        body = [nodes.try_([nodes.augment(total.name, "+", found)], [handler], (), [seen])]
    w.emit(nodes.for_([item.name], w.read(source), body))
    w.read(table)
    return nodes.tuple_display(w.read(total), w.read(missing))


TEMPLATE = Template("missing", (10,), _write)
