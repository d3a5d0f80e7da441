"""Spends a budget that is given as an argument."""

from __future__ import annotations

from factory.constraints.types import INT
from factory.templates import nodes
from factory.templates.base import CONTROLLED, Template, controlled
from factory.templates.coercion import to_int
from factory.templates.nodes import Expr
from factory.templates.writer import Variable, Writer


class _State:
    left: Variable

    def open(self, w: Writer) -> None:
        amount = nodes.binary(w.get(INT, new=1.0), "*", w.number(3, 9))
        self.left = w.bind(amount, title=w.rng.choice(("left", "reserve", "available", "supply")))

    def absorb(self, w: Writer, expr: Expr) -> None:
        cost = to_int(w, expr)
        if w.chance(0.5):
            left = nodes.name(self.left.name, INT)
            rest = nodes.call("max", nodes.binary(left, "-", cost), w.number(0, 1))
            w.emit(nodes.assign(self.left.name, rest))
        else:
            w.emit(nodes.augment(self.left.name, "-", cost))

    def minor(self, w: Writer) -> None:
        w.emit(nodes.augment(self.left.name, w.rng.choice(("-", "+", "//")), w.number(2, 4)))

    def close(self, w: Writer) -> Expr:
        left = w.read(self.left)
        if w.chance(0.3):
            enough = nodes.compare(nodes.name(self.left.name, INT), ">", nodes.literal(0))
            return nodes.tuple_display(left, enough)
        return left


TEMPLATE = Template("spend", CONTROLLED, lambda w: controlled(w, _State()))
