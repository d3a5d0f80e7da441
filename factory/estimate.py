"""What a build will make and how long it will take, measured on its first programs."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory

from factory.pipeline import DEFAULT_PROGRAMS, build, full_grid
from factory.progress import Progress
from factory.recipe_records import Recipe, Source
from factory.sources.records import read_raw
from factory.table import CONFIGS
from factory.training_records import Curriculum, Difficulty, RewriterPlan, TeacherPlan

REPLIES_A_PAIR = 3
"""A base text, a better one and a worse one."""
PILOT = 16
"""Programs (or rows of a file) that are really built, in a temporary folder."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """Expected size of a build; exact where ``pilot`` is all of it."""

    rows: int
    """Programs to accept; of a file, rows to read."""
    programs: int
    traces: int
    questions: int
    stage1: int
    """Prompts, before the measured difficulty takes any out."""
    sft: int
    crpl: int
    problems: int
    seconds: float
    pilot: int
    """Rows that were built to find out."""
    completions: int
    """Replies that the recipe's models will be asked for, at most."""
    max_tokens: int
    """Most tokens that these may have."""


def estimate(
    recipe: Recipe, *, programs: int | None, seed: int | None, workers: int, progress: Progress
) -> Estimate:
    """Build the first few programs elsewhere and scale up; arguments as those of ``build``.

    The models of a recipe are not asked: their replies are counted, and no time is given for them.
    Where a model writes programs, programs of templates stand in for its own.

    Raises:
        UserError: The source cannot be read.
        InfrastructureError: The sandbox failed again and again.
    """
    rows = _count_rows(recipe, programs)
    pilot = min(rows, PILOT)
    if pilot == 0:
        nothing = dict.fromkeys(CONFIGS, 0)
        return Estimate(rows=0, seconds=0.0, pilot=0, completions=0, max_tokens=0, **nothing)
    plan = recipe.difficulty
    unasked = replace(
        recipe,
        difficulty=Difficulty(),
        curriculum=Curriculum(),
        teacher=TeacherPlan(),
        rewriter=RewriterPlan(),
    )
    if recipe.source.written:
        unasked = replace(unasked, source=Source("templates"))
    started = time.monotonic()
    with TemporaryDirectory(prefix="tracefoundry-") as folder:
        report = build(
            unasked, Path(folder), programs=pilot, seed=seed, workers=1, progress=progress
        )
    seconds = time.monotonic() - started
    counts = report.manifest["counts"]
    asked = sum(counts["questions"]["by_kind"].get(kind, 0) for kind in plan.kinds)
    if plan.per_program is not None:
        asked = min(asked, plan.per_program * counts["programs"]["total"])
    completions = 0 if plan.model is None else round(asked * rows / pilot) * plan.n
    others = [
        (completions, plan.max_tokens),
        (round(rows * _most_replies(recipe)), recipe.writer.max_tokens),
        *_of_reasoning(recipe, rows),
    ]
    return Estimate(
        rows=rows,
        seconds=seconds * max(1.0, rows / pilot / workers),
        pilot=pilot,
        completions=sum(replies for replies, _ in others),
        max_tokens=sum(replies * most for replies, most in others),
        **{config: round(counts[config]["total"] * rows / pilot) for config in CONFIGS},
    )


def _most_replies(recipe: Recipe) -> float:
    """Replies of the model that writes programs for one program, if it has to mend each."""
    if not recipe.source.written:
        return 0.0
    share = 1.0 if recipe.source.kind == "llm" else recipe.writer.share
    return share * (recipe.writer.repairs + 1)


def _of_reasoning(recipe: Recipe, programs: int) -> Iterator[tuple[int, int]]:
    """Most replies of the teacher and of the rewriter, with the most tokens of each."""
    teacher, rewriter = recipe.teacher, recipe.rewriter
    if teacher.model is not None:
        yield programs * teacher.per_program * teacher.n, teacher.max_tokens
    if rewriter.model is not None:
        yield (
            programs * (rewriter.per_program + rewriter.per_problem) * REPLIES_A_PAIR,
            rewriter.max_tokens,
        )


def _count_rows(recipe: Recipe, programs: int | None) -> int:
    wanted = recipe.programs if programs is None else programs
    if recipe.source.path is None:
        return full_grid(recipe) or DEFAULT_PROGRAMS if wanted is None else wanted
    there = sum(1 for _ in read_raw(Path(recipe.source.path)))
    return there if wanted is None else min(there, wanted)
