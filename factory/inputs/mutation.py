"""New calls near given ones, without running the program.

Every mutant keeps the form of its seed (which arguments are given, by place or by name) and the
types of its arguments, deep inside. The program is read, never run, imported or changed.
"""

from __future__ import annotations

import hashlib
import random
import warnings
from collections.abc import Sequence
from dataclasses import dataclass

from factory.inputs.base import NoValue, is_grid
from factory.inputs.holding import another_part
from factory.inputs.limits import clamp, within
from factory.inputs.planning import Plan, invent_form, make_plans, read_forms, write_call
from factory.inputs.rendering import identity
from factory.inputs.shapes import Anything, Value, accepts, children
from factory.inputs.targets import Unusable, read_target
from factory.inputs.variation import Variation
from tracer.records import Call, Program

_PATIENCE = 80
"""Attempts in a row without a new call after which no more are expected."""
_SPLICE = 0.08
_HELD = 0.5
_ANEW = 0.1
"""Share of the calls whose arguments are all drawn anew."""
_FURTHER = 0.25
"""Share of the calls that start from one found before instead of the seed."""
_INVENTED = 4
"""Calls made from annotations alone, which then serve as seeds."""


@dataclass(frozen=True, slots=True)
class MutationResult:
    """New calls, and what could not be varied."""

    calls: tuple[Call, ...]
    """Distinct, none equal to a seed; fewer than asked for when there are no more to be found."""
    refused: str | None
    """Clauses joined by ``"; "``, each naming a parameter or a seed; ``None`` for nothing."""


def mutate(
    program: Program, seeds: Sequence[Call], count: int, seed: str, variation: Variation
) -> MutationResult:
    """Return up to ``count`` new calls; see :func:`factory.inputs.mutate_calls`."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of texts that are only read
        try:
            return _mutate(program, seeds, count, seed, variation)
        except Unusable as reason:
            return MutationResult((), str(reason))
        except RecursionError:
            return MutationResult((), "the program or its arguments are nested too deeply")


def _mutate(
    program: Program, seeds: Sequence[Call], count: int, seed: str, variation: Variation
) -> MutationResult:
    target = read_target(program)
    source = f"{seed}\0{program.entry_point}\0{program.source}\0{[s.args for s in seeds]}"
    rng = random.Random(hashlib.sha256(source.encode("utf-8", "surrogatepass")).digest())
    notes: dict[str, None] = {}
    forms = read_forms(target, seeds, notes)
    if not seeds:
        forms = [invent_form(target, rng, variation) for _ in range(_INVENTED)]
    plans = make_plans(forms, target, notes)
    calls = _search(plans, count, rng, variation, include_seeds=not seeds)
    if not calls and count > 0 and not notes:
        notes[_nothing_found(plans)] = None
    return MutationResult(calls, "; ".join(notes) or None)


def _nothing_found(plans: Sequence[Plan]) -> str:
    names = [
        plan.form.arguments[place.index].parameter.name
        for plan in plans
        for place in plan.places
        if any(isinstance(each, Anything) for each in children(place.shape))
    ]
    if names:
        return f"parameter {names[0]!r}: element type not known, it is empty in every seed"
    if not any(plan.form.arguments for plan in plans):
        return "the call has no arguments"
    return "no other arguments of these types were found"


def _search(
    plans: Sequence[Plan],
    count: int,
    rng: random.Random,
    variation: Variation,
    *,
    include_seeds: bool,
) -> tuple[Call, ...]:
    taken = set() if include_seeds else {_identity(each, each.values) for each in plans}
    calls: list[Call] = []
    useful = [each for each in plans if each.places]
    found_before: dict[int, list[tuple[Value, ...]]] = {}
    failures = turn = 0
    while useful and len(calls) < count and failures < _PATIENCE:
        plan = useful[turn % len(useful)]
        values = plan.values
        earlier = found_before.setdefault(turn % len(useful), [])
        if turn >= len(useful) or not include_seeds:
            if earlier and rng.random() < _FURTHER:
                values = rng.choice(earlier)
            values = _changed(plan, values, useful, rng, variation)
        turn += 1
        found = _identity(plan, values)
        failures += 1
        if found not in taken and _is_demanded(plan, values):
            taken.add(found)
            earlier.append(values)
            calls.append(Call(write_call(plan, values), plan.form.stdin))
            failures = 0
    return tuple(calls)


def _changed(
    plan: Plan,
    old: tuple[Value, ...],
    plans: Sequence[Plan],
    rng: random.Random,
    variation: Variation,
) -> tuple[Value, ...]:
    values = list(old)
    if rng.random() < _ANEW:
        return _anew(plan, values, rng, variation)
    if len(plans) > 1 and len(plan.places) > 1 and rng.random() < _SPLICE:
        partner = rng.choice(plans)
        if [(p.index, p.shape) for p in partner.places] == [
            (p.index, p.shape) for p in plan.places
        ]:
            place = rng.choice(plan.places)
            values[place.index] = partner.values[place.index]
    edits = rng.choice((1, 1, 1, 2, 2, 3))
    for _ in range(edits):
        place = rng.choice(plan.places)
        value = values[place.index]
        if place.holders and rng.random() < _HELD:
            varied = another_part(value, values[rng.choice(place.holders)], rng)
            varied = varied if accepts(place.shape, varied) else value
        else:
            varied = variation.vary(value, place.shape, variation.scene(rng, place.near))
        values[place.index] = clamp(varied, place.bounds)
    return tuple(values)


def _anew(
    plan: Plan, values: list[Value], rng: random.Random, variation: Variation
) -> tuple[Value, ...]:
    """Return the values with every place drawn anew; a grid stays one, and so is only varied."""
    for place in plan.places:
        scene = variation.scene(rng, place.near)
        try:
            if is_grid(values[place.index]):
                drawn = variation.vary(values[place.index], place.shape, scene)
            else:
                drawn = variation.fresh(place.shape, scene)
        except NoValue:
            continue
        values[place.index] = clamp(drawn, place.bounds)
    return tuple(values)


def _is_demanded(plan: Plan, values: tuple[Value, ...]) -> bool:
    return all(within(values[place.index], place.bounds) for place in plan.places)


def _identity(plan: Plan, values: tuple[Value, ...]) -> str:
    variable = {place.index for place in plan.places}
    parts = [
        f"{argument.keyword}={identity(value) if index in variable else argument.text}"
        for index, (argument, value) in enumerate(zip(plan.form.arguments, values, strict=True))
    ]
    return "\0".join((*parts, plan.form.stdin))
