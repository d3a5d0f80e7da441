"""Runs a solution on inputs, as a function or as a program, and compares the results here."""

from __future__ import annotations

from collections.abc import Iterator
from time import monotonic
from typing import Any

from tracer.inside.stand_ins import MAX_ITEMS
from tracer.sandbox import Zygote
from tracer.unit_tests.comparison import matches, same_output
from tracer.unit_tests.dialogue import Dialogue, Ended
from tracer.unit_tests.records import Test, TestLimits, TestResult, TestSuite
from tracer.unit_tests.solution import MAX_PARSED, NotLoaded, Solution
from tracer.values import NotFaithful, canonical, parse

_MAX_SHOWN = 200
_PASSED = TestResult("passed")


def run_calls(
    solving: Zygote,
    code: str,
    suite: TestSuite,
    expected: tuple[TestResult | str, ...],
    limits: TestLimits,
) -> list[TestResult]:
    """Call the solution on each input and compare the results here.

    Args:
        solving: runs the solution.
        code: the solution.
        suite: of style ``call``.
        expected: canonical text of each expected result, or why there is none.
        limits: of the completion.

    Raises:
        Ended: the sandbox failed (``infrastructure``).
        NotLoaded: the solution's code raised, or defines no such function.
    """
    assert suite.entry_point is not None
    results: list[TestResult] = []
    with Solution(solving, limits, code, suite.entry_point) as solution:
        for test, wanted in zip(suite.tests, expected, strict=True):
            if isinstance(wanted, TestResult):
                results.append(wanted)
                continue
            solution.begin()
            try:
                got = call(solution, test, limits)
            except Ended as ended:
                if ended.status == "infrastructure":
                    raise
                return [*results, TestResult(ended.status, ended.reason)]
            results.append(_compare(suite, test, wanted, got))
    return results


def call_of(test: Test) -> dict[str, Any]:
    """Return the order that calls the entry point with the input of ``test``."""
    return {"call": 0, "args": list(test.args), "kwargs": {}}


def call(solution: Solution, test: Test, limits: TestLimits) -> dict[str, Any]:
    """Call the entry point with the input of ``test``.

    Returns:
        The answer, unparsed; that of a generator or view is the list of what it gives.
    """
    order = {"call": 0, "args": list(test.args), "kwargs": {}}
    answer = solution.ask(order, parsed=False)
    answer.pop("view", None)
    if answer.get("kind") != "iterator":
        return answer
    items: list[str] = []
    room = limits.max_value_chars
    while "end" not in (item := solution.ask({"next": answer["handle"]})):
        if "value" not in item or "view" in item or room < 0 or len(items) == MAX_ITEMS:
            return item if "raised" in item else {"opaque": "iterator"}
        items.append(item["value"])
        room -= len(item["value"]) + 2
    return {"value": f"[{', '.join(items)}]"}


def _compare(suite: TestSuite, test: Test, wanted: str, got: dict[str, Any]) -> TestResult:
    if got.get("value") == wanted:
        return _PASSED
    shown = _short(f"{suite.entry_point}({', '.join(test.args)})")
    if "value" not in got:
        what = f"raised {got['raised']}" if "raised" in got else "returned no plain data"
        return TestResult("failed", f"{shown} {what} instead of {_short(wanted)}")
    reason = f"{shown} returned {_short(got['value'])} instead of {_short(wanted)}"
    if max(len(wanted), len(got["value"])) > MAX_PARSED:
        return TestResult("failed", f"{reason}, by their text")
    try:
        same = matches(
            parse(wanted), parse(got["value"]), suite.atol, json_sequences=suite.json_sequences
        )
    except NotFaithful:
        return TestResult("failed", f"{shown} returned no plain data instead of {_short(wanted)}")
    return _PASSED if same else TestResult("failed", reason)


def expected_results(
    solving: Zygote, suite: TestSuite, limits: TestLimits
) -> tuple[TestResult | str, ...]:
    """Return what each test of style ``call`` expects; the reference is run where there is one.

    Raises:
        Ended: the sandbox failed (``infrastructure``).
    """
    if suite.reference is None:
        return tuple(test.expected or "" for test in suite.tests)
    assert suite.entry_point is not None
    found: list[TestResult | str] = []
    problem = ""
    try:
        with Solution(solving, limits, suite.reference, suite.entry_point) as reference:
            for test in suite.tests:
                reference.begin()
                answer = call(reference, test, limits)
                found.append(answer["value"] if "value" in answer else _fault(suite, test, answer))
    except NotLoaded as error:
        problem = f"the reference: {error}"
    except Ended as ended:
        if ended.status == "infrastructure":
            raise
        problem = f"the reference ended with {ended.status}: {ended.reason}"
    return (*found, *[TestResult("invalid", problem)] * (len(suite.tests) - len(found)))


def _fault(suite: TestSuite, test: Test, answer: dict[str, Any]) -> TestResult:
    call = _short(f"{suite.entry_point}({', '.join(test.args)})")
    what = (
        f"raised {answer['raised']}: {answer['message']}"
        if "raised" in answer
        else ("returned no plain data")
    )
    return TestResult("invalid", f"the reference itself fails: {call} {what}")


def run_programs(
    solving: Zygote, code: str, suite: TestSuite, limits: TestLimits
) -> Iterator[TestResult]:
    """Run the solution as a program once for each test; stops after one that had to be ended.

    Raises:
        Ended: the sandbox failed (``infrastructure``).
    """
    end = monotonic() + limits.total_wall_s
    for test in suite.tests:
        if monotonic() >= end:
            reason = f"all tests took more than {limits.total_wall_s:g} s together"
            yield TestResult("timeout", reason)
            return
        try:
            with Dialogue(solving, limits, stdin=test.stdin) as program:
                answer = program.ask({"code": code, "entry_point": None})
        except Ended as ended:
            if ended.status == "infrastructure":
                raise
            yield TestResult(ended.status, ended.reason)
            if ended.status == "timeout":
                return
            continue
        yield _judge_output(test.expected or "", answer)


def _judge_output(expected: str, answer: dict[str, Any]) -> TestResult:
    printed = answer.get("stdout")
    if "raised" in answer or type(printed) is not str:
        return TestResult(
            "failed", f"the program ended with {str(answer.get('raised'))[:_MAX_SHOWN]}"
        )
    if same_output(expected, printed):
        return _PASSED
    shown = _short(canonical(printed))
    return TestResult("failed", f"it printed {shown} instead of {_short(canonical(expected))}")


def _short(text: str) -> str:
    return text if len(text) <= _MAX_SHOWN else f"{text[:_MAX_SHOWN]}..."
