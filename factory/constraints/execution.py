"""A trace as the dynamic checks read it."""

from __future__ import annotations

from dataclasses import dataclass

from tracer.records import Trace


@dataclass(frozen=True, slots=True)
class Execution:
    """What one trace shows about statements, transitions, variables and calls."""

    completed: frozenset[int]
    """Statements with a completed step."""
    paths: tuple[tuple[int, ...], ...]
    """Statements of each activation in the order in which they began; ``-1`` ends the path of an
    activation that returned."""
    types: frozenset[tuple[int, str, str]]
    """``(stmt, variable, type)`` seen when a step began that completed."""
    calls: frozenset[tuple[str, str]]
    """``(caller, callee)`` function names."""
    filled: frozenset[tuple[int, str]]
    """``(stmt, variable)`` that held something when a step began that completed."""
    trace: Trace
    """What it was read from."""


_EMPTY = frozenset(
    {"[]", "()", "{}", "''", "b''", "set()", "frozenset()", "collections.deque([])"}
    | {"collections.Counter({})", "collections.OrderedDict([])", "collections.Counter()"}
)
"""Texts of containers that hold nothing."""


def read_trace(trace: Trace) -> Execution:
    """Collects what the checks need; costs one pass over the steps."""
    names = {one.activation: one.function for one in trace.activations}
    state: dict[int, dict[str, tuple[str, bool]]] = {
        one.activation: {
            variable.name: (variable.type, variable.value not in _EMPTY) for variable in one.entry
        }
        for one in trace.activations
    }
    paths: dict[int, list[int]] = {}
    completed: set[int] = set()
    types: set[tuple[int, str, str]] = set()
    filled: set[tuple[int, str]] = set()
    for step in trace.steps:
        held = state.setdefault(step.activation, {})
        if step.completed:
            completed.add(step.stmt)
            for name, (type_, some) in held.items():
                types.add((step.stmt, name, type_))
                if some:
                    filled.add((step.stmt, name))
        paths.setdefault(step.activation, []).append(step.stmt)
        for change in step.changes:
            if change.type is None:
                held.pop(change.name, None)
            else:
                held[change.name] = (change.type, change.value not in _EMPTY)
    for one in trace.activations:
        if one.activation in paths and one.end not in ("running", "raised"):
            paths[one.activation].append(-1)
    calls = frozenset(
        (names.get(trace.steps[one.parent_step].activation, ""), one.function)
        for one in trace.activations
        if one.parent_step is not None and one.parent_step < len(trace.steps)
    )
    return Execution(
        frozenset(completed),
        tuple(map(tuple, paths.values())),
        frozenset(types),
        calls,
        frozenset(filled),
        trace,
    )
