"""Constraints: what a template program promises, proved on its text and on its traces.

:func:`check_static` parses the program with libcst and trusts nothing of how it was made;
:func:`check_dynamic` reads the traces of its accepted calls. A new constraint is one file with a
``CHECK`` and one line in :data:`CONSTRAINTS`.
"""

from __future__ import annotations

from collections.abc import Sequence

from factory.constraints import (
    aliasing,
    classes,
    closures,
    comprehensions,
    control_flow,
    exceptions,
    generators,
    helper_chain,
    nested_calls,
    other_methods,
    recursion,
    target_method,
)
from factory.constraints.base import Check, Violation
from factory.constraints.execution import read_trace
from factory.records import Constraint
from tracer.records import Program, Trace

CONSTRAINTS: tuple[Check, ...] = (
    target_method.CHECK,
    nested_calls.CHECK,
    other_methods.CHECK,
    control_flow.CHECK,
    helper_chain.CHECK,
    comprehensions.CHECK,
    aliasing.CHECK,
    recursion.CHECK,
    exceptions.CHECK,
    closures.CHECK,
    generators.CHECK,
    classes.CHECK,
)

__all__ = ["CONSTRAINTS", "Check", "Violation", "check_dynamic", "check_static"]


def check_static(program: Program, constraint: Constraint) -> tuple[Violation, ...]:
    """What the text of ``program`` does not keep of ``constraint``; empty when all holds.

    Never raises on a program: text that the parser cannot read, and an entry point that is
    missing, are violations of ``readable``.
    """
    from factory.constraints.analysis import NotReadable, analyse

    try:
        facts = analyse(program)
    except NotReadable as error:
        return (Violation("readable", f"the constraint checker cannot read it: {error}"),)
    if facts.entry not in {function.name for function in facts.functions}:
        return (Violation("readable", f"no function {facts.entry} in the program"),)
    return tuple(
        Violation(check.name, reason)
        for check in CONSTRAINTS
        for reason in check.static(facts, constraint)
    )


def check_dynamic(traces: Sequence[Trace], constraint: Constraint) -> tuple[Violation, ...]:
    """What the traces of one program's accepted calls do not show of ``constraint``.

    Raises:
        ValueError: the traces belong to different programs.
    """
    from factory.constraints.analysis import analyse

    if not traces:
        return (Violation("readable", "no call of the program was accepted"),)
    program = traces[0].program
    if any(trace.program != program for trace in traces):
        raise ValueError("check_dynamic needs the traces of one program")
    broken = check_static(program, constraint)
    if broken:
        return broken
    facts = analyse(program)
    if any(
        tuple(statement.kind for statement in trace.statements) != facts.kinds for trace in traces
    ):
        return (Violation("readable", "the traces number other statements than the checker"),)
    executions = [read_trace(trace) for trace in traces]
    return tuple(
        Violation(check.name, reason)
        for check in CONSTRAINTS
        for reason in check.dynamic(facts, executions, constraint)
    )
