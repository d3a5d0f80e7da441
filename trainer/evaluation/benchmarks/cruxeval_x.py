"""CRUXEval-X: CRUXEval's functions in other languages, each asked for its output and for an input.

Rows ``{"id": 0, "code": "...assert(f(1) == 2);", "input_reasoning": "...assert(f(????) == 2);",
"output_reasoning": "...assert(f(1) == ????);"}``, a file or split for each language. No program of
another language runs here: an answer is right when its text is that of the benchmark, blanks aside.
So an input other than the benchmark's own, or another spelling of the same value, counts as wrong,
and the shares are lower bounds of those that CRUXEval-X reports.

Source: https://arxiv.org/abs/2408.13001
"""

from __future__ import annotations

from collections.abc import Iterable

from tracer.prompts import SYSTEM, chat
from trainer.evaluation.asking import ASK_TEXT
from trainer.evaluation.fields import readable, text
from trainer.evaluation.records import Asked, Loaded, Row, Task, TextKey

HOLE = "????"
_FIELDS = {
    "output": ("output_reasoning", "output_reasoing"),
    "input": ("input_reasoning", "input_reasoing"),
}
"""The published field names, one of them misspelt in places."""


def load(rows: Iterable[Row]) -> Loaded:
    """Two tasks a row."""
    pairs, left_out = readable(rows, _tasks)
    return Loaded(tuple(task for pair in pairs for task in pair), tuple(left_out))


def _tasks(row: Row, place: int) -> list[Task]:
    code, name = text(row, "code"), str(row.get("id", place))
    language = row.get("language") if isinstance(row.get("language"), str) else None
    tasks = []
    for kind, fields in _FIELDS.items():
        check = text(row, next((field for field in fields if field in row), fields[0]))
        before, hole, after = check.partition(HOLE)
        if not hole or HOLE in after:
            raise ValueError(f"its check has not one {HOLE}")
        start = code.rfind(before)
        end = code.find(after, start + len(before)) if after else len(code)
        if start < 0 or end < 0:
            raise ValueError("its check is not that of its code")
        answer = code[start + len(before) : end]
        shown = f"{code[:start]}{check}"
        prompt = chat(SYSTEM, ASK_TEXT.format(program=shown.rstrip("\n"), hole=HOLE))
        asked = Asked(f"{name}/{kind}", kind, language, name, TextKey(answer))
        tasks.append(Task(f"{name}/{kind}", prompt, (asked,)))
    return tasks
