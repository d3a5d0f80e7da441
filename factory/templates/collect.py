"""Appends results to a list."""

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

    def open(self, w: Writer) -> None:
        self.element = w.rng.choice((INT, STR))
        start = nodes.list_display(of=self.element)
        title = w.rng.choice(("results", "collected", "output", "found", "notes"))
        self.rows = w.bind(start, title=title)

    def absorb(self, w: Writer, expr: Expr) -> None:
        self._add(w, to(w, expr, self.element))

    def minor(self, w: Writer) -> None:
        self._add(w, w.word() if self.element == STR else w.number(0, 9))

    def _add(self, w: Writer, value: Expr) -> None:
        rows = nodes.name(self.rows.name, self.rows.type)
        w.emit(nodes.evaluate(w.method(rows, "append", value)))

    def close(self, w: Writer) -> Expr:
        rows = w.read(self.rows)
        form = w.rng.randrange(5)
        if form == 0:
            return nodes.call("sorted", rows)
        if form == 1:
            return nodes.part(rows, None, None, -1)
        if form == 2 and self.element == STR:
            return w.method(nodes.literal(w.rng.choice((", ", "-", " "))), "join", rows)
        if form == 3 and self.element == INT:
            return nodes.binary(nodes.call("sum", rows), "+", nodes.call("len", w.read(self.rows)))
        return rows


TEMPLATE = Template("collect", CONTROLLED, lambda w: controlled(w, _State()))
