"""The folder of one stage's run: its config, its checkpoints, and whether it is finished.

``run.yaml`` is written before the first step, ``finished.json`` after the model, so that the same
command goes on where the last one was stopped.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from trainer.errors import TrainingError

RUN = "run.yaml"
FINISHED = "finished.json"
_CHECKPOINT = re.compile(r"checkpoint-(\d+)")
_WEIGHTS = ("*.safetensors", "*.bin", "*.distcp", "global_step*", "pytorch_model_fsdp*")


def check_run(out: Path, run: Mapping[str, Any]) -> bool:
    """See that a run can begin or go on in a folder; nothing is written.

    Args:
        out: The folder; it need not be there.
        run: What decides what is trained, as plain data, as far as it is known.

    Returns:
        Whether the run is finished already.

    Raises:
        TrainingError: The folder holds something else, or a run of other settings.
    """
    path = out / RUN
    if out.exists() and not out.is_dir():
        raise TrainingError(f"--out {out}: a file, not a folder")
    if not path.exists():
        if out.is_dir() and any(out.iterdir()):
            raise TrainingError(f"--out {out}: not empty, and no run of ours: name another folder")
        return False
    try:
        before = yaml.safe_load(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, yaml.YAMLError) as error:
        raise TrainingError(f"{path}: can't be read: name another --out folder") from error
    if not isinstance(before, dict):
        raise TrainingError(f"{path}: does not describe a run: name another --out folder")
    known = {name: value for name, value in before.items() if name in run}
    difference = first_difference(known, dict(run))
    if difference is not None:
        raise TrainingError(
            f"--out {out}: a run of other settings ({difference}): name another folder, or repeat "
            "the command it was begun with"
        )
    return (out / FINISHED).exists()


def begin_run(out: Path, run: Mapping[str, Any]) -> None:
    """Write down what is trained here, before the first step."""
    write_whole(out / RUN, show_run(run))


def show_run(run: Mapping[str, Any]) -> str:
    """A run as YAML."""
    return yaml.safe_dump(dict(run), sort_keys=False, allow_unicode=True)


def first_difference(before: Any, now: Any, key: str = "") -> str | None:
    """The first key at which two runs differ, with both values; ``None`` when there is none."""
    if isinstance(before, dict) and isinstance(now, dict):
        for name in [*now, *(name for name in before if name not in now)]:
            inside = f"{key}.{name}" if key else str(name)
            found = first_difference(before.get(name), now.get(name), inside)
            if found is not None:
                return found
        return None
    return None if before == now else f"{key} was {before!r}, is now {now!r}"


@dataclass(frozen=True, slots=True)
class Checkpoints:
    """The checkpoints of a run."""

    newest: Path | None
    """The newest whole one; ``None``: begin anew."""
    broken: tuple[Path, ...]
    """Newer ones that are not whole: the run was killed, or the disk full, as they were written."""


def find_checkpoints(out: Path) -> Checkpoints:
    """The checkpoints in a run's folder."""
    found = [
        (int(match[1]), path)
        for path in (out.iterdir() if out.is_dir() else ())
        if path.is_dir() and (match := _CHECKPOINT.fullmatch(path.name))
    ]
    broken: list[Path] = []
    for _, path in sorted(found, reverse=True):
        if _is_whole(path):
            return Checkpoints(path, tuple(broken))
        broken.append(path)
    return Checkpoints(None, tuple(broken))


def finish_run(out: Path, facts: Mapping[str, Any]) -> None:
    """Say that the run is finished; the model must be there by now."""
    write_whole(out / FINISHED, json.dumps(dict(facts), indent=2) + "\n")


def write_whole(path: Path, text: str) -> None:
    """Give a file the text, whole or not at all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f".{path.name}.part")
    temporary.write_text(text, encoding="utf-8")
    with temporary.open("rb+") as file:
        os.fsync(file.fileno())
    temporary.replace(path)


def _is_whole(checkpoint: Path) -> bool:
    """Whether everything is there: the trainer writes its state last."""
    state = checkpoint / "trainer_state.json"
    try:
        json.loads(state.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return False
    weights = [path for pattern in _WEIGHTS for path in checkpoint.glob(pattern)]
    return bool(weights) and all(
        _has_all_tensors(path) for path in weights if path.suffix == ".safetensors"
    )


def _has_all_tensors(path: Path) -> bool:
    """Whether a safetensors file is as long as its header says."""
    try:
        with path.open("rb") as file:
            length = int.from_bytes(file.read(8), "little")
            header = json.loads(file.read(min(length, path.stat().st_size)))
        ends = [part["data_offsets"][1] for name, part in header.items() if name != "__metadata__"]
        return path.stat().st_size == 8 + length + max(ends, default=0)
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return False
