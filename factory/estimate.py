"""What a build will make and how long it will take, measured on its first programs."""

from __future__ import annotations

import time
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from factory.pipeline import DEFAULT_PROGRAMS, build
from factory.progress import Progress
from factory.recipe_records import Recipe
from factory.sources.records import read_raw

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
    seconds: float
    pilot: int
    """Rows that were built to find out."""


def estimate(
    recipe: Recipe, *, programs: int | None, seed: int | None, workers: int, progress: Progress
) -> Estimate:
    """Build the first few programs elsewhere and scale up; arguments as those of ``build``.

    Raises:
        UserError: The source cannot be read.
        InfrastructureError: The sandbox failed again and again.
    """
    rows = _count_rows(recipe, programs)
    pilot = min(rows, PILOT)
    if pilot == 0:
        return Estimate(rows=0, programs=0, traces=0, questions=0, seconds=0.0, pilot=0)
    started = time.monotonic()
    with TemporaryDirectory(prefix="tracefoundry-") as folder:
        report = build(
            recipe, Path(folder), programs=pilot, seed=seed, workers=1, progress=progress
        )
    seconds = time.monotonic() - started
    counts = {
        config: round(report.manifest["counts"][config]["total"] * rows / pilot)
        for config in ("programs", "traces", "questions")
    }
    return Estimate(
        rows=rows, seconds=seconds * max(1.0, rows / pilot / workers), pilot=pilot, **counts
    )


def _count_rows(recipe: Recipe, programs: int | None) -> int:
    wanted = recipe.programs if programs is None else programs
    if recipe.source.path is None:
        return DEFAULT_PROGRAMS if wanted is None else wanted
    there = sum(1 for _ in read_raw(Path(recipe.source.path)))
    return there if wanted is None else min(there, wanted)
