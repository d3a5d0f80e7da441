"""Traces as plain data: the shape that ``trace --json`` prints, and the child's report."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tracer.inside.columns import Columns, expand
from tracer.records import (
    SCHEMA_VERSION,
    Activation,
    Change,
    Outcome,
    Program,
    Statement,
    Step,
    Trace,
    Variable,
)


def trace_to_dict(trace: Trace) -> dict[str, Any]:
    """Return ``trace`` in the shape of ``trace --json``; values stay canonical text."""
    return {
        "schema_version": SCHEMA_VERSION,
        "outcome": {
            "kind": trace.outcome.kind,
            "type": trace.outcome.type,
            "value": trace.outcome.value,
            "message": trace.outcome.message,
        },
        "complete": trace.complete,
        "stdout": trace.stdout,
        "python": trace.python,
        "statements": [
            {"stmt": s.stmt, "line": s.line, "end_line": s.end_line, "col": s.col, "kind": s.kind}
            for s in trace.statements
        ],
        "activations": [
            {
                "activation": a.activation,
                "function": a.function,
                "parent_step": a.parent_step,
                "entry": [{"name": v.name, "type": v.type, "value": v.value} for v in a.entry],
                "end": a.end,
                "end_stmt": a.end_stmt,
                "type": a.type,
                "value": a.value,
            }
            for a in trace.activations
        ],
        "steps": [
            {
                "index": s.index,
                "stmt": s.stmt,
                "line": s.line,
                "activation": s.activation,
                "depth": s.depth,
                "occurrence": s.occurrence,
                "completed": s.completed,
                "changes": [
                    {"name": c.name, "op": c.op, "type": c.type, "value": c.value}
                    for c in s.changes
                ],
            }
            for s in trace.steps
        ],
    }


def trace_from_dict(data: dict[str, Any], program: Program, args: str, stdin: str = "") -> Trace:
    """Return the trace that :func:`trace_to_dict` wrote.

    ``lazy_lines``, where ``data`` has it, gives :attr:`Trace.untracked_lines`.

    Raises:
        KeyError, TypeError: ``data`` has not that shape.
    """
    return Trace(
        program=program,
        args=args,
        outcome=Outcome(**data["outcome"]),
        complete=bool(data["complete"]),
        stdout=data["stdout"],
        python=data["python"],
        statements=tuple(Statement(**row) for row in data["statements"]),
        activations=tuple(_activation(row) for row in data["activations"]),
        steps=tuple(_step(row) for row in data["steps"]),
        untracked_lines=frozenset(data.get("lazy_lines", ())),
        stdin=stdin,
    )


def trace_from_report(
    report: dict[str, Any],
    program: Program,
    args: str,
    stdin: str = "",
    statements: tuple[Statement, ...] | None = None,
) -> Trace:
    """Return the trace that the sandbox's child reported.

    Args:
        report: Has the shape of :mod:`tracer.inside.columns`.
        program: What was run.
        args: The arguments.
        stdin: The standard input.
        statements: Those of the report, where they have been read before.

    Raises:
        KeyError, TypeError, ValueError, IndexError: ``report`` has not that shape.
    """
    return trace_from_columns(expand(report), report, program, args, stdin, statements)


def trace_from_columns(
    columns: dict[str, Columns],
    report: dict[str, Any],
    program: Program,
    args: str,
    stdin: str = "",
    statements: tuple[Statement, ...] | None = None,
) -> Trace:
    """Return the trace of a report whose columns, and perhaps statements, are known."""
    if statements is None:
        statements = tuple(Statement(**row) for row in report["statements"])
    changes: list[list[Change]] = [[] for _ in report["stmts"]]
    for step, *change in _rows(columns["changes"]):
        changes[step].append(Change(*change))
    entries: list[list[Variable]] = [[] for _ in report["activations"]]
    for number, *variable in _rows(columns["entries"]):
        entries[number].append(Variable(*variable))
    activations = tuple(
        Activation(number, function, parent, tuple(entry), *ended)
        for number, ((function, parent, *ended), entry) in enumerate(
            zip(_rows(columns["activations"]), entries, strict=True)
        )
    )
    steps = tuple(
        Step(
            index, stmt, statements[stmt].line, activation, depth, occurrence, done, tuple(changed)
        )
        for index, ((stmt, activation, depth, occurrence, done), changed) in enumerate(
            zip(_rows(columns["steps"]), changes, strict=True)
        )
    )
    return Trace(
        program=program,
        args=args,
        outcome=Outcome(**report["outcome"]),
        complete=bool(report["complete"]),
        stdout=report["stdout"],
        python=report["python"],
        statements=statements,
        activations=activations,
        steps=steps,
        untracked_lines=frozenset(report["lazy_lines"]),
        stdin=stdin,
    )


def _rows(columns: Columns) -> Iterator[tuple[Any, ...]]:
    return zip(*columns.values(), strict=True)


def _activation(row: dict[str, Any]) -> Activation:
    return Activation(**{**row, "entry": tuple(Variable(**entry) for entry in row["entry"])})


def _step(row: dict[str, Any]) -> Step:
    return Step(**{**row, "changes": tuple(Change(**change) for change in row["changes"])})
