"""What the recorder reports, and the parallel lists that it stands for.

The report is what costs least to make and to send: the statement of each step, where the steps go
over to another activation, the steps that did not complete, the parts of all changes one after the
other, and rows of activations and entry values. Everything else follows from that and the
statements.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import count
from typing import Any

REPORT = ("stmts", "switches", "incomplete", "changes", "activations", "entries")
"""Keys of a report; each holds a list."""
_STEP = ("stmt", "activation", "depth", "occurrence", "completed")
_CHANGE = ("step", "name", "op", "type", "value")
_ACTIVATION = ("function", "parent_step", "end", "end_stmt", "type", "value")
_ENTRY = ("activation", "name", "type", "value")

Columns = dict[str, Sequence[Any]]


def expand(report: dict[str, Any]) -> dict[str, Columns]:
    """Return the columns ``steps``, ``changes``, ``activations`` and ``entries`` of a report.

    Args:
        report: Has the keys ``REPORT`` and the ``statements`` as in ``trace --json``.

    Raises:
        KeyError, TypeError, ValueError, IndexError: It has not that shape.
    """
    stmts: list[int] = report["stmts"]
    activations: list[int] = []
    depths: list[int] = []
    end = len(stmts)
    for first, activation, depth in reversed(report["switches"]):
        activations += [activation] * (end - first)
        depths += [depth] * (end - first)
        end = first
    activations.reverse()
    depths.reverse()
    statements = report["statements"]
    never = {row["stmt"] for row in statements if row["kind"] == "Raise"}
    completed = [stmt not in never for stmt in stmts]
    for step in report["incomplete"]:
        completed[step] = False
    counters = [count(1) for _ in statements]
    occurrences = [next(counters[stmt]) for stmt in stmts]
    steps = (stmts, activations, depths, occurrences, completed)
    return {
        "steps": dict(zip(_STEP, steps, strict=True)),
        "changes": _columns(_CHANGE, sorted(_changes(report["changes"]), key=_step_and_name)),
        "activations": _columns(_ACTIVATION, report["activations"]),
        "entries": _columns(_ENTRY, sorted(report["entries"], key=_step_and_name)),
    }


def _columns(names: tuple[str, ...], rows: Iterable[Sequence[Any]]) -> Columns:
    found = list(zip(*rows, strict=True)) or [()] * len(names)
    return dict(zip(names, found, strict=True))


def _changes(flat: list[Any]) -> Iterator[Sequence[Any]]:
    parts = len(_CHANGE)
    return zip(*[flat[first::parts] for first in range(parts)], strict=True)


def _step_and_name(row: Sequence[Any]) -> tuple[int, str]:
    return row[0], row[1]
