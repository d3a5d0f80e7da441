"""Writes the control-flow blueprint around a template's work, and keeps every value in use."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from factory.constraints.types import INT, STR
from factory.templates import nodes
from factory.templates.coercion import returnable
from factory.templates.conditions import narrowed, split
from factory.templates.expressions import express
from factory.templates.loops import for_loop, locking
from factory.templates.nodes import Expr
from factory.templates.while_loops import while_loop
from factory.templates.writer import Block, Unwritable, Variable, Writer


class State(Protocol):
    """What a template keeps while its control statements run."""

    def open(self, w: Writer) -> None:
        """Creates the state at the top of the function."""

    def absorb(self, w: Writer, expr: Expr) -> None:
        """Emits the statement that folds ``expr`` into the state."""

    def minor(self, w: Writer) -> None:
        """Emits a small change for a branch that does not hold the work."""

    def close(self, w: Writer) -> Expr:
        """What the function returns of the state."""


Work = Callable[[], None]
_MOST_LEFT = 2


def write_nest(w: Writer, state: State, kinds: Sequence[str], work: Work) -> None:
    """Emits the control statements ``kinds``, outermost first, with ``work`` innermost.

    Raises:
        Unwritable: a header finds nothing to test or to loop over.
    """
    if not kinds:
        work()
    elif kinds[0] in ("for", "while"):
        _write_loop(w, state, kinds, work)
    else:
        _write_branches(w, state, kinds, work)


def _write_loop(w: Writer, state: State, kinds: Sequence[str], work: Work) -> None:
    loop = for_loop(w) if kinds[0] == "for" else while_loop(w)
    outside = w.loop_weight
    w.loop_weight = outside * loop.weight
    with locking(loop), w.block(loop.variables, is_loop=True) as body:
        if len(kinds) > 1 and w.chance(0.1):
            w.bind(express(w, w.rng.choice((INT, STR)), 1))
        write_nest(w, state, kinds[1:], work)
        settle(w, state, body)
        for step in loop.steps:
            step()
    w.loop_weight = outside
    w.emit(loop.build(body.statements))


def _write_branches(w: Writer, state: State, kinds: Sequence[str], work: Work) -> None:
    test = split(w)
    if kinds[0] == "if-elif":
        return _write_chain(w, state, kinds, work)
    swap = w.chance(0.25) or _share(w, test.holds, test.subject) < 0.5
    swap = swap and w.chance(0.6) and not _branches_next(kinds)
    condition = test.make()
    with narrowed(w, test, not swap), w.block() as inner:
        write_nest(w, state, kinds[1:], work)
        settle(w, state, inner)
    other: Block | None = None
    if swap or w.chance(0.25):
        with narrowed(w, test, swap), w.block() as other:
            state.minor(w)
            settle(w, state, other)
    if swap and other is not None:
        w.emit(nodes.if_([(condition, other.statements)], inner.statements))
    else:
        w.emit(nodes.if_([(condition, inner.statements)], other.statements if other else ()))
    return None


def _branches_next(kinds: Sequence[str]) -> bool:
    """Whether a branch stands right inside: under ``else`` a person would write ``elif`` for it."""
    return kinds[1:2] in (("if",), ("if-elif",))


def _share(w: Writer, holds: Callable[[object], bool], subject: Variable) -> float:
    values = w.samples(subject)
    return sum(map(holds, values)) / max(len(values), 1)


def _write_chain(w: Writer, state: State, kinds: Sequence[str], work: Work) -> None:
    first = split(w)
    condition = first.make()
    place = w.rng.choice((0, 0, 1) if _branches_next(kinds) else (0, 0, 1, 2))

    def fill(position: int) -> Block:
        with w.block() as opened:
            if position == place:
                write_nest(w, state, kinds[1:], work)
            else:
                state.minor(w)
            settle(w, state, opened)
        return opened

    with narrowed(w, first, True):
        parts = [(condition, fill(0).statements)]
    with narrowed(w, first, False):
        second = split(w)
        other = second.make()
        with narrowed(w, second, True):
            parts.append((other, fill(1).statements))
        rest: Block | None = None
        if place == 2 or w.chance(0.3):
            with narrowed(w, second, False):
                rest = fill(2)
    w.emit(nodes.if_(parts, rest.statements if rest else ()))


def settle(w: Writer, state: State, block: Block) -> None:
    """Folds what the block made and nobody has read into the state."""
    for variable in list(block.variables):
        if variable.unread:
            state.absorb(w, w.read(variable))


def gather(w: Writer, result: Expr) -> Expr:
    """``result``, together with what is still unread at the end of the function.

    Raises:
        Unwritable: more is unread than one result can hold.
    """
    left = [each for each in w.visible() if each.unread]
    if len(left) > _MOST_LEFT:
        raise Unwritable("too many values are left unread")
    own = [result] if not left else nodes.spread(result)
    parts = [returnable(w, each) for each in (*own, *map(w.read, left))]
    if len(parts) == 1:
        return parts[0]
    if all(part.type == INT for part in parts) and w.chance(0.6):
        total = parts[0]
        for part in parts[1:]:
            total = nodes.binary(total, w.rng.choice("+-"), part)
        return total
    if all(part.type == STR for part in parts) and w.chance(0.6):
        total = parts[0]
        for part in parts[1:]:
            total = nodes.binary(total, "+", part)
        return total
    return nodes.tuple_display(*parts)
