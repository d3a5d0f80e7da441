"""1 for code that passes every unit test of its problem, else 0; or the share that passes.

Row ``{"entry_point": "f", "test_list": ["assert f(1) == 2"]}``, completion with a function ``f`` in
a code fence. The config ``problems`` has the tests as one JSON text instead, in the column
``tests``: ``{"tests": '{"test_list": [...]}', "entry_point": "f", "starter": "def f(x):"}``. Tests
and code run in different processes; see :mod:`tracer.unit_tests`.

Source: https://arxiv.org/abs/2603.11226
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from typing import Any

from tracer.problems import TEST_FIELDS, find_code, problem_of, verdict_of
from tracer.records import Verdict
from tracer.rewards import answer_reward, unit_test_reward
from tracer.unit_tests import TestReport, TestSuite, run_many
from trainer.rewards.base import Completion, log_verdicts, optional_column, text_of

NAME = "unit_tests"
TESTS = "tests"
"""Column with the tests as JSON text of an object of a published shape."""
_FIELDS = (
    *TEST_FIELDS,
    TESTS,
    "entry_point",
    "plus_input",
    "canonical_solution",
    "atol",
    "test_imports",
    "starter",
    "layout",
)


def unit_test_outcome(*, completions: Sequence[Completion], **columns: Any) -> list[float | None]:
    """Test the code of each completion.

    Args:
        completions: Texts or chats.
        columns: The tests in a published shape (:mod:`tracer.problems`), or as JSON of one in
            ``tests``, and where the dataset has them ``entry_point``, ``starter`` (Python text that
            the completion may continue), ``layout`` and ``credit`` (``strict`` or ``fractional``);
            all others are ignored.

    Returns:
        A reward in [0, 1] for each completion; ``None`` where the tests could not be run.

    Raises:
        ValueError: No column holds tests, or one has another length.
    """
    count = len(completions)
    wanted = (*TEST_FIELDS, TESTS)
    if all(columns.get(name) is None for name in wanted):
        there = ", ".join(sorted(columns)) or "none"
        raise ValueError(f"no column holds tests ({', '.join(wanted)}); the dataset has: {there}")
    fields = {name: optional_column(columns, name, count) for name in _FIELDS}
    rows = [{name: values[row] for name, values in fields.items()} for row in range(count)]
    results = _run(list(map(text_of, completions)), rows, None)
    log_verdicts(columns, NAME, list(map(_verdict, results)))
    credits = optional_column(columns, "credit", count, "strict")
    return [_reward(result, credit) for result, credit in zip(results, credits, strict=True)]


def code_outcome(
    replies: Sequence[str], rows: Sequence[Mapping[str, Any]], *, wall_s: float
) -> list[Verdict]:
    """The verdict of the unit tests on each reply: the outcome ``code`` of stage II.

    Args:
        replies: What the model wrote.
        rows: A row of the dataset for each, as for :func:`unit_test_outcome`.
        wall_s: Seconds by the clock for all of them; what is not begun by then is a failure of
            ours.
    """
    return list(map(_verdict, _run(replies, rows, wall_s)))


def _run(
    replies: Sequence[str], rows: Sequence[Mapping[str, Any]], wall_s: float | None
) -> list[TestReport | Verdict]:
    found = [_work(row, reply) for row, reply in zip(rows, replies, strict=True)]
    runs = [work for work in found if not isinstance(work, Verdict)]
    workers = min(len(runs), os.cpu_count() or 1)
    reports = run_many(runs, workers, batch_wall_s=wall_s) if runs else iter(())
    return [work if isinstance(work, Verdict) else next(reports) for work in found]


def _work(row: Mapping[str, Any], reply: str) -> tuple[str, TestSuite] | Verdict:
    try:
        problem = problem_of(_record_of(row))
    except ValueError as error:
        return Verdict("infrastructure", f"the tests can't be used: {error}")
    code = find_code(problem, reply, row.get("layout") or "any")
    return code if isinstance(code, Verdict) else (code, problem.suite)


def _record_of(row: Mapping[str, Any]) -> dict[str, Any]:
    """A row as a record of a published shape.

    Raises:
        ValueError: Its ``tests`` are no JSON object.
    """
    record = {name: row[name] for name in _FIELDS if row.get(name) is not None}
    tests = record.pop(TESTS, None)
    if isinstance(tests, str):
        shape = json.loads(tests)
        if not isinstance(shape, dict):
            raise ValueError(f"{TESTS!r} is no JSON object")
        record |= shape
    return record | {"prompt": row.get("starter") or ""}


def _verdict(result: TestReport | Verdict) -> Verdict:
    return result if isinstance(result, Verdict) else verdict_of(result)


def _reward(result: TestReport | Verdict, credit: Any) -> float | None:
    if isinstance(result, Verdict):
        return answer_reward(result).total
    return unit_test_reward(passed_tests(result), credit).total


def passed_tests(report: TestReport) -> list[bool | None]:
    """For each test that counts whether it passed; ``None`` where it could not be run."""
    return [
        None if test.status == "infrastructure" else test.status == "passed"
        for test in report.results
        if test.status != "invalid"
    ]
