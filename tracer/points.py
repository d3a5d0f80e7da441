"""Traces in two passes: the order of the statements first, then states at chosen steps alone.

Most of a trace's cost is reading states, and questions ask about a few. The first pass records
which statement ran when; steps are chosen from that; the second pass reads the variables after
those steps. It is made under two hash seeds and clocks, as a whole trace is, and checked against a
plain run.

Source: own (DESIGN, section 3: the state after a step is read when it ends).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Any, Protocol, TypeAlias

from tracer.agreement import agree, difference, has_ended
from tracer.inside.columns import REPORT, expand
from tracer.records import Call, Outcome, Program, Statement, Variable


@dataclass(frozen=True, slots=True)
class Path:
    """The steps of a call, in the order in which they began; equally long columns."""

    statements: tuple[Statement, ...]
    """Of the program's text."""
    stmts: tuple[int, ...]
    activations: tuple[int, ...]
    depths: tuple[int, ...]
    occurrences: tuple[int, ...]
    """k-th begun step of its statement, from 1."""
    completed: tuple[bool, ...]

    def __len__(self) -> int:
        return len(self.stmts)

    def line(self, step: int) -> int:
        """Return the line of a step."""
        return self.statements[self.stmts[step]].line


@dataclass(frozen=True, slots=True)
class State:
    """The variables that were visible after a step, sorted by name."""

    step: int
    variables: tuple[Variable, ...]


@dataclass(frozen=True, slots=True)
class PointTrace:
    """What was seen of one call at chosen steps."""

    program: Program
    args: str
    """Canonical text of the arguments before the call."""
    outcome: Outcome
    complete: bool
    """Whether the path holds every step of the call and the states are to be believed."""
    stdout: str
    path: Path
    states: tuple[State, ...]
    """One for each chosen step, in their order; none where the trace is not complete."""


Choose: TypeAlias = Callable[[Path], Iterable[int]]
"""Chooses, from the path of a call, the steps (from 0) after which the variables are read."""


class Run(Protocol):
    """Makes the call once, in a process of its own."""

    def __call__(self, *, plain: bool = False, other: bool = False, points: Iterable[int]) -> Any:
        """Return the result; ``other`` is under the other hash seed and clock."""


def trace_at(program: Program, call: Call, choose: Choose, run: Run) -> PointTrace:
    """Trace a call in two passes, the second of them twice, and check it against a plain run.

    Raises:
        ValueError: a chosen step is none of the path.
    """
    first = run(points=())
    path = _path_of(first)
    found = PointTrace(
        program=program,
        args=first["args"],
        outcome=Outcome(**first["outcome"]),
        complete=bool(first["complete"]),
        stdout=first["stdout"],
        path=path,
        states=(),
    )
    if not has_ended(first) or not found.complete:
        return found
    points = sorted({*choose(path)})
    if points and not 0 <= points[0] <= points[-1] < len(path):
        raise ValueError(f"steps go from 0 to {len(path) - 1}, not {points[0]} to {points[-1]}")
    second = run(points=points)
    repeated = run(points=points, other=True)
    plain = run(points=(), plain=True, other=True)
    wrong = _what_differs(first, second, repeated, plain)
    states = tuple(
        State(step, tuple(Variable(*row) for row in sorted(rows)))
        for step, rows in second["states"]
    )
    if wrong is None and [state.step for state in states] != points:
        wrong = Outcome("disturbed", None, None, "a chosen step was not seen to end")
    if wrong is not None:
        return replace(found, outcome=wrong, complete=False)
    return replace(found, states=states)


def _path_of(result: dict[str, Any]) -> Path:
    steps = expand(result)["steps"]
    statements = tuple(Statement(**row) for row in result["statements"])
    return Path(statements, *map(tuple, steps.values()))


def _what_differs(
    first: dict[str, Any], second: dict[str, Any], repeated: dict[str, Any], plain: dict[str, Any]
) -> Outcome | None:
    """Return the outcome of a call whose runs do not agree."""
    for other in (second, repeated, plain):
        if not has_ended(other):
            return Outcome(**other["outcome"])
        if not agree(first, other):
            return Outcome("nondeterministic", None, None, difference(first, other))
    same_path = all(first[key] == other[key] for other in (second, repeated) for key in REPORT)
    if not same_path or second["states"] != repeated["states"]:
        return Outcome("nondeterministic", None, None, "two runs differ on the way")
    return None
