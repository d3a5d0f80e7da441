"""Adds and subtracts in turn: a sign flips with every step."""

from __future__ import annotations

from factory.constraints.types import INT
from factory.templates import nodes
from factory.templates.base import CONTROLLED, Template, controlled, in_a_loop
from factory.templates.coercion import to_int
from factory.templates.nodes import Expr
from factory.templates.writer import Variable, Writer


class _State:
    total: Variable
    sign: Variable
    flips: bool = False

    def open(self, w: Writer) -> None:
        self.total = w.bind(w.number(0, 9), title=w.rng.choice(("balance", "level_sum", "drift")))
        self.sign = w.bind(nodes.literal(1), title=w.rng.choice(("sign", "direction", "turn_sign")))
        self.sign.unread = False

    def _flip(self, w: Writer) -> None:
        w.emit(nodes.assign(self.sign.name, nodes.minus(nodes.name(self.sign.name, INT))))

    def absorb(self, w: Writer, expr: Expr) -> None:
        step = nodes.binary(nodes.name(self.sign.name, INT), "*", to_int(w, expr))
        if w.chance(0.5):
            total = nodes.binary(nodes.name(self.total.name, INT), "+", step)
            flipped = nodes.minus(nodes.name(self.sign.name, INT))
            w.emit(nodes.assign_many([self.total.name, self.sign.name], [total, flipped]))
        else:
            w.emit(nodes.augment(self.total.name, "+", step))
            if not self.flips:
                self._flip(w)
                self.flips = True

    def minor(self, w: Writer) -> None:
        self._flip(w)

    def close(self, w: Writer) -> Expr:
        total = w.read(self.total)
        if w.chance(0.5) and in_a_loop(w):
            return total
        return nodes.tuple_display(total, nodes.name(self.sign.name, INT))


TEMPLATE = Template("alternate", CONTROLLED, lambda w: controlled(w, _State()))
