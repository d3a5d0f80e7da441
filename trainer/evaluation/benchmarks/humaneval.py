"""HumanEval and HumanEval+: functions to be completed, judged by unit tests.

Rows ``{"task_id": "HumanEval/0", "prompt": "def f(x): ...", "entry_point": "f", "test": ...}``;
those of EvalPlus have ``base_input``, ``plus_input`` and ``canonical_solution`` and are judged
twice: by the original inputs (``base``), and by these and its own together (``plus``).

Sources: https://arxiv.org/abs/2107.03374, https://arxiv.org/abs/2305.01210
"""

from __future__ import annotations

from collections.abc import Iterable

from trainer.evaluation.asking import ask_for_code, in_fence
from trainer.evaluation.coding import code_task, tests_of
from trainer.evaluation.fields import name_of, readable, text
from trainer.evaluation.records import Loaded, Row, Task


def load(rows: Iterable[Row]) -> Loaded:
    """One task a row."""
    tasks, left_out = readable(rows, _task)
    return Loaded(tuple(tasks), tuple(left_out))


def _task(row: Row, place: int) -> Task:
    prompt = ask_for_code(
        "Complete this function; repeat its head and the imports that it needs.\n\n"
        + in_fence(text(row, "prompt"))
    )
    return code_task(name_of(row, place), prompt, tests_of(row))
