"""What a plan may lack and still be right, and what it may say too late."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, replace

from factory.reasoning.checking import Dimension
from factory.reasoning.plans.injuries import Change
from factory.reasoning.plans.sentences import Step


@dataclass(frozen=True, slots=True)
class PlanWeakness:
    """One way in which a plan is worse than it could be."""

    name: str
    dimension: Dimension
    twin: str
    """The weakness that does the opposite to length and words; itself where it does nothing."""
    change: Change


def early_check(steps: list[Step], rng: random.Random, flag: bool) -> list[Step] | None:
    """The result of an example is told before the plan that gives it is whole.

    It stands between two statements outside of all blocks, as deep as before: its line would be
    longer inside of one.
    """
    checks = [place for place, step in enumerate(steps) if step.kind == "check"]
    if not checks:
        return None
    place = rng.choice(checks)
    last = max(p for p, step in enumerate(steps) if step.kind not in ("need", "state", "check"))
    if last < 2:
        return None
    rest = [*steps[:place], *steps[place + 1 :]]
    outside = [
        goal for goal in range(1, last) if not rest[goal].depth and rest[goal].kind != "need"
    ]
    if not outside:
        return None
    rest.insert(rng.choice(outside), steps[place])
    return rest


def late_need(steps: list[Step], rng: random.Random, flag: bool) -> list[Step] | None:
    """It is said only later for what a variable was set."""
    found = [
        place
        for place, step in enumerate(steps[:-2])
        if step.kind == "need"
        and steps[place + 1].kind in ("set", "do")
        and steps[place + 2].kind != "need"
    ]
    if not found:
        return None
    place = rng.choice(found)
    return [*steps[:place], steps[place + 1], steps[place], *steps[place + 2 :]]


def late_end(steps: list[Step], rng: random.Random, flag: bool) -> list[Step] | None:
    """It is said a sentence too late that a loop is complete."""
    found = [
        place
        for place in _ends(steps)
        if place + 2 < len(steps)
        and steps[place + 1].kind in ("set", "do", "return")
        and steps[place + 2].kind != "need"
    ]
    if not found:
        return None
    place = rng.choice(found)
    return [*steps[:place], steps[place + 1], steps[place], *steps[place + 2 :]]


def open_end(steps: list[Step], rng: random.Random, flag: bool) -> list[Step] | None:
    """It is not said that a loop is complete."""
    found = _ends(steps)
    if not found:
        return None
    place = rng.choice(found)
    return [*steps[:place], *steps[place + 1 :]]


def repeated(steps: list[Step], rng: random.Random, flag: bool) -> list[Step] | None:
    """It is said twice that a loop is complete."""
    found = [place for place in _ends(steps) if place + 2 < len(steps)]
    if not found:
        return None
    place = rng.choice(found)
    again = _gap(steps, rng, place + 2, len(steps))
    told = replace(steps[place], depth=steps[again].depth)
    return [*steps[:again], told, *steps[again:]]


def _ends(steps: Sequence[Step]) -> list[int]:
    return [place for place, step in enumerate(steps) if step.kind == "end"]


def _gap(steps: Sequence[Step], rng: random.Random, first: int, last: int) -> int:
    """A place to put a sentence in that parts no variable from what it is needed for."""
    free = [p for p in range(first, last) if steps[p].kind != "need"] or [first]
    return rng.choice(free)


WEAKNESSES: tuple[PlanWeakness, ...] = (
    PlanWeakness("early_check", "factual", "early_check", early_check),
    PlanWeakness("late_need", "rigor", "late_need", late_need),
    PlanWeakness("late_end", "coherence", "late_end", late_end),
    PlanWeakness("open_end", "coherence", "repeated", open_end),
    PlanWeakness("repeated", "coherence", "open_end", repeated),
)
BY_NAME = {weakness.name: weakness for weakness in WEAKNESSES}
