"""A switch that results turn on and off, and a count of what passed while it was on."""

from __future__ import annotations

from factory.constraints.types import BOOL, INT
from factory.templates import nodes
from factory.templates.base import CONTROLLED, Template, controlled
from factory.templates.coercion import to_bool, to_int
from factory.templates.nodes import Expr
from factory.templates.writer import Variable, Writer


class _State:
    on: Variable
    count: Variable

    def open(self, w: Writer) -> None:
        title = w.rng.choice(("active", "open_now", "running", "ready"))
        self.on = w.bind(nodes.literal(w.chance(0.5)), title=title)
        self.count = w.bind(nodes.literal(0), title=w.rng.choice(("count", "passed", "points")))

    def _on(self) -> Expr:
        return nodes.name(self.on.name, BOOL)

    def absorb(self, w: Writer, expr: Expr) -> None:
        if expr.type == BOOL or w.chance(0.5):
            test = to_bool(w, expr)
            if w.chance(0.6):
                test = nodes.compare(test, "!=", self._on())
            w.emit(nodes.assign(self.on.name, test))
            w.emit(nodes.augment(self.count.name, "+", nodes.call("int", self._on())))
            return
        gain = nodes.choose(self._on(), to_int(w, expr), w.number(0, 2))
        w.emit(nodes.augment(self.count.name, "+", gain))

    def minor(self, w: Writer) -> None:
        if w.chance(0.6):
            w.emit(nodes.assign(self.on.name, nodes.negate(self._on())))
        else:
            w.emit(nodes.augment(self.count.name, w.rng.choice("+-"), w.number(1, 3)))

    def close(self, w: Writer) -> Expr:
        on, count = w.read(self.on), w.read(self.count)
        if w.chance(0.4):
            return nodes.choose(on, count, nodes.minus(nodes.name(self.count.name, INT)))
        return nodes.tuple_display(on, count)


TEMPLATE = Template("switch", CONTROLLED, lambda w: controlled(w, _State()))
