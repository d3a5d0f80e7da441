"""MBPP and MBPP+: functions described in a sentence, judged by unit tests.

Rows ``{"task_id": 2, "prompt": "Write a function to ...", "code": ..., "test_list": [...]}`` (the
full set says ``text`` for ``prompt``); those of EvalPlus have ``base_input`` and are judged by the
original inputs (``base``), and by these and its own together (``plus``). The prompt shows the tests
of the paper, which alone tell the function's name.

Sources: https://arxiv.org/abs/2108.07732, https://arxiv.org/abs/2305.01210
"""

from __future__ import annotations

from collections.abc import Iterable

from trainer.evaluation.asking import ask_for_code, in_fence
from trainer.evaluation.coding import code_task, tests_of
from trainer.evaluation.fields import name_of, readable, text
from trainer.evaluation.records import Loaded, Row, Task

SHOWN = 3


def load(rows: Iterable[Row]) -> Loaded:
    """One task a row."""
    tasks, left_out = readable(rows, _task)
    return Loaded(tuple(tasks), tuple(left_out))


def _task(row: Row, place: int) -> Task:
    described = row.get("text") if isinstance(row.get("text"), str) else text(row, "prompt")
    examples = row.get("test_list")
    if isinstance(examples, list) and examples:
        shown = "\n".join(map(str, examples[:SHOWN]))
        described = f"{described}\n\nIt has to pass such tests:\n\n{in_fence(shown)}"
    # EvalPlus's prompt is a docstring with the sentence and one of the tests
    return code_task(name_of(row, place), ask_for_code(str(described)), tests_of(row))
