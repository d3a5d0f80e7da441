"""Keeps the largest number, or the longest string, seen so far."""

from __future__ import annotations

from factory.constraints.types import INT, STR, Type
from factory.templates import nodes
from factory.templates.base import CONTROLLED, Template, controlled
from factory.templates.coercion import to
from factory.templates.nodes import Expr
from factory.templates.writer import Variable, Writer


class _State:
    best: Variable
    type: Type
    pick: str

    def open(self, w: Writer) -> None:
        self.type = w.rng.choice((INT, INT, STR))
        if self.type == INT:
            self.pick = w.rng.choice(("max", "max", "min"))
            start = w.number(0, 2) if self.pick == "max" else w.number(60, 99)
            titles = ("best", "highest", "top_score") if self.pick == "max" else ("lowest", "least")
        else:
            start, titles = nodes.literal(""), ("longest", "widest", "winner")
        self.best = w.bind(start, title=w.rng.choice(titles))

    def absorb(self, w: Writer, expr: Expr) -> None:
        best = nodes.name(self.best.name, self.type)
        value = to(w, expr, self.type)
        if self.type == INT:
            w.emit(nodes.assign(self.best.name, nodes.call(self.pick, best, value)))
            return
        rival = w.bind(value)
        longer = nodes.compare(nodes.call("len", w.read(rival)), ">", nodes.call("len", best))
        kept = nodes.choose(longer, w.read(rival), nodes.name(self.best.name, STR))
        w.emit(nodes.assign(self.best.name, kept))

    def minor(self, w: Writer) -> None:
        if self.type == INT:
            w.emit(nodes.augment(self.best.name, w.rng.choice("+-"), w.number(1, 2)))
        else:
            w.emit(nodes.augment(self.best.name, "+", nodes.literal(w.rng.choice("!?.*"))))

    def close(self, w: Writer) -> Expr:
        return w.read(self.best)


TEMPLATE = Template("best", CONTROLLED, lambda w: controlled(w, _State()))
