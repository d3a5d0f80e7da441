"""Calls of the target are nested.

A method whose result can be its own receiver or argument is nested in itself: ``a.m(b.m(…))``,
``a.m(…).m(…)``, also with other expressions between. Any other target (``append`` returns nothing,
``startswith`` a bool) is nested in, or holds, another call: ``len(a.m(…))``, ``a.m(max(b))``. The
depth is the number of such calls on one path of an expression.
Source: ExecVerify (arXiv 2603.11226), section 3, "nested method calls"; the definition is ours.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from factory.constraints.base import Check, Facts, Function, matches
from factory.constraints.catalogue import nests_in_itself
from factory.constraints.execution import Execution
from factory.records import Constraint


def _deepest(function: Function, constraint: Constraint) -> dict[int, int]:
    """Depth of the nest that ends in each innermost counted call, by statement."""
    alone = nests_in_itself(constraint.type, constraint.method)
    result: dict[int, int] = {}
    for site in function.sites:
        depth, hit, at = 0, False, site.index
        while True:
            here = function.sites[at]
            target = matches(here, constraint)
            hit = hit or target
            depth += target or (here.is_call and not alone)
            if here.parent is None:
                break
            at = here.parent
        if hit:
            result[site.stmt] = max(depth, result.get(site.stmt, 0))
    return result


def check_static(facts: Facts, constraint: Constraint) -> Iterator[str]:
    """Reasons why no nest is deep enough."""
    depths = [
        depth for function in facts.reachable() for depth in _deepest(function, constraint).values()
    ]
    deepest = max(depths, default=0)
    if deepest < constraint.nested_depth:
        yield (
            f"calls of {constraint.type}.{constraint.method} are nested {deepest} deep, "
            f"not {constraint.nested_depth}"
        )


def check_dynamic(
    facts: Facts, executions: Sequence[Execution], constraint: Constraint
) -> Iterator[str]:
    """Reasons why no deep nest ran."""
    stmts = {
        stmt
        for function in facts.reachable()
        for stmt, depth in _deepest(function, constraint).items()
        if depth >= constraint.nested_depth
    }
    if not any(stmts & execution.completed for execution in executions):
        yield "no statement with the nested calls ran to its end"


CHECK = Check("nested_calls", check_static, check_dynamic)
