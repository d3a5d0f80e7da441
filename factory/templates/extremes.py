"""Keeps the least and the greatest number seen, in one assignment."""

from __future__ import annotations

from factory.constraints.types import INT
from factory.templates import nodes
from factory.templates.base import CONTROLLED, Template, controlled
from factory.templates.coercion import to_int
from factory.templates.nodes import Expr
from factory.templates.writer import Variable, Writer

_TITLES = (("low", "high"), ("least", "most"), ("floor", "ceiling"), ("bottom", "top"))


class _State:
    ends: tuple[Variable, Variable]

    def open(self, w: Writer) -> None:
        low, high = w.rng.choice(_TITLES)
        first = w.bind(w.number(20, 60), title=low)
        self.ends = (first, w.bind(w.number(0, 3), title=high))

    def absorb(self, w: Writer, expr: Expr) -> None:
        value = w.bind(to_int(w, expr))
        names = [each.name for each in self.ends]
        kept = [
            nodes.call(pick, nodes.name(name, INT), w.read(value))
            for pick, name in zip(("min", "max"), names, strict=True)
        ]
        w.emit(nodes.assign_many(names, kept))

    def minor(self, w: Writer) -> None:
        end, symbol = w.rng.choice(((self.ends[0], "-"), (self.ends[1], "+")))
        w.emit(nodes.augment(end.name, symbol, w.number(1, 3)))

    def close(self, w: Writer) -> Expr:
        low, high = map(w.read, self.ends)
        return nodes.tuple_display(low, high) if w.chance(0.6) else nodes.binary(high, "-", low)


TEMPLATE = Template("extremes", CONTROLLED, lambda w: controlled(w, _State()))
