"""Runs suites of unit tests against model-written code."""

from __future__ import annotations

import sys
from collections import OrderedDict
from types import TracebackType

from tracer.sandbox import Zygote
from tracer.unit_tests.dialogue import Ended
from tracer.unit_tests.examining import run_sources
from tracer.unit_tests.records import TestLimits, TestReport, TestResult, TestStatus, TestSuite
from tracer.unit_tests.running import expected_results, run_calls, run_programs
from tracer.unit_tests.solution import NotLoaded

_HASH_SEED = 1
_KEPT_REFERENCES = 512


class UnitTester:
    """Holds one sandbox for solutions and one for tests; close it, or use it in ``with``.

    Not thread safe: one tester a worker; it may be used from any thread.

    Args:
        limits: of each completion.
        python: interpreter that runs solutions and tests.
    """

    def __init__(self, limits: TestLimits | None = None, python: str = sys.executable) -> None:
        self.limits = limits or TestLimits()
        self._solving = Zygote(hash_seed=_HASH_SEED, python=python, harness="tracer.inside.serving")
        self._testing = Zygote(hash_seed=_HASH_SEED, python=python, harness="tracer.inside.testing")
        self._references: OrderedDict[TestSuite, tuple[TestResult | str, ...]] = OrderedDict()

    def __enter__(self) -> UnitTester:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """End both sandboxes."""
        self._solving.close()
        self._testing.close()

    def run(self, code: str, suite: TestSuite) -> TestReport:
        """Run every test of ``suite`` against ``code``.

        Returns:
            One result for each test. Whatever the code does is in the report, never an exception; a
            failure of ours is tried again once and then reported as ``infrastructure``.

        Raises:
            ValueError: the suite has no tests.
        """
        if not suite.tests:
            raise ValueError("there are no tests: a suite without tests would pass anything")
        for _ in range(2):
            try:
                results = self._run(code, suite)
                break
            except NotLoaded as error:
                results = [TestResult("failed", str(error))] * len(suite.tests)
                break
            except Ended as ended:
                results = [TestResult(ended.status, ended.reason)]
                if ended.status != "infrastructure":
                    break
        return TestReport(_complete(results, len(suite.tests)))

    def _run(self, code: str, suite: TestSuite) -> list[TestResult]:
        if suite.style == "program":
            return list(run_programs(self._solving, code, suite, self.limits))
        if suite.style == "source":
            return run_sources(self._solving, self._testing, code, suite, self.limits)
        expected = self._references.get(suite)
        if expected is None:
            expected = expected_results(self._solving, suite, self.limits)
            self._references[suite] = expected
            if len(self._references) > _KEPT_REFERENCES:
                self._references.popitem(last=False)
        return run_calls(self._solving, code, suite, expected, self.limits)


def run_unit_tests(code: str, tests: TestSuite, limits: TestLimits | None = None) -> TestReport:
    r"""Run every test against ``code``, in sandboxes of its own.

    Example:
        >>> from tracer.unit_tests import from_asserts
        >>> suite = from_asserts("f", ["assert f(1) == 2", "assert f(2) == 4"])
        >>> report = run_unit_tests("def f(x):\n    return 2 * x", suite)
        >>> [result.status for result in report.results]
        ['passed', 'passed']

    Raises:
        ValueError: there are no tests.
    """
    with UnitTester(limits) as tester:
        return tester.run(code, tests)


def _complete(results: list[TestResult], count: int) -> tuple[TestResult, ...]:
    """Add a result for each test that was not reached."""
    missing = count - len(results)
    if not missing:
        return tuple(results)
    status: TestStatus = "not_run"
    if results and results[-1].status in ("infrastructure", "invalid"):
        status = results[-1].status
    reason = results[-1].reason if status != "not_run" else "the run had ended before it"
    return (*results, *[TestResult(status, reason)] * missing)
