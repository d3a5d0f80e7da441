"""Answers that were made elsewhere: JSON lines ``{"benchmark", "id", "answer"}``.

Several lines with one id are several replies to the same prompt. ``benchmark`` may be missing where
only one is evaluated.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path

from trainer.errors import TrainingError
from trainer.evaluation.records import Task
from trainer.evaluation.rows import read_rows


class GivenAnswers:
    """The answers of a file."""

    def __init__(self, path: Path, benchmarks: Sequence[str]) -> None:
        """Read them.

        Args:
            path: The file.
            benchmarks: Those that are evaluated.

        Raises:
            TrainingError: It can't be read, or a line is of another kind.
        """
        if not path.is_file():
            raise TrainingError(f"--answers {path}: no such file")
        self._answers: dict[tuple[str, str], list[str | None]] = {}
        for number, row in enumerate(read_rows(str(path), None, ""), 1):
            benchmark = row.get("benchmark", benchmarks[0] if len(benchmarks) == 1 else None)
            answer = row.get("answer")
            if benchmark is None or "id" not in row or not isinstance(answer, str | None):
                raise TrainingError(
                    f"{path}: line {number}: write "
                    '{"benchmark": "cruxeval", "id": "sample_0/output", "answer": "..."}'
                )
            self._answers.setdefault((str(benchmark), str(row["id"])), []).append(answer)
        self.name = f"answers@{hashlib.sha256(path.read_bytes()).hexdigest()[:12]}"

    def replies(self, benchmark: str, tasks: Sequence[Task]) -> list[list[str | None]]:
        """The answers to each task; one ``None`` where there are none.

        Raises:
            TrainingError: None of the tasks has an answer.
        """
        found = [self._answers.get((benchmark, task.id), []) for task in tasks]
        if tasks and not any(found):
            raise TrainingError(
                f"--answers: no line has an id of {benchmark}, such as {tasks[0].id!r}"
            )
        return [answers or [None] for answers in found]
