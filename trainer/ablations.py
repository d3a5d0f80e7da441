"""The papers' ablations side by side, from the runs in one folder.

Each row is a recipe whose last stage is finished; a number is the mean over the last tenth of what
was logged of it, or what was measured on held-out data: of its pairs by the stage itself, of
benchmarks by ``eval`` into the folder :data:`cards.EVALUATED` of the last stage.

Sources: https://arxiv.org/abs/2603.11226 and https://arxiv.org/abs/2508.05170 (which variants are
compared)
"""

from __future__ import annotations

import json
import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cards import EVALUATED, RESULTS, parse_results
from trainer.card import curve_of
from trainer.configs import Stage
from trainer.errors import TrainingError
from trainer.recipes import RECIPES, Recipe
from trainer.runs import FINISHED

STATE = "trainer_state.json"
LOGGED: tuple[tuple[Stage, str, str], ...] = (
    ("stage1", "I io", "stage1/io"),
    ("stage1", "I white", "stage1/white"),
    ("stage2", "II outcome", "stage2/outcome"),
    ("stage2", "II process", "stage2/process"),
)
"""Stage, name of the column, and what the stage logs."""
JUDGE = "pairs"
"""Column: share of held-out pairs that the reward model ranks right."""


@dataclass(frozen=True, slots=True)
class Line:
    """What is known of one recipe."""

    recipe: str
    about: str
    numbers: tuple[tuple[str, float | None], ...]
    """Column and number, the columns of all recipes in one order; ``None``: no such stage."""


def compare(out: Path) -> list[Line]:
    """The recipes that were trained in a folder, in the order of :data:`RECIPES`.

    Args:
        out: The ``--out`` of ``train all``.

    Raises:
        TrainingError: None is finished, or a file of a finished run can't be read.
    """
    trained = {
        name: recipe
        for name, recipe in RECIPES.items()
        if (out / recipe.steps[-1].folder / FINISHED).is_file()
    }
    if not trained:
        raise TrainingError(
            f"{out}: no recipe is finished there; run `tracefoundry train all --out {out}`, with "
            f"--recipe for each of {', '.join(RECIPES)}"
        )
    results = {name: _evaluated(out / recipe.steps[-1].folder) for name, recipe in trained.items()}
    columns = list(dict.fromkeys(column for found in results.values() for column in found))
    return [
        Line(
            name,
            recipe.about,
            (*_numbers(out, recipe), *((column, results[name].get(column)) for column in columns)),
        )
        for name, recipe in trained.items()
    ]


def _evaluated(folder: Path) -> dict[str, float]:
    """What a model was measured to do: benchmark and metric → share, all kinds together."""
    path = folder / EVALUATED / RESULTS
    if not path.is_file():
        return {}
    try:
        results = parse_results(path.read_bytes())
    except ValueError as error:
        raise TrainingError(f"{path}: {error}") from error
    found: dict[str, float] = {}
    for each in results:  # that of all kinds is the first of its benchmark and metric
        found.setdefault(f"{each.benchmark.partition(':')[0]}, {each.metric}", each.value)
    return found


def _numbers(out: Path, recipe: Recipe) -> tuple[tuple[str, float | None], ...]:
    folders = {step.stage: out / step.folder for step in recipe.steps}
    found: list[tuple[str, float | None]] = []
    for stage, column, metric in LOGGED:
        if stage == "stage2" and JUDGE not in dict(found):
            found.append((JUDGE, _pair_accuracy(folders.get("reward"))))
        found.append((column, _late_mean(folders.get(stage), metric)))
    return tuple(found)


def _late_mean(folder: Path | None, metric: str) -> float | None:
    if folder is None:
        return None
    points = curve_of(metric, _read(folder / STATE)["log_history"]).points
    late = points[-max(1, len(points) // 10) :]
    return statistics.fmean(value for _, value in late) if late else None


def _pair_accuracy(folder: Path | None) -> float | None:
    if folder is None:
        return None
    found: Mapping[str, Any] = _read(folder / FINISHED).get("pair_accuracy", {}).get("test", {})
    return float(found["all"]["accuracy"]) if "all" in found else None


def _read(path: Path) -> dict[str, Any]:
    try:
        found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise TrainingError(f"{path}: can't be read: {error}") from error
    return found


def show(lines: Sequence[Line]) -> str:
    """The lines as a table of text."""
    columns = [column for column, _ in lines[0].numbers]
    cells = [["recipe", *columns]]
    for line in lines:
        numbers = ("" if value is None else f"{value:.3f}" for _, value in line.numbers)
        cells.append([line.recipe, *numbers])
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    return "\n".join(
        "  ".join(
            [row[0].ljust(widths[0])]
            + [cell.rjust(width) for cell, width in zip(row[1:], widths[1:], strict=True)]
        ).rstrip()
        for row in cells
    )
