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

from factory.inputs.annotations import unsupported_name
from factory.inputs.base import Near, NoValue
from factory.inputs.closing import close
from factory.inputs.fitting import fill, resolve_call
from factory.inputs.holding import another_part, holders
from factory.inputs.limits import Bound, clamp, within
from factory.inputs.rendering import identity, render
from factory.inputs.shapes import Anything, Shape, Value, accepts, children
from factory.inputs.targets import (
    Argument,
    Form,
    Parameter,
    Target,
    Unusable,
    read_form,
    read_target,
    why_kept,
)
from factory.inputs.variation import Variation, look_around
from tracer.records import Call, Program

_PATIENCE = 80
"""Attempts in a row without a new call after which no more are expected."""
_SPLICE = 0.08
_HELD = 0.5
_INVENTED = 4
"""Calls made from annotations alone, which then serve as seeds."""
_REST = 2
"""Values made for ``*args`` when nothing else is required."""


@dataclass(frozen=True, slots=True)
class MutationResult:
    """New calls, and what could not be varied."""

    calls: tuple[Call, ...]
    """Distinct, none equal to a seed; fewer than asked for when there are no more to be found."""
    refused: str | None
    """Clauses joined by ``"; "``, each naming a parameter or a seed; ``None`` for nothing."""


@dataclass(frozen=True, slots=True)
class Place:
    """A variable argument of a seed: its shape, surroundings and demands."""

    index: int
    shape: Shape
    near: Near
    bounds: tuple[Bound, ...]
    holders: tuple[int, ...]
    """Arguments that hold this one: the list it is looked up in, the text it is found in."""


@dataclass(frozen=True, slots=True)
class Plan:
    """A seed with its variable places."""

    form: Form
    values: tuple[Value, ...]
    places: tuple[Place, ...]


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
    forms = _forms(target, seeds, notes)
    if not seeds:
        forms = [_invented_form(target, rng, variation) for _ in range(_INVENTED)]
    plans = _plans(forms, target, notes)
    calls = _search(plans, count, rng, variation, include_seeds=not seeds)
    if not calls and count > 0 and not notes:
        notes[_nothing_found(plans)] = None
    return MutationResult(calls, "; ".join(notes) or None)


def plan_calls(program: Program, seeds: Sequence[Call], variation: Variation) -> tuple[Plan, ...]:
    """Return the plans of the seeds that can be read, or of one invented call without seeds."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            target = read_target(program)
            forms = _forms(target, seeds, {})
            if not seeds:
                forms = [_invented_form(target, random.Random(0), variation)]
            return tuple(_plans(forms, target, {}))
        except (Unusable, RecursionError):
            return ()


def _forms(target: Target, seeds: Sequence[Call], notes: dict[str, None]) -> list[Form]:
    forms = []
    for number, call in enumerate(seeds, start=1):
        try:
            forms.append(read_form(target, call))
        except Unusable as reason:
            notes[f"seed {number}: {reason}"] = None
    return forms


def _plans(forms: Sequence[Form], target: Target, notes: dict[str, None]) -> list[Plan]:
    shapes_of = [_shapes(form, target) for form in forms]
    everything = [argument.value for form in forms for argument in form.arguments]
    plans = []
    for form, shapes in zip(forms, shapes_of, strict=True):
        values = tuple(argument.value for argument in form.arguments)
        places = []
        for index, argument in enumerate(form.arguments):
            if not argument.readable:
                notes[why_kept(argument, target)] = None
                continue
            shape = shapes[index]
            for other, others in zip(forms, shapes_of, strict=True):
                if len(others) > index and _name(other, index) == _name(form, index):
                    shape = fill(shape, others[index])
            bounds = target.bounds.get(argument.parameter.name, ())
            applied = bounds if within(argument.value, bounds) else ()
            near = look_around(argument.value, everything, target.literals)
            places.append(Place(index, shape, near, applied, holders(index, values)))
        plans.append(Plan(form, values, tuple(places)))
    return plans


def _shapes(form: Form, target: Target) -> tuple[Shape, ...]:
    readable = [each for each in form.arguments if each.readable]
    pairs = [(each.parameter.declared, each.value) for each in readable]
    resolved = iter(resolve_call(pairs, target.annotations))
    return tuple(next(resolved) if each.readable else Anything() for each in form.arguments)


def _name(form: Form, index: int) -> tuple[str | None, str]:
    argument = form.arguments[index]
    return argument.keyword, argument.parameter.name


def _invented_form(target: Target, rng: random.Random, variation: Variation) -> Form:
    """Return a call with one fresh value for each required parameter, or else each known one."""
    required = [each for each in target.parameters if each.required]
    parameters = required or [*target.parameters, *([target.rest] * _REST if target.rest else [])]
    arguments = []
    for parameter in parameters:
        shape = close(parameter.declared, target.annotations)
        if shape is None or isinstance(shape, Anything):
            if not required:
                continue
            name = unsupported_name(parameter.declared, target.annotations)
            name = name or getattr(parameter.declared, "name", None)
            reason = f"type not supported: {name}" if name else "no annotation and no seed"
            raise Unusable(f"parameter {parameter.name!r}: {reason}")
        arguments.append(_invented(parameter, shape, target, rng, variation))
    return Form(tuple(arguments), "")


def _invented(
    parameter: Parameter, shape: Shape, target: Target, rng: random.Random, variation: Variation
) -> Argument:
    scene = variation.scene(rng, look_around(None, (), target.literals))
    try:
        value = variation.fresh(shape, scene)
    except NoValue:
        raise Unusable(f"parameter {parameter.name!r}: no value can be made") from None
    value = clamp(value, target.bounds.get(parameter.name, ()))
    keyword = parameter.name if parameter.keyword_only else None
    return Argument(keyword, parameter, render(value), value, readable=True)


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
    failures = turn = 0
    while useful and len(calls) < count and failures < _PATIENCE:
        plan = useful[turn % len(useful)]
        values = plan.values
        if turn >= len(useful) or not include_seeds:
            values = _changed(plan, useful, rng, variation)
        turn += 1
        found = _identity(plan, values)
        failures += 1
        if found not in taken and _is_demanded(plan, values):
            taken.add(found)
            calls.append(Call(write_call(plan, values), plan.form.stdin))
            failures = 0
    return tuple(calls)


def _changed(
    plan: Plan, plans: Sequence[Plan], rng: random.Random, variation: Variation
) -> tuple[Value, ...]:
    values = list(plan.values)
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
        old = values[place.index]
        if place.holders and rng.random() < _HELD:
            varied = another_part(old, values[rng.choice(place.holders)], rng)
            varied = varied if accepts(place.shape, varied) else old
        else:
            varied = variation.vary(old, place.shape, variation.scene(rng, place.near))
        values[place.index] = clamp(varied, place.bounds)
    return tuple(values)


def _signature(plan: Plan) -> list[tuple[int, Shape]]:
    return [(place.index, place.shape) for place in plan.places]


def _is_demanded(plan: Plan, values: tuple[Value, ...]) -> bool:
    return all(within(values[place.index], place.bounds) for place in plan.places)


def _identity(plan: Plan, values: tuple[Value, ...]) -> str:
    variable = {place.index for place in plan.places}
    parts = [
        f"{argument.keyword}={identity(value) if index in variable else argument.text}"
        for index, (argument, value) in enumerate(zip(plan.form.arguments, values, strict=True))
    ]
    return "\0".join((*parts, plan.form.stdin))


def write_call(plan: Plan, values: tuple[Value, ...]) -> str:
    """Return the argument text of a plan's call with other values at its places."""
    variable = {place.index for place in plan.places}
    parts = []
    for index, (argument, value) in enumerate(zip(plan.form.arguments, values, strict=True)):
        text = render(value) if index in variable else argument.text
        prefix = {None: "", "**": "**"}.get(argument.keyword, f"{argument.keyword}=")
        parts.append(prefix + text)
    return ", ".join(parts)
