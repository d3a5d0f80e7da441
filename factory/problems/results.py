"""What becomes of a program or a record: a problem's row, or why there is none."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from factory.records import Dropped
from tracer.problems import problem_of
from tracer.records import Trace
from tracer.unit_tests import TestSuite

Row = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Made:
    """The row of a problem, or why there is none."""

    rows: tuple[Row, ...] = ()
    refused: str | None = None
    """A slug; ``None`` too when none was wanted."""
    detail: str = ""
    examples: tuple[Trace, ...] = ()
    """The runs that the problem shows."""

    def drops(self, where: str) -> tuple[Dropped, ...]:
        """The drop of a problem that was refused; ``where`` names its program."""
        if self.refused is None:
            return ()
        return (Dropped("problems", self.refused, where, self.detail),)


def suite_of(tests: Mapping[str, Any], entry_point: str | None, starter: str) -> TestSuite:
    """The tests of a problem's row, as they are run.

    Args:
        tests: What its column ``tests`` holds, read from JSON.
        entry_point: Of its column.
        starter: Of its column.

    Raises:
        ValueError: They are of no known shape, or cannot be used.
    """
    named = {} if entry_point is None else {"entry_point": entry_point}
    return problem_of({**tests, **named, "prompt": starter}).suite
