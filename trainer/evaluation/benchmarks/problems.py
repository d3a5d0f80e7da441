"""Our own problems: the test split of the config ``problems``, with the prompts of training.

``tests`` is the JSON text of an object in one of the published shapes.

Source: own.
"""

from __future__ import annotations

import json
from collections.abc import Iterable

from tracer.problems import problem_of
from trainer.evaluation.coding import CODE, code_task
from trainer.evaluation.fields import readable, text
from trainer.evaluation.records import Loaded, Row, Task, TestsKey


def load(rows: Iterable[Row]) -> Loaded:
    """One task a row."""
    tasks, left_out = readable(rows, _task)
    return Loaded(tuple(tasks), tuple(left_out))


def _task(row: Row, place: int) -> Task:
    tests = json.loads(text(row, "tests"))
    record = {"entry_point": row.get("entry_point"), "prompt": row.get("starter") or "", **tests}
    level = None if row.get("level") is None else str(row["level"])
    key = TestsKey(problem_of(record))
    return code_task(text(row, "problem_id"), row["prompt"], {CODE: key}, level)
