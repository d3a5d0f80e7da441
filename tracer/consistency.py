"""Checks, in the parent, that a trace can be one of its program at all.

The recorder shares a process with the program. A program that reaches it (through frames, the
garbage collector or memory) could change what it recorded; most such changes break one of the
rules that every trace keeps, and then the trace is not believed.

Source: own; the rules are those of DESIGN, section 3.
"""

from __future__ import annotations

import ast
import sys
from collections import Counter
from functools import lru_cache
from itertools import count
from typing import NamedTuple

from tracer.inside.sites import Numbered, Numbering, number_statements
from tracer.records import Change, Statement, Step, Trace

_NO_STEPS = frozenset({"Try", "TryStar", "Global", "Nonlocal"})


class Shape(NamedTuple):
    """What the text of a program says of its statements."""

    statements: tuple[Statement, ...]
    scopes: tuple[str, ...]
    """The function or class body that each stands in."""


def find_inconsistency(trace: Trace, shape: Shape | None = None) -> str | None:
    """Return what is impossible about ``trace``, or ``None``.

    Only complete traces are checked: others are never asked about. Statements are compared with
    the program's text where it was traced by this Python version.

    Args:
        trace: To be checked.
        shape: Of its program, where that is known; else its text is read.
    """
    if not trace.complete:
        return None
    if any(activation.end == "running" for activation in trace.activations):
        return "an activation has not ended"
    first = trace.activations[0] if trace.activations else None
    ends = (first.end, trace.outcome.kind) if first is not None else ()
    if first is not None and ends == ("raised", "raised") and first.type != trace.outcome.type:
        return f"its call raised {trace.outcome.type}, its first activation {first.type}"
    if shape is None:
        shape = _shape_of(trace.program.source)
        same_python = trace.python == f"{sys.version_info[0]}.{sys.version_info[1]}"
        if shape is not None and same_python and trace.statements not in ((), shape.statements):
            return "its statements are not those of the program"
    scopes = None if shape is None else shape.scopes
    return (
        _check_steps(trace.steps, trace.statements)
        or _check_activations(trace, scopes)
        or _check_changes(trace)
    )


def _statement(number: int, node: Numbered) -> Statement:
    place = node.pattern if isinstance(node, ast.match_case) else node
    end = node.body[-1].end_lineno if isinstance(node, ast.match_case) else node.end_lineno
    line = place.lineno
    return Statement(number, line, end or line, place.col_offset, type(node).__name__)


@lru_cache(maxsize=64)
def _shape_of(source: str) -> Shape | None:
    try:
        numbering = number_statements(ast.parse(source))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    return Shape(tuple(map(_statement, count(), numbering.nodes)), _scopes_of(numbering))


def _scopes_of(numbering: Numbering) -> tuple[str, ...]:
    """Return, for each statement, the function or class body that it stands in."""
    scopes = ["<module>"] * len(numbering.nodes)
    for number, node in enumerate(numbering.nodes):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            around = scopes[number]
            inner = node.name if around == "<module>" else f"{around}.{node.name}"
            for inside in range(number + 1, numbering.last[number] + 1):
                scopes[inside] = inner
    return tuple(scopes)


def _check_steps(steps: tuple[Step, ...], statements: tuple[Statement, ...]) -> str | None:
    occurrences: Counter[int] = Counter()
    activations = 0
    for index, step in enumerate(steps):
        if step.index != index or not 0 <= step.stmt < len(statements):
            return f"step {index} is out of order"
        statement = statements[step.stmt]
        occurrences[step.stmt] += 1
        if step.line != statement.line or statement.kind in _NO_STEPS:
            return f"step {index} is not one of its statement"
        if step.occurrence != occurrences[step.stmt] or step.depth < 0:
            return f"step {index} is miscounted"
        if step.activation > activations:
            return f"step {index} belongs to an activation that has not begun"
        activations = max(activations, step.activation + 1)
        if any(a.name >= b.name for a, b in zip(step.changes, step.changes[1:], strict=False)):
            return f"step {index} has changes out of order"
    return None


def _check_activations(trace: Trace, scopes: tuple[str, ...] | None) -> str | None:
    first: dict[int, Step] = {}
    for step in trace.steps:
        first.setdefault(step.activation, step)
        if scopes is not None and step.activation < len(trace.activations):
            function = trace.activations[step.activation].function
            if scopes[step.stmt] != function and "." not in function + scopes[step.stmt]:
                return f"step {step.index} is not in {function}"
    if len(first) != len(trace.activations):
        return "its activations are not those of its steps"
    for number, activation in enumerate(trace.activations):
        begin = first.get(number)
        if activation.activation != number or begin is None:
            return f"activation {number} is out of order"
        parent = activation.parent_step
        if (parent is None) != (begin.depth == 0):
            return f"activation {number} has no place in the stack"
        if parent is not None and not 0 <= parent < begin.index:
            return f"activation {number} begins before its caller"
    return None


def _check_changes(trace: Trace) -> str | None:
    """Replay every activation: changes must start from what was there."""
    states = [{v.name: (v.type, v.value) for v in a.entry} for a in trace.activations]
    for step in trace.steps:
        state = states[step.activation]
        for change in step.changes:
            if not _possible(change, state.get(change.name)):
                return f"step {step.index} changes {change.name} impossibly"
            if change.type is None or change.value is None:
                del state[change.name]
            else:
                state[change.name] = (change.type, change.value)
    return None


def _possible(change: Change, before: tuple[str, str] | None) -> bool:
    deletes = change.op in ("delete", "implicit_delete")
    if deletes != (change.type is None) or deletes != (change.value is None):
        return False
    if change.op == "bind":
        return True  # it may have been there before, and been a function for a while
    return before is not None and before != (change.type, change.value)
