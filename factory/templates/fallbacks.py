"""Two handlers for one piece of work: each fault gives another result."""

from __future__ import annotations

from factory.constraints.types import INT
from factory.templates import nodes
from factory.templates.base import Template
from factory.templates.coercion import LIST_INT
from factory.templates.loops import pick_source
from factory.templates.nodes import Expr, Handler
from factory.templates.parts import counted, prepare, value_of
from factory.templates.writer import Writer, Written


def _risky(w: Writer, name: str) -> Written:
    items = w.take(LIST_INT, name)
    place = w.take(INT, "place", "index", "position")
    read, here = value_of(items), value_of(place)
    picked = nodes.item(read(), here())
    small = nodes.binary(here(), "%", w.number(2, 3))
    value = nodes.binary(picked, w.rng.choice(("//", "%")), small)
    handlers = [
        Handler("IndexError", [nodes.return_(nodes.minus(w.number(1, 3)))]),
        Handler("ZeroDivisionError", [nodes.return_(nodes.call("len", read()))]),
    ]
    w.rng.shuffle(handlers)
    if w.chance(0.5):
        w.emit(nodes.try_([nodes.return_(value)], handlers))
        return w.finish_without(INT)
    title = w.fresh_name(("share", "quotient", "part"))
    w.emit(nodes.try_([nodes.assign(title, value)], handlers))
    return w.finish(nodes.binary(nodes.name(title, INT), w.rng.choice("+*"), w.number(2, 4)))


def _write(w: Writer) -> Expr:
    source = pick_source(w, LIST_INT)
    prepare(w)
    with w.aside(w.fresh_title()):
        helper = _risky(w, source.name)
    index = counted(w)
    value = nodes.call(helper.title, w.read(source), nodes.name(index, INT), returns=INT)
    if w.chance(0.5):
        span = nodes.call("range", w.number(5, 7))
        kept = w.bind(nodes.listcomp(value, index, span))
        kept.carried = True
        return nodes.call("sum", w.read(kept)) if w.chance(0.5) else w.read(kept)
    total = w.bind(nodes.literal(0), title=w.rng.choice(("total", "result", "balance")))
    total.carried = True
    more = nodes.binary(nodes.call("len", w.read(source)), "+", w.number(1, 2))
    gain = nodes.augment(total.name, w.rng.choice("+-"), value)
    w.emit(nodes.for_([index], nodes.call("range", more), [gain]))
    return w.read(total)


TEMPLATE = Template("fallbacks", (10,), _write)
