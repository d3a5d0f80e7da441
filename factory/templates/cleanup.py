"""A ``finally`` that runs whether the work fails or not."""

from __future__ import annotations

from factory.constraints.types import INT, STR
from factory.templates import nodes
from factory.templates.base import Template
from factory.templates.coercion import LIST_INT, LIST_STR
from factory.templates.loops import pick_source
from factory.templates.nodes import Expr, Handler
from factory.templates.parts import element, measured, prepare, value_of
from factory.templates.writer import Writer, Written


def _careful(w: Writer) -> Written:
    amount = w.take(INT, "amount", "value", "quantity")
    log = w.take(LIST_STR, "log", "notes", "events")
    read = value_of(amount)
    divisor = nodes.binary(read(), "%", w.number(2, 3))
    whole = nodes.binary(w.number(24, 90), "//", divisor)
    note = nodes.name(log.name, LIST_STR)
    end = nodes.evaluate(w.method(note, "append", nodes.literal(w.rng.choice(("done", "end")))))
    word = w.rng.choice(("fail", "zero", "halt"))
    failed = nodes.fstring([f"{word} ", read()]) if w.chance(0.5) else nodes.literal(word)
    told = nodes.evaluate(w.method(nodes.name(log.name, LIST_STR), "append", failed))
    spare = nodes.return_(measured(w, read))
    error = w.rng.choice(("ZeroDivisionError", "ZeroDivisionError", "ArithmeticError"))
    form = w.rng.randrange(3)
    if form == 0:
        w.emit(nodes.try_([nodes.return_(whole)], [Handler(error, [spare])], (), [end]))
        return w.finish_without(INT)
    share = w.fresh_name(("share", "part", "portion"))
    nothing = nodes.assign(share, w.number(0, 3))
    kept = nodes.assign(share, whole)
    handlers = [Handler(error, [told, nothing])]
    w.emit(nodes.try_([kept], handlers, (), [end] if form == 1 else ()))
    return w.finish(nodes.name(share, INT))


def _write(w: Writer) -> Expr:
    source = pick_source(w, LIST_INT)
    prepare(w)
    with w.aside(w.fresh_title()):
        helper = _careful(w)
    log = w.bind(nodes.list_display(of=STR), title=w.rng.choice(("log", "notes", "events")))
    total = w.bind(nodes.literal(0), title=w.rng.choice(("total", "shares", "result")))
    log.carried = total.carried = True
    item = element(w, source)
    value = nodes.call(
        helper.title, nodes.name(item.name, INT), nodes.name(log.name, LIST_STR), returns=INT
    )
    w.emit(nodes.for_([item.name], w.read(source), [nodes.augment(total.name, "+", value)]))
    shown = w.read(log) if w.chance(0.5) else nodes.call("len", w.read(log))
    return nodes.tuple_display(w.read(total), shown)


TEMPLATE = Template("cleanup", (10,), _write)
