"""Keeps two numbers side by side and returns both."""

from __future__ import annotations

from factory.templates import nodes
from factory.templates.base import CONTROLLED, Template, controlled
from factory.templates.coercion import to_int
from factory.templates.nodes import Expr
from factory.templates.writer import Variable, Writer

_TITLES = (("gains", "losses"), ("high", "low"), ("even_sum", "odd_sum"), ("kept_sum", "dropped"))


class _State:
    counters: tuple[Variable, Variable]
    turn: int = 0

    def open(self, w: Writer) -> None:
        left, right = w.rng.choice(_TITLES)
        first = w.bind(w.number(0, 2), title=left)
        self.counters = (first, w.bind(w.number(0, 2), title=right))

    def absorb(self, w: Writer, expr: Expr) -> None:
        counter = self.counters[self.turn % 2]
        self.turn += 1
        value = to_int(w, expr)
        if w.chance(0.3):
            value = nodes.binary(value, "%", w.number(5, 12))
        w.emit(nodes.augment(counter.name, "+", value))

    def minor(self, w: Writer) -> None:
        w.emit(nodes.augment(self.counters[1].name, w.rng.choice("+-"), w.number(1, 4)))

    def close(self, w: Writer) -> Expr:
        first, second = map(w.read, self.counters)
        form = w.rng.randrange(4)
        if form == 0:
            return nodes.binary(first, "-", second)
        if form == 1:
            return nodes.call("max", first, second)
        return nodes.tuple_display(first, second)


TEMPLATE = Template("two_counters", CONTROLLED, lambda w: controlled(w, _State()))
