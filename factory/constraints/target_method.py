"""The target is called on an object of its type, in code that the entry point can reach.

Example: ``str.strip`` holds for ``def f(s: str): return s.strip()``; it does not for a ``strip``
in a comment or a string, on an object of unknown type, or in a function nobody calls.
Source: ExecVerify (arXiv 2603.11226), section 3, "built-in methods"; the proof is ours.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from factory.constraints.base import Check, Facts, Site, has_run, matches
from factory.constraints.execution import Execution
from factory.records import Constraint


def check_static(facts: Facts, constraint: Constraint) -> Iterator[str]:
    """Reasons why the target is not called."""
    wanted = f"{constraint.type}.{constraint.method}"
    reachable = facts.reachable()
    sites = [site for function in reachable for site in function.sites]
    found = [site for site in sites if matches(site, constraint)]
    if any(site.certain for site in found):
        return
    if found:
        yield f"{wanted} is only used where it may not run although its statement does"
        return
    same_name = sorted({site.type for site in sites if site.method == constraint.method})
    elsewhere = [
        function.name
        for function in facts.functions
        if any(matches(site, constraint) for site in function.sites)
    ]
    if elsewhere:
        yield f"{wanted} is only called in {elsewhere[0]}, which the entry point never calls"
    elif same_name == ["?"]:
        yield f"{wanted}: the type of what {constraint.method} is called on is not known"
    elif same_name:
        yield f"{wanted}: {constraint.method} is only called on {' and '.join(same_name)}"
    else:
        yield f"{wanted} is never called"


def _held(site: Site, execution: Execution) -> bool:
    """Whether the receiver was of its type; what is no variable has the type of its expression."""
    if site.variable is None:
        return True
    return any((site.stmt, site.variable, name) in execution.types for name in site.held)


def check_dynamic(
    facts: Facts, executions: Sequence[Execution], constraint: Constraint
) -> Iterator[str]:
    """Reasons why the target did not run on an object of its type."""
    wanted = f"{constraint.type}.{constraint.method}"
    sites = [
        site
        for function in facts.reachable()
        for site in function.sites
        if matches(site, constraint)
    ]
    ran = [(s, execution) for s in sites for execution in executions if has_run(s, execution)]
    if not ran:
        yield f"{wanted}: no statement that calls it ran to its end"
    elif not all(_held(site, execution) for site, execution in ran):
        yield f"{wanted}: a receiver did not hold {constraint.type} when the statement ran"


CHECK = Check("target_method", check_static, check_dynamic)
