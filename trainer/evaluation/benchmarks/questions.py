"""Our own questions: the test split of a dataset's config ``stage1``, with the prompts of training.

Each question of a prompt is judged by itself, by kind and level.

Source: own.
"""

from __future__ import annotations

from collections.abc import Iterable

from tracer.records import Program, Question
from trainer.evaluation.fields import readable, text
from trainer.evaluation.records import Asked, Loaded, QuestionKey, Row, Task


def load(rows: Iterable[Row]) -> Loaded:
    """One task a row, with its questions."""
    tasks, left_out = readable(rows, _task)
    return Loaded(tuple(tasks), tuple(left_out))


def _task(row: Row, place: int) -> Task:
    name = text(row, "stage1_id")
    program = Program(text(row, "source"), row.get("entry_point"))
    level = None if row.get("level") is None else str(row["level"])
    columns = [row.get(key) for key in ("answer_ids", "kinds", "keys", "valids")]
    if not all(isinstance(column, list) and column for column in columns):
        raise ValueError("it is no row of the config stage1")
    asked = tuple(
        Asked(id_, kind, level, str(row.get("program_id", name)), _key(kind, key, valid, program))
        for id_, kind, key, valid in zip(*columns, strict=True)
    )
    return Task(name, row["prompt"], asked, row.get("layout") or "any")


def _key(kind: str, key: str, valid: Iterable[str] | None, program: Program) -> QuestionKey:
    return QuestionKey(Question(kind, "", key, tuple(valid or ())), program)
