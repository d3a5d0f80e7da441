"""Calls of the target are nested in one another.

``a.m(b.m(…))``, ``a.m(…).m(…)``, ``a[b[i]]``, also with other expressions between. The depth is the
number of uses of the target on one path of an expression. What returns nothing (``append``,
``[]=``) cannot nest; it is used once, at depth 1, and has no cell at level 1.
Source: ExecVerify (arXiv 2603.11226), section 3, "nested method calls"; the definition is ours.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from factory.constraints.base import Check, Facts, Site, has_run, matches
from factory.constraints.catalogue import nests
from factory.constraints.execution import Execution
from factory.records import Constraint


def _nests(facts: Facts, constraint: Constraint) -> Iterator[tuple[int, Site]]:
    """Uses of the target that run when their statement does, each with its depth in the nest."""
    for function in facts.reachable():
        for site in function.sites:
            if not matches(site, constraint) or not site.certain:
                continue
            depth, at = 1, site
            while at.parent is not None:
                at = function.sites[at.parent]
                depth += matches(at, constraint)
            yield depth, site


def check_static(facts: Facts, constraint: Constraint) -> Iterator[str]:
    """Reasons why no nest is deep enough."""
    deepest = max((depth for depth, _ in _nests(facts, constraint)), default=0)
    least = 2 if nests(constraint.type, constraint.method) or constraint.level == 1 else 1
    if constraint.nested_depth < least:
        yield f"a depth of {constraint.nested_depth} is no nest: at least {least} is needed"
    if deepest < constraint.nested_depth:
        yield (
            f"calls of {constraint.type}.{constraint.method} are nested {deepest} deep, "
            f"not {constraint.nested_depth}"
        )


def check_dynamic(
    facts: Facts, executions: Sequence[Execution], constraint: Constraint
) -> Iterator[str]:
    """Reasons why no deep nest ran."""
    sites = [s for depth, s in _nests(facts, constraint) if depth >= constraint.nested_depth]
    if not any(has_run(site, execution) for site in sites for execution in executions):
        yield "no statement with the nested calls ran to its end"


CHECK = Check("nested_calls", check_static, check_dynamic)
