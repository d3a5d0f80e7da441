"""Compares each number with the one before it."""

from __future__ import annotations

from libcst import Name  # noqa: TID253 - factory.templates is only imported inside functions

from factory.constraints.types import INT
from factory.templates import nodes
from factory.templates.base import CONTROLLED, Template, controlled, in_a_loop
from factory.templates.coercion import to_int
from factory.templates.nodes import Expr
from factory.templates.writer import Variable, Writer


class _State:
    total: Variable
    previous: Variable

    def open(self, w: Writer) -> None:
        self.previous = w.bind(w.number(0, 5), title=w.rng.choice(("previous", "last", "before")))
        self.total = w.bind(nodes.literal(0), title=w.rng.choice(("change", "travel", "rise")))

    def absorb(self, w: Writer, expr: Expr) -> None:
        number = to_int(w, expr)
        title = (
            None if isinstance(number.node, Name) else w.rng.choice(("current", "latest", "now"))
        )
        current = w.bind(number, title=title)
        step = nodes.binary(w.read(current), "-", w.read(self.previous))
        if w.chance(0.6):
            step = (
                nodes.call("abs", step)
                if w.chance(0.7)
                else nodes.call("max", step, w.number(0, 2))
            )
        w.emit(nodes.augment(self.total.name, "+", step))
        w.emit(nodes.assign(self.previous.name, nodes.name(current.name, INT)))

    def minor(self, w: Writer) -> None:
        w.emit(nodes.augment(self.previous.name, "+", w.number(1, 3)))

    def close(self, w: Writer) -> Expr:
        total = w.read(self.total)
        if w.chance(0.5) and in_a_loop(w):
            return total
        return nodes.tuple_display(total, w.read(self.previous))


TEMPLATE = Template("history", CONTROLLED, lambda w: controlled(w, _State()))
