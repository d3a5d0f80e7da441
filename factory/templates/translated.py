"""A built-in exception is caught and raised again as another one, which the caller handles."""

from __future__ import annotations

from factory.constraints.types import INT, STR, Type
from factory.templates import nodes
from factory.templates.base import Template
from factory.templates.coercion import TABLE
from factory.templates.loops import flat
from factory.templates.nodes import Expr, Handler
from factory.templates.parts import prepare, value_of
from factory.templates.writer import Unwritable, Variable, Writer, Written

_OUTER = ("ValueError", "RuntimeError", "LookupError")


def _looking(w: Writer, table: Variable, outer: str) -> Written:
    held = w.take(TABLE, table.name)
    name = w.take(STR, w.theme.noun, "name", "word")
    read = value_of(name)
    found = nodes.item(value_of(held)(), read())
    error = w.fresh_name(("error", "problem"))
    said = nodes.fstring([w.rng.choice(("no ", "unknown ", "missing ")), read()])
    titled: str | None = None
    caught = outer
    if w.chance(0.3):
        again, caught = [nodes.raise_()], "KeyError"
    else:
        titled = error if w.chance(0.7) else None
        again = [nodes.raise_(nodes.call(outer, said, returns=Type(outer)), titled)]
    scale = w.rng.choice((None, 2, 3))
    if w.chance(0.5):
        amount = w.fresh_name(("amount", "worth", "entry"))
        w.emit(nodes.try_([nodes.assign(amount, found)], [Handler("KeyError", again, titled)]))
        result = nodes.name(amount, INT)
        w.finish(nodes.binary(result, "*", nodes.literal(scale)) if scale else result)
    else:
        value = nodes.binary(found, "+", w.number(1, 9)) if scale else found
        w.emit(nodes.try_([nodes.return_(value)], [Handler("KeyError", again, titled)]))
        w.finish_without(INT)
    return Written(w.frame.title, (held, name), Type(caught))


def _write(w: Writer) -> Expr:
    table = w.parameter(TABLE)
    prepare(w)
    outer = w.rng.choice(_OUTER)
    with w.aside(w.fresh_title()):
        helper = _looking(w, table, outer)
    keys = sorted(set(flat([list(each) for each in table.samples])))
    if len(keys) < 3:
        raise Unwritable("too few keys")
    asked = [nodes.literal(word) for word in w.rng.sample(keys, w.rng.randint(2, 3))]
    found = w.bind(nodes.list_display(of=INT), title=w.rng.choice(("found", "amounts", "results")))
    found.carried = True
    item = w.fresh_name((w.theme.noun, "name", "word", "asked"))
    value = nodes.call(helper.title, w.read(table), nodes.name(item, STR), returns=INT)
    row = nodes.name(found.name, found.type)
    kept = nodes.evaluate(w.method(row, "append", value))
    spare = w.number(-1, 0)
    other = nodes.evaluate(w.method(nodes.name(found.name, found.type), "append", spare))
    handler = Handler(helper.returns.name, [other])
    w.emit(nodes.for_([item], nodes.tuple_display(*asked), [nodes.try_([kept], [handler])]))
    result = w.read(found)
    form = w.rng.randrange(3)
    if form == 0:
        return nodes.call("sum", result)
    return nodes.call("sorted", result) if form == 1 else result


TEMPLATE = Template("translated", (10,), _write)
