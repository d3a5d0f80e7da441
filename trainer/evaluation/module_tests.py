"""Code and ``unittest`` cases in one sandboxed process: for tests that exchange library objects.

The process is contained, but not honest: code that sets out to fool its tests can, so this judges
for a table of results and is never a reward.

Source: own.
"""

from __future__ import annotations

from functools import cache

from tracer import Limits, Program
from tracer.answers import Layout
from tracer.problems import Problem, find_code
from tracer.records import Outcome, Verdict
from tracer.runner import Runner
from tracer.unit_tests import from_asserts
from trainer.evaluation.records import ModuleKey

LIMITS = Limits(cpu_s=60.0, wall_s=240.0, memory_bytes=4 * 1024**3)
"""Of one program with all its cases; libraries take time and memory to load."""
_RUN = """

import io as _io
import unittest as _unittest

_cases = _unittest.defaultTestLoader.loadTestsFromTestCase(TestCases)
_result = _unittest.TextTestRunner(stream=_io.StringIO()).run(_cases)
assert _result.testsRun > len(_result.skipped), "no case ran"
_failed = [*_result.errors, *_result.failures]
assert not _failed and _result.wasSuccessful(), "{} of {} cases failed, the first by {}".format(
    len(_failed), _result.testsRun, _failed[0][1].strip().splitlines()[-1] if _failed else ""
)
"""


class ModuleTester:
    """Runs code with its cases, one program after another; close it."""

    def __init__(self) -> None:
        self._runner: Runner | None = None
        self._runs_here = cache(self._reference_problem)

    def close(self) -> None:
        """End the sandbox; it starts again when it is needed."""
        if self._runner is not None:
            self._runner.close()
            self._runner = None

    def check(self, key: ModuleKey, reply: str, layout: Layout) -> Verdict:
        """Judge a reply."""
        suite = from_asserts(key.entry_point, [f"assert {key.entry_point}"])
        code = find_code(Problem(suite), reply, layout)
        if isinstance(code, Verdict):
            return code
        problem = self._runs_here(key)
        if problem is not None:
            return Verdict("infrastructure", f"its reference does not pass here: {problem}")
        failure = _failure(self._run(code, key.tests))
        if failure is None:
            return Verdict("correct", "all cases pass")
        return Verdict("incorrect", failure)

    def _reference_problem(self, key: ModuleKey) -> str | None:
        return _failure(self._run(key.reference, key.tests))

    def _run(self, code: str, tests: str) -> Outcome:
        if self._runner is None:
            self._runner = Runner(LIMITS)
        return self._runner.check(Program(code, None), f"{tests}\n{_RUN}")


def _failure(outcome: Outcome) -> str | None:
    """Why the cases did not pass."""
    if outcome.kind == "returned":
        return None
    return " ".join(f"{outcome.kind} {outcome.type or ''} {outcome.message or ''}".split())
