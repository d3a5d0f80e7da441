"""What must be followed to answer a question: counts of its trace, and the score they give.

The *point* of a question is the step that it asks about; a question without one (the output, a loop
count, whether a line ran) asks about the whole run. Everything is counted from the call's beginning
to the point, that step included.

``score = log2(1 + steps) + log2(1 + loops) + log2(1 + changes) + log2(1 + branches) / 2
+ log2(1 + value_size) / 4 + log2(1 + calls) / 2 + depth + nesting``, times 1.25 for ``input``
questions, which run the program backwards. Equal factors of work cost equal points, so a score
grows with the logarithm of a run's length and linearly with depth.

Source: own.
"""

from __future__ import annotations

import json
from bisect import bisect_right
from collections import Counter
from dataclasses import dataclass
from itertools import accumulate
from math import log2

from tracer.records import Question, Statement, Trace

LOOPS = frozenset({"For", "AsyncFor", "While"})
BRANCHES = frozenset({"If", "match_case", "ExceptHandler", "While"})
_CONTROL = frozenset({*LOOPS, "If", "With", "AsyncWith", "Try", "TryStar", "Match"})
_CHAINED = "If"
BACKWARDS = 1.25
"""Factor of a question whose answer is a call, not a result."""
_DIGITS = 3


@dataclass(frozen=True, slots=True)
class Effort:
    """What lies between the beginning of the call and the point of a question."""

    steps: int
    """Steps: how far from the entry the point is."""
    loops: int
    """Evaluations of loop headers."""
    branches: int
    """Conditions evaluated: ``if``, ``elif``, ``while``, ``case``, ``except``."""
    changes: int
    """Changes of the variables asked about; of all variables where none is named."""
    depth: int
    """Deepest open activation, the entry's being 0."""
    nesting: int
    """Control statements around the statement asked about; without one, the program's most."""
    calls: int
    """Call expressions in the program's text."""
    value_size: int
    """Characters of the value that the answer gives, 0 where it gives none."""


def score_of(kind: str, effort: Effort) -> float:
    """The score of a question of this kind; at least 0, three digits behind the point."""
    score = (
        log2(1 + effort.steps)
        + log2(1 + effort.loops)
        + log2(1 + effort.changes)
        + log2(1 + effort.branches) / 2
        + log2(1 + effort.value_size) / 4
        + log2(1 + effort.calls) / 2
        + effort.depth
        + effort.nesting
    )
    return round(score * BACKWARDS if kind == "input" else score, _DIGITS)


class Path:
    """Running counts along one trace, made once for all of its questions."""

    def __init__(self, trace: Trace, max_nesting: int, calls: int) -> None:
        """Count along ``trace``.

        Args:
            trace: A complete trace.
            max_nesting: Most control statements around one statement of the program.
            calls: Call expressions of the program.
        """
        self._statements = trace.statements
        self._max_nesting = max_nesting
        self._calls = calls
        kinds = [trace.statements[step.stmt].kind for step in trace.steps]
        self._loops = list(accumulate(int(kind in LOOPS) for kind in kinds))
        self._branches = list(accumulate(int(kind in BRANCHES) for kind in kinds))
        self._changes = list(accumulate(len(step.changes) for step in trace.steps))
        self._depths = list(accumulate((step.depth for step in trace.steps), max))
        self._nesting: dict[int, int] = {}
        self._of_name: dict[str, list[int]] = {}
        for step in trace.steps:
            for change in step.changes:
                self._of_name.setdefault(change.name, []).append(step.index)

    def effort(self, question: Question) -> Effort:
        """What must be followed to answer a question about this trace."""
        last = len(self._loops) - 1 if question.step is None else question.step
        nesting = self._max_nesting
        if question.stmt is not None:
            nesting = self._nesting_of(question.stmt)
        return Effort(
            steps=last + 1,
            loops=_at(self._loops, last),
            branches=_at(self._branches, last),
            changes=self._changes_of(question.variable, last),
            depth=_at(self._depths, last),
            nesting=nesting,
            calls=self._calls,
            value_size=_value_size(question),
        )

    def _nesting_of(self, stmt: int) -> int:
        if stmt not in self._nesting:
            self._nesting[stmt] = nesting_of(self._statements, stmt)
        return self._nesting[stmt]

    def _changes_of(self, variable: str | None, last: int) -> int:
        if variable is None:
            return _at(self._changes, last)
        return sum(bisect_right(self._of_name.get(name, []), last) for name in variable.split(", "))


def _at(counts: list[int], place: int) -> int:
    """The count at a step; 0 for a call without any step."""
    return counts[place] if counts else 0


def nesting_of(statements: tuple[Statement, ...], stmt: int) -> int:
    """Control statements around a statement; an ``elif`` is no deeper than its ``if``."""
    asked = statements[stmt]
    around = [
        each
        for each in statements[:stmt]
        if each.kind in _CONTROL and each.line <= asked.line <= each.end_line and each != asked
    ]
    columns = Counter((each.kind, each.col) for each in around)
    chained = sum(number - 1 for (kind, _), number in columns.items() if kind == _CHAINED)
    return len(around) - chained - _continues(around, asked)


def _continues(around: list[Statement], asked: Statement) -> bool:
    """Whether the statement is itself an ``elif`` of one around it."""
    return asked.kind == _CHAINED and any(
        each.kind == _CHAINED and each.col == asked.col for each in around
    )


def _value_size(question: Question) -> int:
    if question.kind == "variable_state":
        return len(json.loads(question.key)["value"])
    return len(question.key) if question.kind in ("output", "input") else 0
