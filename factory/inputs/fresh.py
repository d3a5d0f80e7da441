"""Calls drawn anew from the types of a program's arguments alone, with nothing near in mind.

Two programs with one signature get the same calls, whatever else they hold.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

from factory.inputs.planning import Plan, plan_calls, write_call
from factory.inputs.variation import Variation
from tracer.records import Call, Program


@dataclass(frozen=True, slots=True)
class FreshCalls:
    """Drawn calls of one signature."""

    signature: str
    """Which arguments are given, and their types, deep inside; equal texts get equal calls."""
    calls: tuple[Call, ...]
    """Some of them perhaps equal."""


def draw_calls(
    program: Program, seeds: Sequence[Call], count: int, seed: str, variation: Variation
) -> FreshCalls | None:
    """Return ``count`` drawn calls in the form of the first seed, or ``None`` when none can be.

    A pure function of signature, count, seed and :data:`factory.draw.HYPOTHESIS_VERSION`.
    """
    plans = plan_calls(program, seeds, variation)
    if not plans or len(plans[0].places) < len(plans[0].values) or not plans[0].places:
        return None
    plan = plans[0]
    signature = _signature(plan)
    columns = []
    for place in plan.places:
        text = f"{seed}\0{place.index}\0{place.shape}"
        number = int.from_bytes(hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()[:8])
        column = variation.draw(place.shape, count, number)
        if len(column) < count:
            return None
        columns.append(column)
    calls = (Call(write_call(plan, values)) for values in zip(*columns, strict=True))
    return FreshCalls(signature, tuple(calls))


def _signature(plan: Plan) -> str:
    arguments = zip(plan.form.arguments, plan.places, strict=True)
    return "; ".join(f"{argument.keyword or ''}: {place.shape}" for argument, place in arguments)
