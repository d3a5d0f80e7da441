"""CRUXEval: 800 functions ``f``, each asked for its output and for an input.

Rows ``{"id": "sample_0", "code": "def f(nums): ...", "input": "[1, 1]", "output": "[(2, 1)]"}``.
CRUXEval runs an answer as part of an assertion; here it is parsed, and only arguments of ours or
literal ones are ever run.

Source: https://arxiv.org/abs/2401.03065
"""

from __future__ import annotations

from collections.abc import Iterable

from tracer.records import Program
from trainer.evaluation.execution import Case, ask_about
from trainer.evaluation.fields import name_of, readable, text
from trainer.evaluation.records import Loaded, Row

KINDS = {"output": "output", "input": "input"}


def load(rows: Iterable[Row]) -> Loaded:
    """Two tasks a row."""
    cases, left_out = readable(rows, _case)
    found = ask_about(cases, KINDS)
    return Loaded(found.tasks, (*left_out, *found.left_out))


def _case(row: Row, place: int) -> Case:
    name = name_of(row, place)
    program = Program(text(row, "code"), row.get("entry_point") or "f")
    return Case(name, name, None, program, text(row, "input").strip(), text(row, "output"))
