"""Adds numbers up: ``total += …``."""

from __future__ import annotations

from factory.constraints.types import INT
from factory.templates import nodes
from factory.templates.base import CONTROLLED, Template, controlled
from factory.templates.coercion import to_int
from factory.templates.expressions import express
from factory.templates.nodes import Expr
from factory.templates.writer import Variable, Writer


class _State:
    total: Variable

    def open(self, w: Writer) -> None:
        start = w.number(0, 3) if w.chance(0.7) else express(w, INT, 1)
        self.total = w.bind(start, title=w.rng.choice(("total", "result", "score", "balance")))

    def absorb(self, w: Writer, expr: Expr) -> None:
        symbol = w.rng.choice(("+", "+", "-"))
        w.emit(nodes.augment(self.total.name, symbol, to_int(w, expr)))

    def minor(self, w: Writer) -> None:
        w.emit(nodes.augment(self.total.name, w.rng.choice("+-"), w.number(1, 5)))

    def close(self, w: Writer) -> Expr:
        total = w.read(self.total)
        if w.chance(0.2):
            return nodes.binary(total, "%", w.number(50, 200))
        return total


TEMPLATE = Template("accumulate", CONTROLLED, lambda w: controlled(w, _State()))
