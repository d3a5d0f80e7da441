"""The card of a trained model: a record of how it came to be, and what is rendered from it.

Both lie beside the weights; ``publish`` renders the card anew, for the repository that it goes to.

Source: own.
"""

from __future__ import annotations

import math
import platform
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from importlib import metadata
from pathlib import Path
from typing import Any

import cards
from cards.model import Curve, ModelRecord, Training
from trainer.configs import Stage, StageConfig, describe
from trainer.places import Place, describe_data
from trainer.runs import write_whole

_VERSIONS = ("tracefoundry", "torch", "transformers", "trl", "accelerate", "peft", "datasets")
CURVES = ("loss", "reward")
"""What is drawn of a stage that names nothing else."""


@dataclass(frozen=True, slots=True)
class Finished:
    """A run that is finished."""

    stage: Stage
    data: Place
    condition: str | None
    """What rows had to meet."""
    model: str
    """What was trained: a folder or a repository."""
    config: StageConfig
    steps: int
    rows: int
    seconds: float
    logs: Sequence[Mapping[str, Any]]
    """What the trainer logged, in its order."""


def write_card(out: Path, finished: Finished, curves: Sequence[str] = CURVES) -> None:
    """Write the record and the card into the folder of a run.

    Args:
        out: The folder.
        finished: What was trained, and how.
        curves: Names of logged numbers to draw; those that were not logged are left out.

    Raises:
        HubError: The Hub or the network failed.
        TrainingError: The data's repository is gone.
        OSError: The folder can't be written to.
    """
    record = make_record(out.resolve().name, finished, curves)
    for path, content in cards.model_files(record).items():
        write_whole(out / path, content.decode("utf-8"))
    write_whole(out / cards.RECORD, cards.record_text(record))


def make_record(name: str, finished: Finished, curves: Sequence[str] = CURVES) -> ModelRecord:
    """The record of a run; the stages that the model went through before stand in it too.

    Raises:
        HubError: The Hub or the network failed.
        TrainingError: The data's repository is gone.
    """
    training = Training(
        finished.stage,
        describe_data(finished.data, finished.rows, finished.condition),
        {key: _setting(value) for key, value in describe(finished.config).items()},
        finished.steps,
        round(finished.seconds / 3600, 4),
        tuple(curve for key in curves if (curve := curve_of(key, finished.logs)).points),
    )
    record = ModelRecord(
        name=name,
        base_model=finished.model,
        task="text-generation",
        licence=None,
        trainings=(training,),
        evaluations=(),
        versions=_versions(),
        hardware=describe_hardware(),
        seed=finished.config.seed,
    )
    folder = Path(finished.model)
    if not folder.is_dir():
        return record
    before = read_record(folder)
    if before is None:
        return replace(record, base_model=folder.resolve().name, base_on_hub=False)
    return replace(
        record,
        base_model=before.base_model,
        base_on_hub=before.base_on_hub,
        licence=before.licence,
        trainings=(*before.trainings, training),
    )


def read_record(folder: Path) -> ModelRecord | None:
    """The record of a model that was trained by us; ``None`` when there is none."""
    try:
        return cards.parse_record((folder / cards.RECORD).read_bytes())
    except (OSError, ValueError):
        return None


def curve_of(name: str, logs: Sequence[Mapping[str, Any]]) -> Curve:
    """What was logged of a number, by step; a step that was logged again counts once."""
    points = {
        int(log["step"]): float(log[name])
        for log in logs
        if "step" in log and isinstance(log.get(name), int | float) and math.isfinite(log[name])
    }
    return Curve(name, tuple(sorted(points.items())))


def describe_hardware() -> str:
    """What computed: the GPUs, or the processor."""
    import torch

    if torch.cuda.is_available():
        return f"{torch.cuda.device_count()} x {torch.cuda.get_device_name()}"
    return f"CPU ({platform.machine()}, {torch.get_num_threads()} threads)"


def _versions() -> dict[str, str]:
    found = {"python": platform.python_version()}
    for name in _VERSIONS:
        try:
            found[name] = metadata.version(name)
        except metadata.PackageNotFoundError:
            continue
    return found


def _setting(value: Any) -> str | int | float | bool | None:
    return ", ".join(map(str, value)) if isinstance(value, list) else value
