"""Counts by key: ``counts[key] = counts.get(key, 0) + …``."""

from __future__ import annotations

from factory.constraints.types import INT, STR
from factory.templates import nodes
from factory.templates.base import CONTROLLED, Template, controlled
from factory.templates.coercion import TABLE, to_int
from factory.templates.nodes import Expr
from factory.templates.writer import Variable, Writer


class _State:
    counts: Variable

    def open(self, w: Writer) -> None:
        title = w.rng.choice(("counts", "tally", "usage", "totals"))
        self.counts = w.bind(nodes.dict_display(of=TABLE), title=title)

    def _table(self) -> Expr:
        return nodes.name(self.counts.name, TABLE)

    def _add(self, w: Writer, key: Expr, again: Expr, amount: Expr) -> None:
        known = w.method(self._table(), "get", again, nodes.literal(0))
        w.emit(nodes.assign_item(self._table(), key, nodes.binary(known, "+", amount)))

    def absorb(self, w: Writer, expr: Expr) -> None:
        if expr.type == STR and w.chance(0.6):
            key = w.bind(expr)
            self._add(w, w.read(key), w.read(key), nodes.literal(1))
            return
        holder = w.pick(STR)
        self._add(w, w.read(holder), w.read(holder), to_int(w, expr))

    def minor(self, w: Writer) -> None:
        word = w.rng.choice(("other", "rest", "skipped", w.rng.choice(w.theme.words)))
        self._add(w, nodes.literal(word), nodes.literal(word), w.number(1, 3))

    def close(self, w: Writer) -> Expr:
        counts = w.read(self.counts)
        form = w.rng.randrange(5)
        if form == 0:
            return nodes.call("sorted", w.method(counts, "items"))
        if form == 1:
            most = nodes.call("max", w.method(counts, "values"), default=nodes.literal(0))
            return nodes.tuple_display(most, nodes.call("len", self._table()))
        if form == 2:
            return nodes.call("sum", w.method(counts, "values")).retyped(INT)
        return counts


TEMPLATE = Template("tally", CONTROLLED, lambda w: controlled(w, _State()))
