"""Makes many calls in few processes, each call as if it were alone.

Calls share a process only where nothing can be carried from one to the next
(:mod:`tracer.isolation`). When a shared process does not end as it should, nobody asks which call
was to blame: its calls are made again, with fewer others and at last each alone.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias, TypeVar

from tracer.isolation import keeps_to_itself
from tracer.records import Call, Program

Result = TypeVar("Result")
Calls: TypeAlias = Sequence[tuple[Program, Call]]

CALLS_A_PROCESS = (64, 8)
"""Calls that share a process to begin with, at the first try and at the second."""
MOST_CALLS = (256, 8)
"""Calls that may share one while all goes well: after each success twice as many."""


def share(
    calls: Calls,
    run_shared: Callable[[Calls], list[Result | None]],
    run_alone: Callable[[Program, Call], Result],
) -> tuple[Result, ...]:
    """Return the result of each call, in their order; equal calls are made once.

    Args:
        calls: what to run.
        run_shared: runs calls in one process; returns the results of the first of them, of none
            when the process did not end as it should, with ``None`` for a call to be made alone.
        run_alone: runs a call in a process of its own.
    """
    distinct = list(dict.fromkeys(calls))
    known: dict[tuple[Program, Call], Result | None] = {}
    waiting = [each for each in distinct if _may_share(*each)]
    for size, limit in zip(CALLS_A_PROCESS, MOST_CALLS, strict=True):
        left: list[tuple[Program, Call]] = []
        start, most = 0, size
        while start < len(waiting):
            group = waiting[start : start + most]
            start += most
            while len(group) > 1 and (results := run_shared(group)):
                known.update(zip(group, results, strict=False))
                group = group[len(results) :]
            left += group
            most = size if len(group) > 1 else min(2 * most, limit)
        waiting = left
    found: dict[tuple[Program, Call], Result] = {}
    for each in distinct:
        result = known.get(each)
        found[each] = run_alone(*each) if result is None else result
    return tuple([found[each] for each in calls])


def _may_share(program: Program, call: Call) -> bool:
    if program.entry_point is None or call.stdin:
        return False
    return keeps_to_itself(program.source, call.args)
