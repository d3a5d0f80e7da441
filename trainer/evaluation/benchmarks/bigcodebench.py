"""BigCodeBench: functions that use libraries, judged by ``unittest`` cases.

Rows ``{"task_id": "BigCodeBench/0", "complete_prompt": ..., "canonical_solution": ..., "test":
"class TestCases(unittest.TestCase): ...", "entry_point": "task_func"}``. The cases
exchange objects of libraries with the code, so both share a sandboxed process: code that sets out
to fool its tests can, as it can in BigCodeBench's own runner. A task whose reference solution does
not pass here (a library is missing, or it wants the network) is not judged, and is counted.

Source: https://arxiv.org/abs/2406.15877
"""

from __future__ import annotations

from collections.abc import Iterable

from trainer.evaluation.asking import ask_for_code, in_fence
from trainer.evaluation.coding import CODE, code_task
from trainer.evaluation.fields import name_of, readable, text
from trainer.evaluation.records import Loaded, ModuleKey, Row, Task


def load(rows: Iterable[Row]) -> Loaded:
    """One task a row."""
    tasks, left_out = readable(rows, _task)
    return Loaded(tuple(tasks), tuple(left_out))


def _task(row: Row, place: int) -> Task:
    prompt = text(row, "complete_prompt")
    key = ModuleKey(
        text(row, "entry_point"), text(row, "test"), prompt + text(row, "canonical_solution")
    )
    asked = ask_for_code(
        "Complete this function; repeat its head and the imports that it needs.\n\n"
        + in_fence(prompt)
    )
    return code_task(name_of(row, place), asked, {CODE: key})
