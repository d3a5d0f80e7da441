"""Groups values under keys: ``groups.setdefault(key, []).append(value)``."""

from __future__ import annotations

from factory.constraints.types import INT, STR, Type, dict_of, list_of
from factory.templates import nodes
from factory.templates.base import CONTROLLED, Template, controlled
from factory.templates.coercion import to, to_int
from factory.templates.expressions import express
from factory.templates.nodes import Expr
from factory.templates.writer import Variable, Writer


class _State:
    groups: Variable
    element: Type

    def open(self, w: Writer) -> None:
        self.element = w.rng.choice((INT, STR))
        type_ = dict_of(INT, list_of(self.element))
        title = w.rng.choice(("groups", "buckets", "by_size", "shelves"))
        self.groups = w.bind(nodes.dict_display(of=type_), title=title)

    def _add(self, w: Writer, key: Expr, value: Expr) -> None:
        groups = nodes.name(self.groups.name, self.groups.type)
        bucket = w.method(groups, "setdefault", key, nodes.list_display(of=self.element))
        w.emit(nodes.evaluate(w.method(bucket, "append", value)))

    def absorb(self, w: Writer, expr: Expr) -> None:
        if w.chance(0.5):
            key, value = to_int(w, expr), express(w, self.element, 1)
        else:
            key, value = express(w, INT, 1), to(w, expr, self.element)
        self._add(w, nodes.binary(key, "%", w.number(2, 5)), value)

    def minor(self, w: Writer) -> None:
        value = w.word() if self.element == STR else w.number(1, 9)
        self._add(w, w.number(0, 4), value)

    def close(self, w: Writer) -> Expr:
        groups = w.read(self.groups)
        form = w.rng.randrange(3)
        if form == 0:
            return nodes.call("sorted", w.method(groups, "items"))
        if form == 1:
            empty = nodes.list_display(of=self.element)
            first = w.method(groups, "get", w.number(0, 2), empty)
            size = nodes.call("len", nodes.name(self.groups.name, self.groups.type))
            return nodes.tuple_display(first, size)
        return groups


TEMPLATE = Template("group", CONTROLLED, lambda w: controlled(w, _State()))
