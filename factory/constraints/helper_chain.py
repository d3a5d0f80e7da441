"""The entry point calls a helper, and that helper calls another one.

Example: ``entry`` calls ``rate``, ``rate`` calls ``measure``. All three are functions of the
program and differ; in the traces both calls happen.
Source: ExecVerify (arXiv 2603.11226), section 3, "helper function chain".
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from factory.constraints.base import Check, Facts
from factory.constraints.execution import Execution
from factory.records import Constraint


def _chains(facts: Facts) -> list[tuple[str, str, str]]:
    called = {
        function.name: sorted({site.callee for site in function.sites if site.callee})
        for function in facts.functions
    }
    entry = facts.entry or ""
    return [
        (entry, middle, last)
        for middle in called.get(entry, ())
        for last in called.get(middle, ())
        if len({entry, middle, last}) == 3
    ]


def check_static(facts: Facts, constraint: Constraint) -> Iterator[str]:
    """Reasons why there is no chain."""
    if not constraint.helper_chain or _chains(facts):
        return
    names = {function.name for function in facts.functions} - {facts.entry}
    reached = {function.name for function in facts.reachable()}
    if not names:
        yield "the program has no helper"
    elif names - reached:
        yield f"the helper {min(names - reached)} is never called"
    else:
        yield "no helper of the entry point calls another helper"


def check_dynamic(
    facts: Facts, executions: Sequence[Execution], constraint: Constraint
) -> Iterator[str]:
    """Reasons why no chain ran."""
    if not constraint.helper_chain:
        return
    for entry, middle, last in _chains(facts):
        for execution in executions:
            if {(entry, middle), (middle, last)} <= execution.calls:
                return
    yield "no call runs from the entry point through one helper into another"


CHECK = Check("helper_chain", check_static, check_dynamic)
