"""An inner function uses a variable of the function around it, and what it finds there differs.

Example: a ``nonlocal`` counter, a factory of adders. The inner function reads (or declares
``nonlocal``) a name that is local to the outer one; in the traces of one call it runs at least
twice, and the variable does not hold the same each time it begins.
Source: own.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from factory.constraints.base import Check, Facts
from factory.constraints.execution import Execution
from factory.records import Constraint

FEATURE = "closures"


def _captures(facts: Facts) -> dict[str, frozenset[str]]:
    """Inner functions and the variables that they take from the function around them."""
    from factory.constraints.outline import (
        bound_names,
        inner_targets,
        read_names,
        read_outline,
    )

    outline = read_outline(facts.program)
    reachable = {function.name for function in facts.reachable()}
    found: dict[str, frozenset[str]] = {}
    for name, node in outline.functions.items():
        outer = name.rpartition(".")[0]
        if outer in outline.functions and outer in reachable:
            free = read_names(node.body) - bound_names(node) - inner_targets(node)
            captured = free & bound_names(outline.functions[outer])
            definitions = {each.rpartition(".")[2] for each in outline.functions}
            if captured - definitions:
                found[name] = captured - definitions
    return found


def check_static(facts: Facts, constraint: Constraint) -> Iterator[str]:
    """Reasons why there is no closure."""
    if constraint.feature == FEATURE and not _captures(facts):
        yield "no inner function uses a variable of the function around it"


def check_dynamic(
    facts: Facts, executions: Sequence[Execution], constraint: Constraint
) -> Iterator[str]:
    """Reasons why no closure carried anything."""
    if constraint.feature != FEATURE:
        return
    captures = _captures(facts)
    for execution in executions:
        met: dict[tuple[str, str], set[str]] = {}
        for one in execution.trace.activations:
            for variable in one.entry:
                if variable.name in captures.get(one.function, ()):
                    met.setdefault((one.function, variable.name), set()).add(variable.value)
        if any(len(values) > 1 for values in met.values()):
            return
    yield "no inner function finds different values in a variable of the function around it"


CHECK = Check(FEATURE, check_static, check_dynamic)
