"""Which inputs of a program are kept: few that together show everything the candidates show.

The objective, in this order: the most *transitions* (a statement and what begins next in the same
activation, or its end: every outcome of every branch is one), the most distinct *paths* (all
statements of the call in the order in which they begin), the most distinct *outputs*; and of the
sets that are equal in all three, one that is small. It is approached greedily: cover the
transitions, leave out what has become superfluous, then add new paths and new outputs while there
is room. Ties go to the earlier candidate, so the choice depends on the candidates alone.

Source: greedy set cover (Chvátal, 1979); the reduction of test suites by coverage after Harrold,
Gupta and Soffa, "A methodology for controlling the size of a test suite", 1993.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

from tracer.records import Trace

Transition: TypeAlias = tuple[int, int]
"""A statement and the next one of the same activation; ``END`` when there is none."""

END = -1


@dataclass(frozen=True, slots=True)
class Coverage:
    """What one trace shows."""

    transitions: frozenset[Transition]
    path: tuple[int, ...]
    output: tuple[str | None, ...]
    """Kind, type and value of the outcome."""


def read_coverage(trace: Trace) -> Coverage:
    """Transitions, path and output of a trace."""
    last: dict[int, int] = {}
    transitions: set[Transition] = set()
    for step in trace.steps:
        before = last.get(step.activation)
        if before is not None:
            transitions.add((before, step.stmt))
        last[step.activation] = step.stmt
    transitions.update((stmt, END) for stmt in last.values())
    outcome = trace.outcome
    return Coverage(
        frozenset(transitions),
        tuple(step.stmt for step in trace.steps),
        (outcome.kind, outcome.type, outcome.value),
    )


def select(candidates: Sequence[Coverage], most: int) -> tuple[int, ...]:
    """Places of the candidates to keep, ascending.

    Args:
        candidates: In order of preference.
        most: Size of the largest set that may be kept, at least 1.
    """
    chosen = _cover(candidates, most)
    while True:
        chosen = _without_superfluous(chosen, candidates)
        added = _new_ones(chosen, candidates, most)
        if not added:
            return tuple(sorted(chosen))
        chosen += added


def _cover(candidates: Sequence[Coverage], most: int) -> list[int]:
    """Candidates that each add the most transitions, in the order in which they were chosen."""
    chosen: list[int] = []
    left = list(range(len(candidates)))
    covered: set[Transition] = set()
    while left and len(chosen) < most:
        best = max(left, key=lambda place: len(candidates[place].transitions - covered))
        if candidates[best].transitions <= covered:
            break
        chosen.append(best)
        left.remove(best)
        covered |= candidates[best].transitions
    return chosen


def _new_ones(chosen: list[int], candidates: Sequence[Coverage], most: int) -> list[int]:
    """Candidates with a new path and a new output, then with either, as far as there is room."""
    added: list[int] = []
    for sides in (("path", "output"), ("path",), ("output",)):
        known = {
            side: {getattr(candidates[place], side) for place in (*chosen, *added)}
            for side in sides
        }
        for place, each in enumerate(candidates):
            if len(chosen) + len(added) == most:
                return added
            if all(getattr(each, side) not in known[side] for side in sides):
                added.append(place)
                for side in sides:
                    known[side].add(getattr(each, side))
    return added


def _without_superfluous(chosen: list[int], candidates: Sequence[Coverage]) -> list[int]:
    """Leave out whose transitions, path and output the others show too, the last chosen first."""
    shown = {place: _everything(candidates[place]) for place in chosen}
    times = Counter(each for features in shown.values() for each in features)
    kept = list(chosen)
    for place in reversed(chosen):
        if all(times[each] > 1 for each in shown[place]):
            kept.remove(place)
            times.subtract(shown[place])
    return kept


def _everything(coverage: Coverage) -> set[object]:
    """Transitions are pairs; path and output are marked as such."""
    return {*coverage.transitions, ("path", coverage.path), ("output", coverage.output)}
