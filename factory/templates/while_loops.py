"""``while`` loops; what a loop counts with is emitted before it."""

from __future__ import annotations

from collections.abc import Sequence

import libcst as cst  # noqa: TID253 - factory.templates is only imported inside functions

from factory.constraints.types import INT
from factory.templates import nodes
from factory.templates.coercion import LIST_INT, LIST_STR
from factory.templates.loops import HEAVY, SHORT, USUAL, Loop, element_of, flat, pick_source
from factory.templates.nodes import Expr
from factory.templates.writer import Variable, Writer


def _countdown(w: Writer, short: bool) -> Loop:
    top = SHORT if short else w.rng.randint(5, 8)
    amount = w.get(INT, new=0.3)
    if w.chance(0.5):
        start = nodes.binary(nodes.binary(amount, "%", nodes.literal(top)), "+", nodes.literal(2))
    else:
        start = nodes.call("min", nodes.call("abs", amount), nodes.literal(top))
    title = w.fresh_name(("remaining", "left_over", "rounds", "supply", "turns", "fuel_left"))
    w.emit(nodes.assign(title, start))
    counter = Variable(title, INT, tuple(range(1, top + 1)), locked=True)
    step = 1 if short else w.rng.choice((1, 1, 2))
    return Loop(
        lambda body: nodes.while_(
            nodes.compare(nodes.name(title, INT), ">", nodes.literal(0)), body
        ),
        [counter],
        [lambda: w.emit(nodes.augment(title, "-", nodes.literal(step)))],
    )


def _halving(w: Writer, short: bool) -> Loop:
    amount = w.get(INT, new=0.3)
    start = nodes.call("min", nodes.call("abs", amount), nodes.literal(7 if short else 200))
    title = w.fresh_name(("amount_left", "pile", "stack_size", "half", "heap"))
    w.emit(nodes.assign(title, nodes.binary(start, "+", w.number(3, 6))))
    counter = Variable(title, INT, tuple(range(1, 24)), locked=True)
    divisor = w.rng.choice((2, 2, 3))
    return Loop(
        lambda body: nodes.while_(
            nodes.compare(nodes.name(title, INT), ">", nodes.literal(1)), body
        ),
        [counter],
        [lambda: w.emit(nodes.augment(title, "//", nodes.literal(divisor)))],
    )


def _indexed(w: Writer, short: bool) -> Loop:
    source = pick_source(w, LIST_STR, LIST_INT)
    values = w.samples(source)
    title = w.fresh_name(("position", "index", "cursor", "spot", "i", "j"))
    w.emit(nodes.assign(title, nodes.literal(0)))
    stride = w.rng.choice((1, 1, 1, 2)) if not short else 1
    counter = Variable(title, INT, tuple(range(0, max(map(len, values)), stride)), locked=True)
    element = element_of(w, source, source.type.args[0], flat(values))
    w.read(source)

    def bound() -> Expr:
        length = nodes.call("len", nodes.name(source.name, source.type))
        return nodes.call("min", length, nodes.literal(3)) if short else length

    def build(body: Sequence[cst.BaseStatement]) -> cst.BaseStatement:
        read = nodes.item(nodes.name(source.name, source.type), nodes.name(title, INT))
        test = nodes.compare(nodes.name(title, INT), "<", bound())
        return nodes.while_(test, [nodes.assign(element.name, read), *body])

    return Loop(
        build,
        [Variable(title, INT, counter.samples, locked=True, unread=False), element],
        [lambda: w.emit(nodes.augment(title, "+", nodes.literal(stride)))],
        locked=[source],
    )


def _emptied(w: Writer, short: bool) -> Loop:
    source = pick_source(w, LIST_STR, LIST_INT)
    values = w.samples(source)
    title = w.fresh_name(("queue", "pending", "waiting", "todo", "stack", "line_up"))
    copied = w.read(source)
    if short:
        copied = nodes.part(copied, None, nodes.literal(3))
    else:
        copied = nodes.call(w.rng.choice(("list", "list", "sorted")), copied)
    w.emit(nodes.assign(title, copied))
    element = element_of(w, source, source.type.args[0], flat(values))
    w.note(source.type, "pop")
    ends = w.chance(0.5)

    def build(body: Sequence[cst.BaseStatement]) -> cst.BaseStatement:
        queue = nodes.name(title, source.type)
        popped = nodes.method(queue, "pop", *([nodes.literal(0)] if ends else []))
        return nodes.while_(
            nodes.name(title, source.type), [nodes.assign(element.name, popped), *body]
        )

    return Loop(build, [element], locked=[source])


_WHILE_FORMS = (_countdown, _countdown, _halving, _indexed, _indexed, _emptied)


def while_loop(w: Writer) -> Loop:
    """A ``while`` header of a random form; what it counts with is emitted before it."""
    short = w.loop_weight >= HEAVY
    loop = w.rng.choice(_WHILE_FORMS)(w, short)
    loop.weight = SHORT if short else USUAL
    return loop
