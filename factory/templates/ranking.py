"""Keeps the few largest or smallest results in order."""

from __future__ import annotations

from factory.constraints.types import INT, STR, Type
from factory.templates import nodes
from factory.templates.base import CONTROLLED, Template, controlled
from factory.templates.coercion import to
from factory.templates.nodes import Expr
from factory.templates.writer import Variable, Writer


class _State:
    rows: Variable
    element: Type
    size: int

    def open(self, w: Writer) -> None:
        self.element = w.rng.choice((INT, INT, STR))
        self.size = w.rng.randint(2, 4)
        start = nodes.list_display(of=self.element)
        self.rows = w.bind(start, title=w.rng.choice(("ranking", "podium", "leaders")))

    def absorb(self, w: Writer, expr: Expr) -> None:
        rows = nodes.name(self.rows.name, self.rows.type)
        more = nodes.binary(rows, "+", nodes.list_display(to(w, expr, self.element)))
        start = nodes.literal(-self.size) if w.chance(0.5) else None
        stop = nodes.literal(self.size) if start is None else None
        kept = nodes.part(nodes.call("sorted", more), start, stop)
        w.emit(nodes.assign(self.rows.name, kept))

    def minor(self, w: Writer) -> None:
        rows = nodes.name(self.rows.name, self.rows.type)
        w.emit(nodes.assign(self.rows.name, nodes.part(rows, nodes.literal(1))))

    def close(self, w: Writer) -> Expr:
        rows = w.read(self.rows)
        if self.element == INT and w.chance(0.3):
            return nodes.call("sum", rows)
        return nodes.part(rows, None, None, -1) if w.chance(0.3) else rows


TEMPLATE = Template("ranking", CONTROLLED, lambda w: controlled(w, _State()))
