"""A function calls itself, directly or through others, at least twice inside itself.

Example: ``def depth(n): return 0 if n < 2 else 1 + depth(n // 2)``. A function that the entry point
can reach can reach itself by calls; in the traces three of its activations are open at once.
Source: own.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from factory.constraints.base import Check, Facts
from factory.constraints.execution import Execution
from factory.records import Constraint

FEATURE = "recursion"
_OPEN = 3


def _recursive(facts: Facts) -> set[str]:
    """Reachable functions that can call themselves."""
    called = {
        function.name: {site.callee for site in function.sites if site.callee}
        for function in facts.functions
    }
    found = set()
    for function in facts.reachable():
        seen: set[str] = set()
        waiting = list(called[function.name])
        while waiting:
            name = waiting.pop()
            if name in called and name not in seen:
                seen.add(name)
                waiting += called[name]
        if function.name in seen:
            found.add(function.name)
    return found


def check_static(facts: Facts, constraint: Constraint) -> Iterator[str]:
    """Reasons why nothing can recurse."""
    if constraint.feature == FEATURE and not _recursive(facts):
        yield "no function that the entry point can reach calls itself, directly or through others"


def _deepest(names: set[str], execution: Execution) -> int:
    """Most activations of one of the functions that are open at once."""
    trace = execution.trace
    opened: dict[int, dict[str, int]] = {}
    deepest = 0
    for one in trace.activations:
        above: dict[str, int] = {}
        if one.parent_step is not None and one.parent_step < len(trace.steps):
            above = opened.get(trace.steps[one.parent_step].activation, {})
        mine = dict(above)
        if one.function in names:
            mine[one.function] = mine.get(one.function, 0) + 1
            deepest = max(deepest, mine[one.function])
        opened[one.activation] = mine
    return deepest


def check_dynamic(
    facts: Facts, executions: Sequence[Execution], constraint: Constraint
) -> Iterator[str]:
    """Reasons why nothing recursed."""
    if constraint.feature != FEATURE:
        return
    names = _recursive(facts)
    deepest = max((_deepest(names, execution) for execution in executions), default=0)
    if deepest < _OPEN:
        yield f"at most {deepest} activations of a recursive function are open at once"


CHECK = Check(FEATURE, check_static, check_dynamic)
