"""A generator of the program is resumed again and again.

Example: ``def evens(xs): for x in xs: if x % 2 == 0: yield x``. A function that the entry point can
reach has a ``yield`` of its own; in the traces one of its activations goes on after a ``yield`` at
least twice.
Source: own.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from factory.constraints.base import Check, Facts
from factory.constraints.execution import Execution
from factory.records import Constraint

FEATURE = "generators"
_RESUMED = 2


def _yields(facts: Facts) -> set[int]:
    """Numbers of the statements of reachable functions that hold a ``yield``."""
    import libcst as cst

    from factory.constraints.outline import own_nodes, read_outline

    outline = read_outline(facts.program)
    found: set[int] = set()
    for function in facts.reachable():
        number = -1
        for node in own_nodes(outline.functions[function.name]):
            number = outline.numbers.get(id(node), number)
            if isinstance(node, cst.Yield):
                found.add(number)
    return found


def check_static(facts: Facts, constraint: Constraint) -> Iterator[str]:
    """Reasons why there is no generator."""
    if constraint.feature == FEATURE and not _yields(facts):
        yield "no function that the entry point can reach has a yield"


def check_dynamic(
    facts: Facts, executions: Sequence[Execution], constraint: Constraint
) -> Iterator[str]:
    """Reasons why no generator was used as one."""
    if constraint.feature != FEATURE:
        return
    yields = _yields(facts)
    most = 0
    for execution in executions:
        resumed: Counter[int] = Counter()
        waiting: dict[int, bool] = {}
        for step in execution.trace.steps:
            resumed[step.activation] += waiting.get(step.activation, False)
            waiting[step.activation] = step.stmt in yields
        most = max([most, *resumed.values()])
    if most < _RESUMED:
        yield f"a generator goes on after a yield at most {most} times"


CHECK = Check(FEATURE, check_static, check_dynamic)
