"""What a template is, and the parts that all of them share."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from factory.constraints.types import INT, STR
from factory.templates import nodes
from factory.templates.coercion import LIST_INT, LIST_STR, to_int, to_str
from factory.templates.expressions import express, other_method
from factory.templates.nest import State, write_nest
from factory.templates.nodes import Expr
from factory.templates.targets import call_target
from factory.templates.writer import Writer

STRAIGHT = (1, 2)
"""Levels without control statements."""
CONTROLLED = (3, 4, 5, 6)
"""Levels with one to three nested control statements."""


@dataclass(frozen=True, slots=True)
class Template:
    """A way to write the core function of a program."""

    name: str
    levels: tuple[int, ...]
    """Levels of the grid it can write."""
    write: Callable[[Writer], Expr]
    """Writes the statements of the current function and returns its result."""


def required(w: Writer) -> list[Callable[[Writer], Expr]]:
    """What the core function must hold: the target, another method, a call of its helper."""
    parts: list[Callable[[Writer], Expr]] = [call_target]
    if w.allow_methods and (not w.others or w.chance(0.15)):
        parts.append(other_method)
    if w.helper is not None:
        parts.append(Writer.call_helper)
    return parts


def ingredients(w: Writer, count: int) -> list[Expr]:
    """At least ``count`` expressions, among them everything :func:`required`."""
    if w.chance(0.2):
        w.bind(express(w, w.rng.choice((INT, STR, LIST_STR, LIST_INT)), 2))
    makers = required(w)
    while len(makers) < count:
        makers.append(lambda w: express(w, w.rng.choice((INT, INT, STR)), 2))
    w.rng.shuffle(makers)
    return [make(w) for make in makers]


def controlled(w: Writer, state: State) -> Expr:
    """The blueprint of the cell, with the required parts innermost, folded into ``state``."""

    def work() -> None:
        makers = required(w)
        w.rng.shuffle(makers)
        room = len(makers) < 3
        for make in makers:
            value = make(w)
            if room and w.chance(0.12) and value.type in (INT, STR):
                value = _detour(w, value)
            state.absorb(w, value)

    state.open(w)
    for variable in w.visible():
        variable.carried = not variable.is_parameter
    write_nest(w, state, w.blueprint, work)
    return state.close(w)


def _detour(w: Writer, value: Expr) -> Expr:
    """Keeps ``value`` in a variable first and uses it in a second expression."""
    kept = w.read(w.bind(value))
    if kept.type == INT:
        form = w.rng.randrange(3)
        if form == 0:
            return nodes.binary(kept, w.rng.choice("+-"), to_int(w, express(w, INT, 1)))
        if form == 1:
            return nodes.binary(kept, "*", w.number(2, 4))
        return nodes.choose(
            nodes.compare(kept, ">", w.number(2, 6)), nodes.name(_title(kept), INT), w.number(0, 2)
        )
    if w.chance(0.5):
        return nodes.binary(kept, "+", to_str(w, express(w, STR, 1)))
    return nodes.part(kept, None, w.number(3, 6))


def _title(expr: Expr) -> str:
    title = getattr(expr.node, "value", None)
    assert isinstance(title, str)
    return title
