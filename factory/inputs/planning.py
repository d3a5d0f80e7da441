"""Seeds to plans: which arguments of a call can be varied, as what, and near what."""

from __future__ import annotations

import random
import warnings
from collections.abc import Sequence
from dataclasses import dataclass

from factory.inputs.annotations import unsupported_name
from factory.inputs.base import Near, NoValue
from factory.inputs.closing import close
from factory.inputs.fitting import fill, resolve_call
from factory.inputs.holding import holders
from factory.inputs.limits import Bound, clamp, within
from factory.inputs.rendering import render
from factory.inputs.shapes import Anything, Shape, Value
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

_REST = 2
"""Values made for ``*args`` when nothing else is required."""


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


def plan_calls(program: Program, seeds: Sequence[Call], variation: Variation) -> tuple[Plan, ...]:
    """Return the plans of the seeds that can be read, or of one invented call without seeds."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            target = read_target(program)
            forms = read_forms(target, seeds, {})
            if not seeds:
                forms = [invent_form(target, random.Random(0), variation)]
            return tuple(make_plans(forms, target, {}))
        except (Unusable, RecursionError):
            return ()


def read_forms(target: Target, seeds: Sequence[Call], notes: dict[str, None]) -> list[Form]:
    """Return the seeds that can be read; ``notes`` takes why the others cannot."""
    forms = []
    for number, call in enumerate(seeds, start=1):
        try:
            forms.append(read_form(target, call))
        except Unusable as reason:
            notes[f"seed {number}: {reason}"] = None
    return forms


def make_plans(forms: Sequence[Form], target: Target, notes: dict[str, None]) -> list[Plan]:
    """Return a plan for each form; ``notes`` takes what has to stay as it is."""
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
            shape = fill(shape, argument.parameter.used)
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


def invent_form(target: Target, rng: random.Random, variation: Variation) -> Form:
    """Return a call with one fresh value for each required parameter, or else each known one."""
    required = [each for each in target.parameters if each.required]
    parameters = required or [*target.parameters, *([target.rest] * _REST if target.rest else [])]
    arguments = []
    for parameter in parameters:
        shape = close(parameter.declared, target.annotations)
        if shape is not None:
            shape = fill(shape, parameter.used)
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


def write_call(plan: Plan, values: tuple[Value, ...]) -> str:
    """Return the argument text of a plan's call with other values at its places."""
    variable = {place.index for place in plan.places}
    parts = []
    for index, (argument, value) in enumerate(zip(plan.form.arguments, values, strict=True)):
        text = render(value) if index in variable else argument.text
        prefix = {None: "", "**": "**"}.get(argument.keyword, f"{argument.keyword}=")
        parts.append(prefix + text)
    return ", ".join(parts)
