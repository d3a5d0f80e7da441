"""Keeps each result once, in a set."""

from __future__ import annotations

from factory.constraints.types import INT, STR, Type
from factory.templates import nodes
from factory.templates.base import CONTROLLED, Template, controlled
from factory.templates.coercion import to
from factory.templates.nodes import Expr
from factory.templates.writer import Variable, Writer


class _State:
    seen: Variable
    element: Type

    def open(self, w: Writer) -> None:
        self.element = w.rng.choice((INT, STR))
        value = w.word() if self.element == STR else w.number(0, 9)
        start = nodes.set_display(value)
        self.seen = w.bind(start, title=w.rng.choice(("seen", "visited", "distinct", "marked")))

    def _seen(self) -> Expr:
        return nodes.name(self.seen.name, self.seen.type)

    def absorb(self, w: Writer, expr: Expr) -> None:
        w.emit(nodes.evaluate(w.method(self._seen(), "add", to(w, expr, self.element))))

    def minor(self, w: Writer) -> None:
        value = w.word() if self.element == STR else w.number(0, 12)
        label = w.rng.choice(("add", "discard"))
        w.emit(nodes.evaluate(w.method(self._seen(), label, value)))

    def close(self, w: Writer) -> Expr:
        seen = w.read(self.seen)
        form = w.rng.randrange(4)
        if form == 0:
            return nodes.tuple_display(nodes.call("len", seen), nodes.call("max", self._seen()))
        if form == 1:
            return seen
        return nodes.call("sorted", seen)


TEMPLATE = Template("unique", CONTROLLED, lambda w: controlled(w, _State()))
