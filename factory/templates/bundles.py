"""Fills one list after another: a list of lists."""

from __future__ import annotations

from factory.constraints.types import INT, STR, Type, list_of
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
        first = nodes.list_display(w.word() if self.element == STR else w.number(0, 9))
        start = nodes.list_display(first)
        self.rows = w.bind(start, title=w.rng.choice(("bundles", "batches", "stacks")), filled=True)

    def _rows(self) -> Expr:
        return nodes.name(self.rows.name, list_of(list_of(self.element)))

    def absorb(self, w: Writer, expr: Expr) -> None:
        value = to(w, expr, self.element)
        if w.chance(0.35):
            added = w.method(self._rows(), "append", nodes.list_display(value))
        else:
            place = nodes.literal(w.rng.choice((-1, -1, 0)))
            added = w.method(nodes.item(self._rows(), place), "append", value)
        w.emit(nodes.evaluate(added))

    def minor(self, w: Writer) -> None:
        empty = nodes.list_display(of=self.element)
        w.emit(nodes.evaluate(w.method(self._rows(), "append", empty)))

    def close(self, w: Writer) -> Expr:
        rows = w.read(self.rows)
        form = w.rng.randrange(4)
        if form == 0:
            title = w.fresh_name(("bundle", "batch", "stack"))
            size = nodes.call("len", nodes.name(title, list_of(self.element)))
            return nodes.listcomp(size, title, rows)
        if form == 1:
            last = nodes.item(self._rows(), nodes.literal(-1))
            return nodes.tuple_display(nodes.call("len", rows), last)
        return rows


TEMPLATE = Template("bundles", CONTROLLED, lambda w: controlled(w, _State()))
