"""What a template is, and the parts that all of them share."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from factory.constraints.types import INT, STR
from factory.templates import nodes
from factory.templates.coercion import LIST_INT, LIST_STR, to_int, to_str, unlike
from factory.templates.expressions import express, other_method
from factory.templates.nest import State, write_nest
from factory.templates.nodes import Expr
from factory.templates.targets import call_target
from factory.templates.writer import Writer

STRAIGHT = (1, 2)
"""Levels without control statements."""
CONTROLLED = (3, 4, 5, 6)
"""Levels with one to three nested control statements."""
_WITH_ELEMENT = 0.85
"""How often what a loop gives and nothing has read goes with the work of the innermost block."""
_ADDED = 0.8
"""How often two values are added up instead of being kept one after the other."""


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
    if w.chance(0.1):
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
        values = []
        for make in makers:
            value = make(w)
            if room and w.chance(0.08) and value.type in (INT, STR):
                value = _detour(w, value)
            values.append(value)
        values += [w.read(each) for each in w.inner() if each.unread and w.chance(_WITH_ELEMENT)]
        for value in _together(w, values):
            state.absorb(w, value)

    state.open(w)
    for variable in w.visible():
        variable.carried = not variable.is_parameter
    write_nest(w, state, w.blueprint, work)
    return state.close(w)


def in_a_loop(w: Writer) -> bool:
    """Whether a loop stands around all else: what one round keeps, the next one reads."""
    return w.blueprint[0] in ("for", "while")


def _together(w: Writer, values: Sequence[Expr]) -> list[Expr]:
    """The values, some of them added up, as a person would rather than name each alone."""
    found: list[Expr] = []
    for value in values:
        last = found[-1] if found else None
        if last is None or not w.chance(_ADDED):
            found.append(value)
        elif last.type == value.type == STR:
            found[-1] = nodes.binary(last, "+", unlike(w, last, value))
        else:
            left, right = to_int(w, last), to_int(w, value)
            found[-1] = nodes.binary(left, "+", unlike(w, left, right))
    return found


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
