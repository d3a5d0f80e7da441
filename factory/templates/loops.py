"""Loop headers over the variables in scope; every loop ends for every input of its types."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import Any

import libcst as cst  # noqa: TID253 - factory.templates is only imported inside functions

from factory.constraints.types import INT, STR, Type
from factory.templates import nodes
from factory.templates.coercion import (
    LIST_INT,
    LIST_STR,
    OWNERS,
    SET_STR,
    TABLE,
    TUPLE_INT,
    TUPLE_STR,
)
from factory.templates.names import element_names
from factory.templates.nodes import Expr
from factory.templates.writer import Unwritable, Variable, Writer

HEAVY = 12
"""Iterations around, by estimate, from which a further loop must be short."""
SHORT = 3
USUAL = 4


@dataclass(slots=True)
class Loop:
    """A loop header, the variables its body sees, and what its body must end with."""

    build: Callable[[Sequence[cst.BaseStatement]], cst.BaseStatement]
    variables: list[Variable]
    steps: list[Callable[[], None]] = field(default_factory=list)
    """Emit the statements that make a ``while`` loop end; called at the end of its body."""
    locked: list[Variable] = field(default_factory=list)
    weight: int = USUAL


def flat(values: Sequence[Any]) -> tuple[Any, ...]:
    """Elements of all values, in order."""
    return tuple(item for value in values for item in value)


def element_of(w: Writer, source: Variable, type_: Type, samples: tuple[Any, ...]) -> Variable:
    """The variable of a loop over ``source``."""
    title = w.fresh_name(element_names(source.name, w.theme, w.rng, type_))
    return Variable(title, type_, samples)


def counter(w: Writer, samples: tuple[Any, ...]) -> Variable:
    """A variable that counts."""
    title = w.fresh_name(("index", "position", "place", "i", "j", "k", "turn", "slot"))
    return Variable(title, INT, samples)


def _for(targets: Sequence[str], source: Expr) -> Callable[..., cst.BaseStatement]:
    return lambda body: nodes.for_(targets, source, body)


def pick_source(w: Writer, *types: Type) -> Variable:
    """A container to loop over; one whose elements are known, if there is one."""
    known = [
        each for each in w.visible() if each.type in types and not each.locked and w.samples(each)
    ]
    if known and w.chance(0.75):
        return w.rng.choice(known)
    if w.can_add_parameter():
        return w.parameter(w.rng.choice(types))
    if known:
        return w.rng.choice(known)
    raise Unwritable("nothing to loop over")


def _elements(w: Writer, short: bool) -> Loop:
    source = pick_source(w, LIST_STR, LIST_INT, LIST_STR, LIST_INT, TUPLE_INT, TUPLE_STR)
    values = w.samples(source)
    expr = w.read(source)
    form = w.rng.randrange(6)
    if short:
        expr, values = nodes.part(expr, None, w.number(2, 3)), tuple(v[:3] for v in values)
    elif form == 0:
        expr = nodes.call("sorted", expr)
    elif form == 1:
        expr = nodes.call("reversed", expr)
    elif form == 2 and source.type.name == "list":
        expr = nodes.binary(expr, "+", nodes.list_display(_constant(w, source.type.args[0])))
    variable = element_of(w, source, source.type.args[0], flat(values))
    return Loop(_for([variable.name], expr), [variable], locked=[source])


def _constant(w: Writer, type_: Type) -> Expr:
    return w.word() if type_ == STR else w.number(1, 20)


def _numbered(w: Writer, short: bool) -> Loop:
    source = pick_source(w, LIST_STR, LIST_INT)
    values = w.samples(source)
    expr = w.read(source)
    if short:
        expr, values = nodes.part(expr, None, nodes.literal(3)), tuple(v[:3] for v in values)
    start = w.rng.randint(0, 1)
    index = counter(w, tuple(range(start, start + max(map(len, values)))))
    variable = element_of(w, source, source.type.args[0], flat(values))
    first = [nodes.literal(1)] if start else []
    pairs = nodes.call("enumerate", expr, *first)
    return Loop(_for([index.name, variable.name], pairs), [index, variable], locked=[source])


def _counted(w: Writer, short: bool) -> Loop:
    if short or w.chance(0.2):
        top = w.rng.randint(2, 3)
        index = counter(w, tuple(range(top)))
        return Loop(_for([index.name], nodes.call("range", nodes.literal(top))), [index])
    if w.chance(0.5):
        source = pick_source(w, LIST_STR, LIST_INT, STR)
        most = min(max(map(len, w.samples(source))), 8)
        span = nodes.call("len", w.read(source))
        if source.type == STR:
            span = nodes.call("min", span, nodes.literal(8))
        index = counter(w, tuple(range(most)))
        return Loop(_for([index.name], nodes.call("range", span)), [index], locked=[source])
    limit = w.get(INT)
    top = w.rng.randint(4, 6)
    if w.chance(0.5):
        span, first = (
            nodes.binary(nodes.binary(limit, "%", nodes.literal(top)), "+", nodes.literal(2)),
            0,
        )
        source_range = nodes.call("range", span)
    else:
        first = 1
        source_range = nodes.call(
            "range", nodes.literal(1), nodes.call("min", limit, nodes.literal(top + 1))
        )
    index = counter(w, tuple(range(first, top)))
    return Loop(_for([index.name], source_range), [index])


def _letters(w: Writer, short: bool) -> Loop:
    source = pick_source(w, STR)
    expr = nodes.part(w.read(source), None, w.number(2, 3) if short else w.number(4, 8))
    samples = tuple(letter for text in w.samples(source) for letter in text[:6])
    title = w.fresh_name(("letter", "char", "symbol", "sign"))
    return Loop(_for([title], expr), [Variable(title, STR, samples)], locked=[source])


def _entries(w: Writer, short: bool) -> Loop:
    source = pick_source(w, TABLE, TABLE, OWNERS)
    values = w.samples(source)
    key = Variable(w.fresh_name((w.theme.noun, "name", "key", "word")), STR, flat(values))
    table = w.read(source)
    if w.chance(0.25):
        keys = nodes.call("sorted", table)
        if short:
            keys = nodes.part(keys, None, nodes.literal(3))
        return Loop(_for([key.name], keys), [key], locked=[source])
    title = w.fresh_name(element_names(source.name, w.theme, w.rng, source.type.args[1])[1:])
    value = Variable(title, source.type.args[1], tuple(v for each in values for v in each.values()))
    pairs = w.method(table, "items")
    if short or w.chance(0.4):
        pairs = nodes.call("sorted", pairs)
    if short:
        pairs = nodes.part(pairs, None, nodes.literal(3))
    return Loop(_for([key.name, value.name], pairs), [key, value], locked=[source])


def _zipped(w: Writer, short: bool) -> Loop:
    left = pick_source(w, LIST_STR, LIST_INT)
    if w.chance(0.4) or not w.can_add_parameter():
        right, expr = left, nodes.part(nodes.name(left.name, left.type), nodes.literal(1))
    else:
        right = w.parameter(w.rng.choice((LIST_STR, LIST_INT)))
        expr = w.read(right)
    one = element_of(w, left, left.type.args[0], flat(w.samples(left)))
    two = element_of(w, right, right.type.args[0], flat(w.samples(right)))
    first = w.read(left)
    if short:
        first = nodes.part(first, None, nodes.literal(3))
    pairs = nodes.call("zip", first, expr)
    return Loop(_for([one.name, two.name], pairs), [one, two], locked=[left, right])


def _members(w: Writer, short: bool) -> Loop:
    source = pick_source(w, SET_STR)
    expr = nodes.call("sorted", w.read(source))
    if short:
        expr = nodes.part(expr, None, nodes.literal(3))
    variable = element_of(w, source, STR, flat([sorted(each) for each in w.samples(source)]))
    return Loop(_for([variable.name], expr), [variable], locked=[source])


_FOR_FORMS = (
    _elements,
    _elements,
    _elements,
    _numbered,
    _counted,
    _letters,
    _entries,
    _zipped,
    _members,
)


def for_loop(w: Writer) -> Loop:
    """A ``for`` header of a random form."""
    short = w.loop_weight >= HEAVY
    loop = w.rng.choice(_FOR_FORMS)(w, short)
    loop.weight = SHORT if short else USUAL
    return loop


def locking(loop: Loop) -> ExitStack:
    """While the returned context is open, what the loop iterates over must not be changed."""
    stack = ExitStack()
    for variable in loop.locked:
        before = variable.locked
        variable.locked = True
        stack.callback(setattr, variable, "locked", before)
    return stack
