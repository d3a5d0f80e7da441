"""The records of unit tests: a suite, limits, and what became of each test."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar, Literal, TypeAlias

TestStatus: TypeAlias = Literal[
    "passed",
    "failed",
    "timeout",
    "memory",
    "output_limit",
    "blocked",
    "crashed",
    "not_run",
    "invalid",
    "infrastructure",
]
"""How one test ended.

``failed`` covers wrong results and calls that raise; ``timeout`` to ``crashed`` are how the
solution's process ended during the test, and then every later test is ``not_run``. ``invalid`` is a
test that is itself at fault (it raises a NameError, or the reference fails on its input): it is
left out of the count. ``infrastructure`` is a failure of ours.
"""

ReportStatus: TypeAlias = Literal["passed", "failed", "infrastructure"]


@dataclass(frozen=True, slots=True)
class TestLimits:
    """What the run of one completion against one suite may use."""

    __test__: ClassVar[bool] = False

    test_cpu_s: float = 10.0
    """Processor seconds of the solution for one test, and for loading its code."""
    idle_s: float = 5.0
    """Seconds in all in which the solution, though asked, neither runs nor waits for a processor,
    as when it sleeps. Where the platform doesn't tell, seconds by the clock beyond
    ``test_cpu_s``."""
    total_cpu_s: float = 60.0
    """Processor seconds of the solution for all tests, and of the tests themselves."""
    total_wall_s: float = 120.0
    """Seconds by the clock for everything: a backstop."""
    memory_bytes: int = 512 * 1024 * 1024
    """Address space beyond what an empty process holds."""
    output_bytes: int = 1024 * 1024
    """Bytes that the solution may print in one call."""
    max_value_chars: int = 16_000_000
    """Longest text of a value that is exchanged, in characters; values of more than a million are
    compared by their canonical text alone."""


@dataclass(frozen=True, slots=True)
class Test:
    """One test of a suite.

    A test of style ``source`` is code; where it does no more than to compare a call on literals
    with a literal, or has it go through a harmless expression, these are given too, and it needs no
    process of its own. One of style ``call``
    is an input with what is expected; one of style ``program`` is a standard input with what is to
    be printed.
    """

    __test__: ClassVar[bool] = False

    source: str = ""
    args: tuple[str, ...] = ()
    """Canonical text of each positional argument."""
    kwargs: tuple[tuple[str, str], ...] = ()
    """Name and canonical text of each keyword argument."""
    expected: str | None = None
    """Canonical text of the result, or the expected output; ``None``: the reference decides."""
    stdin: str = ""
    claim: str | None = None
    """What ``source`` says of the result, where that is no more than an expression over it
    (:mod:`tracer.unit_tests.claims`)."""


@dataclass(frozen=True, slots=True)
class TestSuite:
    """The tests of one problem; made by the ``from_...`` functions of this package."""

    __test__: ClassVar[bool] = False

    style: Literal["source", "call", "program"]
    tests: tuple[Test, ...]
    entry_point: str | None = None
    """Name of the function that is tested; ``None`` for programs."""
    names: tuple[str, ...] = ()
    """Names under which ``source`` tests know the entry point."""
    setup: str = ""
    """Code of ours that is run before ``source`` tests, in their process."""
    reference: str | None = None
    """Code whose results are expected where a test has none of its own."""
    atol: float = 0.0
    """Absolute tolerance between two floats; 0 asks for equality."""
    json_sequences: bool = False
    """Whether a tuple is the same as a list."""


@dataclass(frozen=True, slots=True)
class TestResult:
    """What became of one test."""

    __test__: ClassVar[bool] = False

    status: TestStatus
    reason: str = ""
    """One clause for a person; empty for a pass."""


@dataclass(frozen=True, slots=True)
class TestReport:
    """What became of all tests of a suite, in their order."""

    __test__: ClassVar[bool] = False

    results: tuple[TestResult, ...]
    status: ReportStatus = field(init=False)
    """``passed`` if every test that counts passed; ``infrastructure`` if nothing can be said: a
    failure of ours, or no test counts."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "status", _overall(self.results))

    @property
    def counted(self) -> int:
        """Number of tests that say something about the solution."""
        return sum(r.status not in ("invalid", "infrastructure") for r in self.results)

    @property
    def passed(self) -> int:
        """Number of tests that passed."""
        return sum(r.status == "passed" for r in self.results)

    @property
    def reason(self) -> str:
        """The first reason for the overall status; empty for a pass of every test."""
        wanted = {"failed": ("passed", "invalid"), "passed": ("passed",), "infrastructure": ()}
        for number, result in enumerate(self.results):
            if result.status not in wanted[self.status]:
                return f"test {number}: {result.status}: {result.reason}"
        return ""


def _overall(results: tuple[TestResult, ...]) -> ReportStatus:
    if any(result.status == "infrastructure" for result in results):
        return "infrastructure"
    counted = [result for result in results if result.status != "invalid"]
    if not counted:
        return "infrastructure"
    return "passed" if all(result.status == "passed" for result in counted) else "failed"
