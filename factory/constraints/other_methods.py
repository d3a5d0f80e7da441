"""Other methods, of the same or another type, are called too.

Example: ``("str.lower", "list.sort")``. Each must be called on a receiver of its static type in a
function that the entry point can reach, and its statement must run.
Source: ExecVerify (arXiv 2603.11226), section 3, "other methods".
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from factory.constraints.base import Check, Facts, Site, has_run
from factory.constraints.execution import Execution
from factory.records import Constraint


def _sites(facts: Facts, wanted: str) -> list[Site]:
    type_, _, method = wanted.partition(".")
    return [
        site
        for function in facts.reachable()
        for site in function.sites
        if site.type == type_ and site.method == method and site.certain
    ]


def check_static(facts: Facts, constraint: Constraint) -> Iterator[str]:
    """Reasons why one of them is missing."""
    target = f"{constraint.type}.{constraint.method}"
    if constraint.level >= 2 and not constraint.other_methods:
        yield f"level {constraint.level} needs another method"
    for wanted in constraint.other_methods:
        if wanted == target:
            yield f"{wanted} is the target, not another method"
        elif not _sites(facts, wanted):
            yield f"{wanted} is never called on an object known to be that type"


def check_dynamic(
    facts: Facts, executions: Sequence[Execution], constraint: Constraint
) -> Iterator[str]:
    """Reasons why one of them did not run."""
    for wanted in constraint.other_methods:
        sites = _sites(facts, wanted)
        if not any(has_run(site, execution) for site in sites for execution in executions):
            yield f"{wanted}: no statement that calls it ran to its end"


CHECK = Check("other_methods", check_static, check_dynamic)
