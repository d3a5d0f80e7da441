"""Maps each key to the last result that belongs to it."""

from __future__ import annotations

from factory.constraints.types import INT, STR, Type, dict_of
from factory.templates import nodes
from factory.templates.base import CONTROLLED, Template, controlled
from factory.templates.coercion import to
from factory.templates.nodes import Expr
from factory.templates.writer import Variable, Writer


class _State:
    table: Variable
    value: Type
    used: list[str]

    def open(self, w: Writer) -> None:
        self.value = w.rng.choice((INT, STR))
        self.used = []
        start = nodes.dict_display(of=dict_of(STR, self.value))
        title = w.rng.choice(("lookup", f"{w.theme.noun}_index", "catalog_map", "labels"))
        self.table = w.bind(start, title=title)

    def _set(self, w: Writer, key: Expr, value: Expr) -> None:
        table = nodes.name(self.table.name, self.table.type)
        w.emit(nodes.assign_item(table, key, value))

    def absorb(self, w: Writer, expr: Expr) -> None:
        holder = w.pick(STR)
        key = w.read(holder)
        if holder.name in self.used:
            key = nodes.binary(key, "+", nodes.literal(w.rng.choice(("_next", "_more", "*"))))
        elif w.chance(0.3):
            key = nodes.binary(key, "+", nodes.call("str", w.get(INT)))
        self.used.append(holder.name)
        self._set(w, key, to(w, expr, self.value))

    def minor(self, w: Writer) -> None:
        value = w.word() if self.value == STR else w.number(0, 9)
        self._set(w, w.word(), value)

    def close(self, w: Writer) -> Expr:
        table = w.read(self.table)
        form = w.rng.randrange(4)
        if form == 0:
            return nodes.call("sorted", w.method(table, "items"))
        if form == 1:
            return nodes.call("list", w.method(table, "values"))
        return table


TEMPLATE = Template("lookup", CONTROLLED, lambda w: controlled(w, _State()))
