"""A function that calls itself twice: with the head of the list taken, and with it left."""

from __future__ import annotations

from factory.constraints.types import INT
from factory.templates import nodes
from factory.templates.base import Template
from factory.templates.coercion import LIST_INT
from factory.templates.loops import pick_source
from factory.templates.nodes import Expr
from factory.templates.parts import bounded, prepare, value_of
from factory.templates.writer import Variable, Writer, Written


def _recursive(w: Writer, source: Variable) -> Written:
    items = w.take(LIST_INT, source.name)
    left = w.take(INT, "left", "room", "budget", "space")
    read, room = value_of(items), value_of(left)
    counting = w.chance(0.5)
    end: Expr = nodes.literal(0)
    if counting:
        end = nodes.call("int", nodes.compare(room(), w.rng.choice((">", ">=")), nodes.literal(0)))
    w.emit(nodes.if_([(nodes.negate(read()), [nodes.return_(end)])]))
    first = nodes.item(read(), nodes.literal(0))
    head = w.bind(first, title=w.rng.choice(("first", "head", "cost")))
    here = value_of(head)

    def again(rest_room: Expr) -> Expr:
        rest = nodes.part(read(), nodes.literal(1))
        return nodes.call(w.frame.title, rest, rest_room, returns=INT)

    skipped = w.fresh_name(("skipped", "without", "left_out"))
    w.emit(nodes.assign(skipped, again(room())))
    smaller = nodes.binary(room(), "-", here())
    if counting:
        return w.finish(nodes.binary(nodes.name(skipped, INT), "+", again(smaller)))
    w.emit(
        nodes.if_([(nodes.compare(here(), ">", room()), [nodes.return_(nodes.name(skipped, INT))])])
    )
    worth = nodes.binary(here(), "+", again(smaller))
    return w.finish(nodes.call("max", nodes.name(skipped, INT), worth))


def _write(w: Writer) -> Expr:
    source = pick_source(w, LIST_INT)
    prepare(w)
    with w.aside(w.fresh_title()):
        helper = _recursive(w, source)
    few = nodes.part(w.read(source), None, w.number(3, 4))
    return nodes.call(helper.title, few, bounded(w, 9, 20), returns=INT)


TEMPLATE = Template("choices", (9,), _write)
