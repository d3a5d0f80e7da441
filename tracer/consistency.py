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

from tracer.records import Change, Program, Statement, Step, Trace

_NO_STEPS = frozenset({"Try", "TryStar", "Global", "Nonlocal"})
_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


def find_inconsistency(trace: Trace) -> str | None:
    """Return what is impossible about ``trace``, or ``None``.

    Only complete traces are checked: others are never asked about. Statements are compared with
    the program's text where it was traced by this Python version.
    """
    if not trace.complete:
        return None
    if any(activation.end == "running" for activation in trace.activations):
        return "an activation has not ended"
    scopes = _scopes_of(trace.program)
    if trace.python == f"{sys.version_info[0]}.{sys.version_info[1]}" and scopes is not None:
        if trace.statements and trace.statements != _statements_of(trace.program):
            return "its statements are not those of the program"
    return (
        _check_steps(trace.steps, trace.statements)
        or _check_activations(trace, scopes)
        or _check_changes(trace)
    )


def _numbered(tree: ast.AST) -> list[tuple[ast.AST, str]]:
    """Return every statement, handler and case in preorder with the name of its scope."""
    found: list[tuple[ast.AST, str]] = []

    def visit(node: ast.AST, scope: str) -> None:
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.expr):
                continue
            inner = scope
            if isinstance(child, ast.stmt | ast.ExceptHandler | ast.match_case):
                found.append((child, scope))
                if isinstance(child, _SCOPES):
                    inner = child.name if scope == "<module>" else f"{scope}.{child.name}"
            visit(child, inner)

    visit(tree, "<module>")
    return found


def _parse(program: Program) -> list[tuple[ast.AST, str]] | None:
    try:
        return _numbered(ast.parse(program.source))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def _scopes_of(program: Program) -> list[str] | None:
    numbered = _parse(program)
    return None if numbered is None else [scope for _, scope in numbered]


def _statements_of(program: Program) -> tuple[Statement, ...]:
    rows = []
    for number, (node, _) in enumerate(_parse(program) or ()):
        if isinstance(node, ast.match_case):
            place: ast.AST = node.pattern
            end = node.body[-1].end_lineno
        else:
            place = node
            end = getattr(node, "end_lineno", None)
        line, col = getattr(place, "lineno", 0), getattr(place, "col_offset", 0)
        rows.append(Statement(number, line, end or line, col, type(node).__name__))
    return tuple(rows)


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


def _check_activations(trace: Trace, scopes: list[str] | None) -> str | None:
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
