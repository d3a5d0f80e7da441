"""1 for code that passes every unit test of its problem, else 0; or the share that passes.

Row ``{"entry_point": "f", "test_list": ["assert f(1) == 2"]}``, completion with a function ``f`` in
a code fence. Tests and code run in different processes; see :mod:`tracer.unit_tests`.

Source: https://arxiv.org/abs/2603.11226
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

from tracer.problems import TEST_FIELDS, Problem, find_code, problem_of, verdict_of
from tracer.records import Verdict
from tracer.rewards import answer_reward, unit_test_reward
from tracer.unit_tests import TestReport, TestSuite, run_many
from trainer.rewards.base import Completion, log_verdicts, optional_column, text_of

NAME = "unit_tests"
_FIELDS = (*TEST_FIELDS, "entry_point", "plus_input", "canonical_solution", "atol", "test_imports")


def unit_test_outcome(*, completions: Sequence[Completion], **columns: Any) -> list[float | None]:
    """Test the code of each completion.

    Args:
        completions: Texts or chats.
        columns: The tests in a published shape (:mod:`tracer.problems`), and where the dataset has
            them ``entry_point``, ``starter`` (Python text that the completion may continue),
            ``layout`` and ``credit`` (``strict`` or ``fractional``); all others are ignored.

    Returns:
        A reward in [0, 1] for each completion; ``None`` where the tests could not be run.

    Raises:
        ValueError: No column holds tests, or one has another length.
    """
    count = len(completions)
    if all(columns.get(name) is None for name in TEST_FIELDS):
        there = ", ".join(sorted(columns)) or "none"
        wanted = ", ".join(TEST_FIELDS)
        raise ValueError(f"no column holds tests ({wanted}); the dataset has: {there}")
    fields = {name: optional_column(columns, name, count) for name in _FIELDS}
    starters = optional_column(columns, "starter", count, "")
    records = [
        {name: values[row] for name, values in fields.items() if values[row] is not None}
        | {"prompt": starters[row]}
        for row in range(count)
    ]
    layouts = optional_column(columns, "layout", count, "any")
    found = [
        _work(record, text_of(completion), layout)
        for record, completion, layout in zip(records, completions, layouts, strict=True)
    ]
    runs = [work for work in found if not isinstance(work, Verdict)]
    reports = run_many(runs, min(len(runs), os.cpu_count() or 1)) if runs else iter(())
    results = [work if isinstance(work, Verdict) else next(reports) for work in found]
    log_verdicts(columns, NAME, [r if isinstance(r, Verdict) else verdict_of(r) for r in results])
    credits = optional_column(columns, "credit", count, "strict")
    return [_reward(result, credit) for result, credit in zip(results, credits, strict=True)]


def _work(record: dict[str, Any], reply: str, layout: Any) -> tuple[str, TestSuite] | Verdict:
    try:
        problem: Problem = problem_of(record)
    except ValueError as error:
        return Verdict("infrastructure", f"the tests can't be used: {error}")
    code = find_code(problem, reply, layout)
    return code if isinstance(code, Verdict) else (code, problem.suite)


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
