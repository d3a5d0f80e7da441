"""The order in which prompts are meant to be trained on: a phase, and a place in it.

Rows stand in the order in which programs were drawn, so that a dataset can grow; the curriculum is
two columns, and ``ORDER BY phase, place`` gives it. Both follow from the row alone, so adding rows
moves no other row.

- The phase is the level, or the number of ``edges`` not above the score plus one, or one more than
  the number of wrong answers of the baseline model.
- A share ``mix`` of the rows of every phase is spread evenly over all phases, so that easy rows go
  on being seen.
- A share ``warm_up`` of the rows of the easiest phase makes phase 0.
- The place is a number in [0, 1) from the row's id: a fixed shuffle of the phase.

Source: own; that levels are trained in order of difficulty is ExecVerify's curriculum
(https://arxiv.org/abs/2603.11226).
"""

from __future__ import annotations

import hashlib
from bisect import bisect_right
from dataclasses import dataclass

from factory.recipe_records import Recipe

WARM_UP_PHASE = 0
FIRST_PHASE = 1


@dataclass(frozen=True, slots=True)
class Position:
    """Where a row stands in the curriculum."""

    phase: int
    place: float


def position_of(
    row_id: str,
    *,
    level: int | None,
    score: float,
    wrong: int | None,
    recipe: Recipe,
    phases: tuple[int, ...],
) -> Position:
    """The phase and place of one row.

    Args:
        row_id: The row's id, which decides what is drawn.
        level: The program's level, if it has one.
        score: The row's score.
        wrong: Wrong answers of the baseline model; ``None`` where it was not asked.
        recipe: Says what makes a phase.
        phases: All phases that rows can have, rising (:func:`phases_of`).
    """
    plan = recipe.curriculum
    phase = phases[0]
    if plan.by == "level" and level is not None:
        phase = level
    elif plan.by == "score":
        phase = FIRST_PHASE + bisect_right(plan.edges, score)
    elif plan.by == "passes":
        phase = phases[-1] if wrong is None else FIRST_PHASE + wrong
    if phase == phases[0] and _fraction(row_id, "warm-up") < plan.warm_up:
        phase = WARM_UP_PHASE
    elif _fraction(row_id, "mix") < plan.mix:
        phase = phases[int(_fraction(row_id, "phase") * len(phases))]
    return Position(phase, _fraction(row_id, "place"))


def phases_of(recipe: Recipe, levels: tuple[int, ...]) -> tuple[int, ...]:
    """The phases of a recipe beside that of the warm-up, rising.

    Args:
        recipe: Says what makes a phase.
        levels: Levels that its programs can have; none for programs that no template made.
    """
    plan = recipe.curriculum
    if plan.by == "level" and levels:
        return levels
    last = FIRST_PHASE
    if plan.by == "score":
        last += len(plan.edges)
    elif plan.by == "passes":
        last += recipe.difficulty.n
    return tuple(range(FIRST_PHASE, last + 1))


def _fraction(row_id: str, purpose: str) -> float:
    """A number in [0, 1), the same for the same row and purpose."""
    digest = hashlib.sha256(f"{purpose}:{row_id}".encode()).digest()
    return (int.from_bytes(digest[:8], "big") >> 11) / 2**53
