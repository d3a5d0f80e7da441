"""Programs that do the same: equal results on inputs that depend on the signature alone.

The inputs are :data:`CANONICAL_CALLS` calls that :func:`factory.inputs.fresh_calls` draws from the
types of the arguments, the same for every program of one signature.  Two programs behave alike when
they have one signature and, on each of these inputs, return equal values of one type or raise the
same exception type.  What they print, and what they do to their arguments, does not count.  A
program has no behaviour to compare when it returns on fewer than :data:`LEAST_RETURNED` of the
inputs or gives fewer than :data:`LEAST_OUTPUTS` different outputs, which could be chance, and when
a limit or the sandbox decided a result.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from factory.errors import InfrastructureError
from factory.identity import content_id
from factory.inputs import fresh_calls
from factory.records import Draft
from tracer.records import Call, Outcome, Program
from tracer.runner import Runner
from tracer.values import is_faithful

CANONICAL_CALLS = 16
LEAST_RETURNED = 8
LEAST_OUTPUTS = 5
MAX_TRIES = 3
CPU_S = 1.0
"""Most processor seconds of a call here: what needs more is hardly ever going to end."""
_SEED = "canonical inputs"
_FIRST = 4
"""Calls that are made before the others, to see whether they end by themselves."""


def find_behaviour(draft: Draft, runner: Runner) -> str | None:
    """Equal for programs that behave alike; ``None`` for one that cannot be compared.

    Raises:
        InfrastructureError: The sandbox failed :data:`MAX_TRIES` times.
    """
    drawn = fresh_calls(draft.program, draft.calls, CANONICAL_CALLS, _SEED)
    if drawn is None:
        return None
    outcomes: list[Outcome] = []
    for calls in (drawn.calls[:_FIRST], drawn.calls[_FIRST:]):
        outcomes += _run(draft.program, calls, runner)
        if any(outcome.kind not in ("returned", "raised") for outcome in outcomes):
            return None
    returned = [outcome.value for outcome in outcomes if outcome.kind == "returned"]
    if not all(value is not None and is_faithful(value) for value in returned):
        return None
    if len(returned) < LEAST_RETURNED or len(set(returned)) < LEAST_OUTPUTS:
        return None
    shown = [[outcome.kind, outcome.type, outcome.value] for outcome in outcomes]
    return content_id([drawn.signature, shown])


def _run(program: Program, calls: Sequence[Call], runner: Runner) -> tuple[Outcome, ...]:
    """Outcomes of the calls, none of them a failure of the sandbox.

    Raises:
        InfrastructureError: It failed :data:`MAX_TRIES` times.
    """
    limits = runner.limits
    runner.limits = replace(limits, cpu_s=min(limits.cpu_s, CPU_S))
    try:
        for _ in range(MAX_TRIES):
            outcomes = runner.run_many([(program, call) for call in calls])
            broken = [each.message for each in outcomes if each.kind == "infrastructure"]
            if not broken:
                return outcomes
    finally:
        runner.limits = limits
    raise InfrastructureError(f"the sandbox failed {MAX_TRIES} times: {broken[0]}")
