"""What is left out of what ran: traces that show nothing, programs that always say the same.

A failing run is never kept at all (see :mod:`factory.execute`); the filters here judge runs that
went well. Each has its key in the recipe and its reason in the counted drops.
"""

from __future__ import annotations

from collections.abc import Sequence

from factory.constraints import check_dynamic
from factory.recipe_records import Filters
from factory.records import Constraint, Dropped
from factory.selection import read_coverage, select
from tracer.records import Trace

CONSTANT_FROM = 3
"""Inputs from which on one and the same output is held against a program."""


def filter_traces(
    traces: Sequence[Trace], filters: Filters, where: str
) -> tuple[tuple[Trace, ...], tuple[Dropped, ...]]:
    """The traces with enough steps, and a drop for each of the others."""
    kept: list[Trace] = []
    dropped: list[Dropped] = []
    for trace in traces:
        if len(trace.steps) >= (filters.min_steps or 0):
            kept.append(trace)
        else:
            detail = f"({trace.args[:200]}): {len(trace.steps)} steps"
            dropped.append(Dropped("filter", "trivial_trace", where, detail))
    return tuple(kept), tuple(dropped)


def find_constant(traces: Sequence[Trace], filters: Filters, where: str) -> Dropped | None:
    """A drop of the program when :data:`CONSTANT_FROM` inputs or more all give one output."""
    outputs = {(trace.outcome.type, trace.outcome.value, trace.stdout) for trace in traces}
    if not filters.constant_output or len(traces) < CONSTANT_FROM or len(outputs) > 1:
        return None
    detail = f"{len(traces)} inputs give {str(traces[0].outcome.value)[:200]}"
    return Dropped("filter", "constant_output", where, detail)


def select_traces(
    traces: Sequence[Trace], most: int | None, constraint: Constraint | None, where: str
) -> tuple[tuple[Trace, ...], tuple[Dropped, ...]]:
    """The traces of the selected inputs, at most ``most``; all of them for ``None``.

    What all traces together show of ``constraint`` the selected ones show too: further traces are
    added in order until they do, even beyond ``most``.
    """
    if most is None:
        return tuple(traces), ()
    chosen = select([read_coverage(trace) for trace in traces], most)
    rest = [place for place in range(len(traces)) if place not in chosen]
    while rest and constraint and check_dynamic([traces[p] for p in chosen], constraint):
        chosen = tuple(sorted((*chosen, rest.pop(0))))
    if not rest:
        return tuple(traces), ()
    detail = f"{len(rest)} of {len(traces)} inputs add no transition, path or output that has room"
    kept = tuple(traces[place] for place in chosen)
    return kept, (Dropped("inputs", "not_selected", where, detail),)
