"""What the nests written by hand share."""

from __future__ import annotations

from collections.abc import Callable

from factory.constraints.types import Type
from factory.templates import nodes
from factory.templates.coercion import TABLE
from factory.templates.nodes import Expr
from factory.templates.writer import Variable, Writer

Builder = Callable[[Writer, int], Expr]
"""Emits what a nest of the given depth needs, and returns an expression that reads its result."""


def own_table(w: Writer) -> Variable:
    """A dictionary that the function owns; made at its top if there is none."""
    found = w.owned(TABLE)
    if found is not None:
        return found
    with w.hoisted():
        if w.chance(0.5):
            return w.bind(nodes.call("dict", w.get(TABLE)), owned=True)
        first = (w.word(), w.number(1, 19))
        second = (w.get(TABLE.args[0]), w.number(1, 19))
        return w.bind(nodes.dict_display(first, second), owned=True)


def filled_tuple(w: Writer, type_: Type) -> Variable:
    """A tuple of numbers with at least two elements, whatever the arguments are."""
    found = w.owned(type_, filled=True)
    if found is not None and w.in_loop:
        return found
    one, two = w.rng.sample(range(1, 20), 2)
    with w.hoisted():
        more = nodes.tuple_display(nodes.literal(one), nodes.literal(two))
        value = nodes.binary(w.get(type_), "+", more).retyped(type_)
        return w.bind(value, owned=True, filled=True)
