r"""Programs that use libraries, asked for their output.

Rows in CRUXEval's shape, the program with its imports: ``{"id": "a", "code": "import math\n...",
"entry_point": "f", "input": "2", "output": "1.4142135623730951"}``. Without ``output`` the value
that the program returns here is the answer. A program whose libraries are not installed, or not to
be had in the sandbox, is left out by name.

Source: https://arxiv.org/abs/2603.11226 (library-involved output prediction)
"""

from __future__ import annotations

from collections.abc import Iterable

from tracer.records import Program
from trainer.evaluation.execution import Case, ask_about
from trainer.evaluation.fields import name_of, readable, text
from trainer.evaluation.records import Loaded, Row

KINDS = {"output": "output"}


def load(rows: Iterable[Row]) -> Loaded:
    """One task a row."""
    cases, left_out = readable(rows, _case)
    found = ask_about(cases, KINDS)
    return Loaded(found.tasks, (*left_out, *found.left_out))


def _case(row: Row, place: int) -> Case:
    name = name_of(row, place)
    libraries = row.get("libs")
    level = ", ".join(libraries) if isinstance(libraries, list) else libraries
    program = Program(text(row, "code"), row.get("entry_point") or "f")
    expected = text(row, "output") if row.get("output") is not None else None
    return Case(name, name, level, program, text(row, "input").strip(), expected)
