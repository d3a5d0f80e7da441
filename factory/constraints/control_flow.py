"""Control statements are nested as the blueprint says, and all of them matter.

Example: ``("for", "if-elif")`` is a loop that holds an ``if`` with an ``elif``. No function may
nest deeper than the blueprint, and an empty blueprint means no control statement at all. In the
traces each loop of the nest enters its body twice in one run of it, and every branch of the nest
is both entered and passed by.
Source: ExecVerify (arXiv 2603.11226), section 3, "control structures of depth 1 to 3".
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from factory.constraints.base import Branch, Check, Control, Facts
from factory.constraints.execution import Execution
from factory.records import Constraint

_LOOPS = ("for", "while")


def _paths(controls: Sequence[Control]) -> Iterator[tuple[Control, ...]]:
    for control in controls:
        if not control.children:
            yield (control,)
        for rest in _paths(control.children):
            yield (control, *rest)


def _nests(facts: Facts, constraint: Constraint) -> list[tuple[Control, ...]]:
    return [
        path
        for function in facts.reachable()
        for path in _paths(function.controls)
        if tuple(control.kind for control in path) == constraint.control_flow
    ]


def deepest_nest(facts: Facts) -> tuple[str, ...]:
    """Kinds of the deepest nesting of control statements, outermost first; of equals the first."""
    paths = [path for function in facts.reachable() for path in _paths(function.controls)]
    return tuple(control.kind for control in max(paths, key=len, default=()))


def check_static(facts: Facts, constraint: Constraint) -> Iterator[str]:
    """Reasons why the nesting is not the blueprint."""
    paths = [path for function in facts.reachable() for path in _paths(function.controls)]
    deepest = max((len(path) for path in paths), default=0)
    if deepest > len(constraint.control_flow):
        found = next(path for path in paths if len(path) == deepest)
        yield (
            f"control statements are nested {deepest} deep "
            f"({' > '.join(control.kind for control in found)}), "
            f"not {len(constraint.control_flow)}"
        )
    elif constraint.control_flow and not _nests(facts, constraint):
        found_text = ", ".join(
            sorted({" > ".join(control.kind for control in path) for path in paths})
        )
        yield (
            f"no nesting {' > '.join(constraint.control_flow)}: "
            f"the program has {found_text or 'no control statement'}"
        )


def _iterates(loop: Branch, path: Sequence[int]) -> bool:
    """Whether one run of the loop enters its body twice."""
    entered = 0
    for here, after in pairwise(path):
        if here == loop.header:
            entered = entered + 1 if after == loop.first else 0
            if entered == 2:
                return True
        elif not loop.header < here <= loop.last:
            entered = 0
    return False


def _steps_after(branch: Branch, executions: Sequence[Execution]) -> set[int]:
    """Statements that directly followed its header."""
    return {
        after
        for execution in executions
        for path in execution.paths
        for here, after in pairwise(path)
        if here == branch.header
    }


def _faults(nest: Sequence[Control], executions: Sequence[Execution]) -> Iterator[str]:
    for control in nest:
        for position, branch in enumerate(control.branches):
            name = "elif" if position else control.kind.partition("-")[0]
            if control.kind in _LOOPS:
                paths = [path for execution in executions for path in execution.paths]
                if not any(_iterates(branch, path) for path in paths):
                    yield f"the body of a {name} never runs twice in a row"
                continue
            after = _steps_after(branch, executions)
            if branch.first not in after:
                yield f"an {name} is never entered"
            elif after == {branch.first}:
                yield f"an {name} is never passed by"


def check_dynamic(
    facts: Facts, executions: Sequence[Execution], constraint: Constraint
) -> Iterator[str]:
    """Reasons why a part of the nest does not matter; those of the best nest."""
    nests = _nests(facts, constraint)
    if nests:
        yield from min((list(_faults(path, executions)) for path in nests), key=len)


CHECK = Check("control_flow", check_static, check_dynamic)
