"""The card of a trained model, rendered from one record of how it came to be.

The record is plain data, so that the trainer writes it beside the weights and the card is made anew
from it whenever it changes.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from cards.curves import curve_svg
from cards.header import hub_licence
from cards.rendering import render_template

Stage: TypeAlias = Literal["sft", "stage1", "reward", "stage2"]
TAGS = ("tracefoundry", "code", "execution-reasoning")
"""Beside the stages."""


@dataclass(frozen=True, slots=True)
class TrainingData:
    """The dataset that a model was trained on."""

    name: str
    """Repository id, or the name of a folder."""
    revision: str | None
    """Commit or tag; ``None`` for a folder."""
    recipe_hash: str | None
    """``None`` for data that no build of ours made."""
    seed: int | None
    rows: int
    """Rows that were trained on, after the filter."""
    filter: str | None = None
    """What rows had to meet, such as ``level <= 4``."""
    on_hub: bool = True


@dataclass(frozen=True, slots=True)
class Curve:
    """What was logged of one number."""

    name: str
    """Such as ``loss`` or ``reward``."""
    points: tuple[tuple[int, float], ...]
    """Optimiser step and value, by step."""


@dataclass(frozen=True, slots=True)
class Training:
    """One stage of training."""

    stage: Stage
    data: TrainingData
    config: Mapping[str, str | int | float | bool | None]
    """All settings of the run, by name."""
    steps: int
    """Optimiser steps."""
    hours: float
    curves: tuple[Curve, ...] = ()


@dataclass(frozen=True, slots=True)
class Evaluation:
    """One line of the table of results."""

    benchmark: str
    metric: str
    value: float
    """A share from 0 to 1 for accuracies and pass rates."""
    before: float | None
    """The same of the base model; ``None`` when it was not measured."""
    tasks: int
    """Number of tasks that were judged."""
    interval: tuple[float, float] | None = None
    """Of 95 %, where it is known."""


@dataclass(frozen=True, slots=True)
class ModelRecord:
    """Everything that the card of a model tells."""

    name: str
    base_model: str
    task: Literal["text-generation", "text-classification"]
    """``text-classification`` for a reward model."""
    licence: str | None
    """SPDX id."""
    trainings: tuple[Training, ...]
    """In the order in which they ran; at least one."""
    evaluations: tuple[Evaluation, ...]
    versions: Mapping[str, str]
    hardware: str
    seed: int
    limits: tuple[str, ...] = ()
    """Sentences about what it can't do, beyond those that hold for every model of ours."""
    base_on_hub: bool = True
    """Whether ``base_model`` is a repository, and no folder of somebody's machine."""


def render_model(record: ModelRecord) -> str:
    """The README of a model's folder; a curve without a finite value is left out.

    Raises:
        ValueError: The record names no training.
    """
    if not record.trainings:
        raise ValueError(f"{record.name}: the record of a trained model names no training")
    return render_template(
        "model",
        header=model_header(record),
        record=record,
        plots={training.stage: _plots(training) for training in record.trainings},
    )


def model_files(record: ModelRecord) -> dict[str, bytes]:
    """Every file of the card by its path beside the weights.

    Raises:
        ValueError: The record names no training.
    """
    files = {"README.md": render_model(record).encode("utf-8")}
    for training in record.trainings:
        for path, (title, points) in _plots(training).items():
            files[path] = curve_svg(title, points).encode("utf-8")
    return files


def model_header(record: ModelRecord) -> str:
    """The YAML header of a model card.

    Source: https://huggingface.co/docs/hub/model-cards (``model-index`` included).
    """
    import yaml

    datasets = dict.fromkeys(
        training.data.name for training in record.trainings if training.data.on_hub
    )
    data: dict[str, Any] = {
        "license": hub_licence(record.licence),
        **({"base_model": record.base_model} if record.base_on_hub else {}),
        "library_name": "transformers",
        "pipeline_tag": record.task,
        "language": ["code"],
        "tags": [*TAGS, *(training.stage for training in record.trainings)],
    }
    if datasets:
        data["datasets"] = list(datasets)
    if record.evaluations:
        data["model-index"] = [
            {"name": record.name, "results": [_result(record, e) for e in record.evaluations]}
        ]
    text: str = yaml.safe_dump(data, sort_keys=False, allow_unicode=True)
    return text.rstrip("\n")


def _result(record: ModelRecord, evaluation: Evaluation) -> dict[str, Any]:
    return {
        "task": {"type": record.task},
        "dataset": {"name": evaluation.benchmark, "type": _slug(evaluation.benchmark)},
        "metrics": [{"type": evaluation.metric, "value": evaluation.value}],
    }


def _plots(training: Training) -> dict[str, tuple[str, tuple[tuple[int, float], ...]]]:
    """Title and points of each curve by the path of its file."""
    found = {}
    for curve in training.curves:
        points = tuple(point for point in curve.points if math.isfinite(point[1]))
        if points:
            path = f"plots/{training.stage}-{_slug(curve.name)}.svg"
            found[path] = (f"{training.stage}: {curve.name}", points)
    return found


def _slug(name: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-") or "unnamed"
