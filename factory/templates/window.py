"""Keeps the last few results."""

from __future__ import annotations

from factory.constraints.types import INT, STR, Type
from factory.templates import nodes
from factory.templates.base import CONTROLLED, Template, controlled
from factory.templates.coercion import to
from factory.templates.nodes import Expr
from factory.templates.writer import Variable, Writer


class _State:
    recent: Variable
    element: Type
    size: int

    def open(self, w: Writer) -> None:
        self.element = w.rng.choice((INT, STR))
        self.size = w.rng.randint(2, 4)
        first = w.word() if self.element == STR else w.number(0, 9)
        title = w.rng.choice(("recent", "latest_few", "window", "tail"))
        self.recent = w.bind(nodes.list_display(first), title=title, filled=True)

    def _recent(self) -> Expr:
        return nodes.name(self.recent.name, self.recent.type)

    def absorb(self, w: Writer, expr: Expr) -> None:
        longer = nodes.binary(self._recent(), "+", nodes.list_display(to(w, expr, self.element)))
        kept = nodes.part(longer, nodes.literal(-self.size))
        w.emit(nodes.assign(self.recent.name, kept))

    def minor(self, w: Writer) -> None:
        if w.chance(0.5):
            w.emit(nodes.assign(self.recent.name, nodes.part(self._recent(), None, None, -1)))
        else:
            w.emit(nodes.assign(self.recent.name, nodes.part(self._recent(), nodes.literal(1))))

    def close(self, w: Writer) -> Expr:
        recent = w.read(self.recent)
        if self.element == INT and w.chance(0.4):
            return nodes.call("sum", recent)
        return nodes.call("sorted", recent) if w.chance(0.3) else recent


TEMPLATE = Template("window", CONTROLLED, lambda w: controlled(w, _State()))
