"""Replies to tasks, each kept on disk as soon as it is there.

``completions.jsonl`` holds a line for each prompt, named by the hash of all that decides the
replies; a run that was killed asks only for what is missing, and its files end up the same.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from trainer.errors import ModelError, TrainingError
from trainer.evaluation.records import Mode, Task
from trainer.models.registry import Model

FILE = "completions.jsonl"
BATCH = 64
"""Prompts after which replies are written to disk."""
Advance: TypeAlias = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class Sampling:
    """How replies are drawn."""

    mode: Mode
    n: int
    """Replies to each prompt."""
    temperature: float
    max_tokens: int
    """Most tokens of a reply."""
    seed: int


class Completions:
    """The replies that are there, and the file that holds them."""

    def __init__(self, path: Path) -> None:
        """Read the file, or make it; a last line that was cut off is taken away.

        Raises:
            TrainingError: The file holds something else.
        """
        self._path = path
        self._known: dict[str, list[str]] = {}
        whole = 0
        if path.exists():
            with path.open("rb") as file:
                for number, line in enumerate(file, 1):
                    if not line.endswith(b"\n"):
                        break
                    self._read(line, number)
                    whole += len(line)
            os.truncate(path, whole)

    def _read(self, line: bytes, number: int) -> None:
        try:
            found = json.loads(line)
            self._known[found["key"]] = [str(each) for each in found["replies"]]
        except (ValueError, KeyError, TypeError) as error:
            raise TrainingError(
                f"{self._path}:{number}: no completions of ours: take the file away, or name "
                "another --out folder"
            ) from error

    def get(self, key: str) -> list[str] | None:
        """The replies of this key."""
        return self._known.get(key)

    def add(self, replies: Sequence[tuple[str, Sequence[str]]]) -> None:
        """Keep replies by key."""
        with self._path.open("ab") as file:
            for key, texts in replies:
                self._known[key] = list(texts)
                line = json.dumps({"key": key, "replies": list(texts)}, ensure_ascii=True)
                file.write(line.encode("ascii") + b"\n")
            file.flush()
            os.fsync(file.fileno())


def complete(
    model: Model,
    tasks: Sequence[Task],
    sampling: Sampling,
    kept: Completions,
    advance: Advance,
) -> list[list[str]]:
    """The replies to each task, in their order.

    Raises:
        ModelError: The model failed; what it gave before is kept.
    """
    keys = [_key(model.name, task, sampling) for task in tasks]
    missing = {key: task for key, task in zip(keys, tasks, strict=True) if kept.get(key) is None}
    waiting = list(missing)
    advance(len(tasks) - len(waiting), len(tasks))
    for first in range(0, len(waiting), BATCH):
        batch = waiting[first : first + BATCH]
        try:
            replies = model.complete(
                [missing[key].prompt for key in batch],
                n=sampling.n,
                temperature=sampling.temperature,
                max_tokens=sampling.max_tokens,
                seed=sampling.seed,
            )
        except (RuntimeError, OSError) as error:
            reason = str(error).strip().split("\n", 1)[0]
            raise ModelError(
                f"the model {model.name} failed: {reason}; the replies it gave are kept: run the "
                "same command again to go on"
            ) from error
        kept.add(list(zip(batch, replies, strict=True)))
        advance(len(tasks) - len(waiting) + first + len(batch), len(tasks))
    found = [kept.get(key) for key in keys]
    return [replies for replies in found if replies is not None]


def _key(name: str, task: Task, sampling: Sampling) -> str:
    content = [
        name,
        [dict(message) for message in task.prompt],
        *(sampling.n, sampling.temperature, sampling.max_tokens, sampling.seed),
    ]
    return hashlib.sha256(json.dumps(content, sort_keys=True).encode("ascii")).hexdigest()
