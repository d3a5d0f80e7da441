"""Runs tests that are code: in a process of their own, or here if they are mere comparisons.

An assert that compares a call on literals with a literal needs no process: the call is made from
here, and its result, plain data, is compared with ``==``. Every other test runs in the tests'
process, which is only started if there is one. Both talk to the same solution, in order.
"""

from __future__ import annotations

import contextlib
import secrets
from typing import Any

from tracer.inside.stand_ins import MAX_ITEMS, VIEWS, Opaque
from tracer.sandbox import Zygote
from tracer.unit_tests.claims import holds
from tracer.unit_tests.dialogue import Dialogue, Ended
from tracer.unit_tests.records import Test, TestLimits, TestResult, TestStatus, TestSuite
from tracer.unit_tests.solution import MAX_PARSED, Solution
from tracer.values import NotFaithful, parse

_MAX_SHOWN = 200
_STATUSES: dict[str, TestStatus] = {"passed": "passed", "failed": "failed", "broken": "invalid"}


class _Unusable(Exception):
    """The tests' process can run none of its tests."""


def run_sources(
    solving: Zygote, testing: Zygote, code: str, suite: TestSuite, limits: TestLimits
) -> list[TestResult]:
    """Run tests that are code, against the solution in ``solving``.

    Returns:
        One result for each test that was begun.

    Raises:
        Ended: a sandbox failed (``infrastructure``), or the code ended its process on import.
        NotLoaded: the solution's code raised, or defines no such function.
    """
    assert suite.entry_point is not None
    results: list[TestResult] = []
    unusable = ""
    examiner: _Examiner | None = None
    with contextlib.ExitStack() as stack:
        solution = stack.enter_context(Solution(solving, limits, code, suite.entry_point))
        for place, test in enumerate(suite.tests):
            solution.begin()
            try:
                if test.expected is not None:
                    results.append(_compare(solution, test, test.expected))
                    continue
                if test.claim is not None:
                    results.append(_check_claim(solution, test, test.claim))
                    continue
                if not unusable:
                    if examiner is None:
                        examiner = _Examiner(stack, testing, suite, limits)
                    results.append(examiner.run(solution, place))
                    continue
            except _Unusable as error:
                unusable = str(error)
            except Ended as ended:
                if ended.status == "infrastructure":
                    raise
                return [*results, TestResult(ended.status, ended.reason)]
            results.append(TestResult("invalid", unusable))
    return results


def _compare(solution: Solution, test: Test, wanted: str) -> TestResult:
    """Run an assert that compares a call on literals with a literal."""
    answer = solution.ask(
        {"call": 0, "args": list(test.args), "kwargs": dict(test.kwargs)}, parsed=False
    )
    if "raised" in answer:
        message = answer["message"]
        what = f"{answer['raised']}: {message}" if message else answer["raised"]
        return TestResult("failed", f"the call raised {what}")
    got = answer.get("value")
    if got == wanted and "view" not in answer:
        return TestResult("passed")
    if got is None or len(got) > MAX_PARSED:
        kind = f"an object of type {answer['opaque']}" if "opaque" in answer else "no plain data"
        return TestResult("failed", f"{test.source} does not hold: the last call gave {kind}")
    with contextlib.suppress(NotFaithful, RecursionError, TypeError):
        value = parse(got)
        if "view" in answer:
            value = VIEWS[answer["view"]](value)
        if value == parse(wanted):
            return TestResult("passed")
    shown = got if len(got) <= _MAX_SHOWN else f"{got[:_MAX_SHOWN]}..."
    return TestResult("failed", f"{test.source} does not hold: the last call gave {shown}")


def _check_claim(solution: Solution, test: Test, claim: str) -> TestResult:
    """Run an assert that says something of a call on literals."""
    order = {"call": 0, "args": list(test.args), "kwargs": dict(test.kwargs)}
    answer = solution.ask(order, parsed=True)
    if "raised" not in answer and answer.get("kind") == "iterator":
        answer = _exhausted(solution, answer["handle"])
    if "raised" in answer:
        message = answer["message"]
        what = f"{answer['raised']}: {message}" if message else answer["raised"]
        return TestResult("failed", f"the call raised {what}")
    shown = answer.get("value", answer.get("opaque", "a function"))[:_MAX_SHOWN]
    try:
        if holds(claim, _value_of(answer)):
            return TestResult("passed")
    except Exception as error:
        what = f"{type(error).__name__}: {error}"[:_MAX_SHOWN]
        return TestResult("failed", f"{test.source} raised {what}: the last call gave {shown}")
    return TestResult("failed", f"{test.source} does not hold: the last call gave {shown}")


def _exhausted(solution: Solution, handle: int) -> dict[str, Any]:
    """What an iterator gives, as the answer ``items``; or how it ends otherwise."""
    items: list[Any] = []
    while "end" not in (item := solution.ask({"next": handle})):
        if "raised" in item or len(items) == MAX_ITEMS:
            return item if "raised" in item else {"opaque": "iterator"}
        items.append(_value_of(item))
    return {"items": items, "opaque": "iterator"}


def _value_of(answer: dict[str, Any]) -> Any:
    """The plain data of an answer, or what stands for anything else."""
    if "items" in answer:
        return iter(answer["items"])
    if "value" in answer:
        value = parse(answer["value"])
        return VIEWS[answer["view"]](value) if "view" in answer else value
    return Opaque(answer.get("opaque", "function"), answer.get("truth"))


class _Examiner:
    """The tests' process; it runs its tests in order, and waits for the answers to its calls.

    Each test has a token that only this process and the tests' process know.
    """

    def __init__(
        self, stack: contextlib.ExitStack, testing: Zygote, suite: TestSuite, limits: TestLimits
    ) -> None:
        self._tokens = {
            place: secrets.token_hex(16)
            for place, test in enumerate(suite.tests)
            if test.expected is None and test.claim is None
        }
        tests = [
            {"token": token, "source": suite.tests[place].source}
            for place, token in self._tokens.items()
        ]
        self._asked = False
        self._dialogue = stack.enter_context(
            Dialogue(testing, limits, setup=suite.setup, names=list(suite.names), tests=tests)
        )

    def run(self, solution: Solution, place: int) -> TestResult:
        """Answer the calls of the next test until it reports.

        Raises:
            Ended: the solution's process or that of the tests has ended.
            _Unusable: the setup of the tests is wrong.
        """
        self._dialogue.begin()
        message = self._step(None)
        while "token" not in message:
            if "broken" in message:
                raise _Unusable(message["broken"])
            self._asked = True
            message = self._step(solution.ask(message))
        if message["token"] != self._tokens[place]:
            raise Ended("infrastructure", "the tests' process reports another test")
        return TestResult(_STATUSES[message["status"]], message["reason"])

    def _step(self, answer: dict[str, object] | None) -> dict[str, str]:
        try:
            return self._dialogue.receive() if answer is None else self._dialogue.ask(answer)
        except Ended as ended:
            if ended.status == "infrastructure":
                raise
            # Without a call the solution had no hand in it; after one it may have.
            status = ended.status if self._asked else "invalid"
            raise Ended(status, f"in the tests' own process: {ended.reason}") from None
