"""One reply and one score, for trainers that cannot leave a row out.

Source: own.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tracer.answers import Layout
from tracer.judging import Submission
from tracer.problems import find_code, problem_of, verdict_of
from tracer.records import Verdict
from tracer.rewards import answer_reward
from tracer.unit_tests import run_unit_tests
from trainer.rewards.base import program_of, question_of, shared_judge


class NotJudged(RuntimeError):
    """A reply could not be judged because the sandbox failed; it says nothing about the reply."""


def judge_one(
    reply: str, key: str, row: Mapping[str, Any] | None = None, unjudged: float | None = None
) -> tuple[Verdict, float]:
    """The verdict on a reply, and 1.0 or 0.0.

    Args:
        reply: All that the model wrote.
        key: The answer key.
        row: ``kind``, ``valid``, ``source``, ``entry_point`` and ``layout``, as far as they are
            there; ``kind`` ``code`` with the tests of a problem as :mod:`tracer.problems` reads it.
        unjudged: Score of a reply that could not be judged.

    Raises:
        NotJudged: The sandbox failed, more than once, and ``unjudged`` is not given.
        ValueError: The kind of question is unknown, or the tests can't be used.
    """
    row = row or {}
    verdict = _judge(reply, key, row)
    score = answer_reward(verdict).total
    if score is None:
        score = unjudged
    if score is None:
        raise NotJudged(verdict.reason)
    return verdict, score


def _judge(reply: str, key: str, row: Mapping[str, Any]) -> Verdict:
    kind = row.get("kind") or "output"
    layout: Layout = row.get("layout") or "any"
    if kind == "code":
        problem = problem_of({**row, "prompt": row.get("starter") or ""})
        code = find_code(problem, reply, layout)
        return (
            code if isinstance(code, Verdict) else verdict_of(run_unit_tests(code, problem.suite))
        )
    question = question_of(kind, key, row.get("valid"))
    program = program_of(row.get("source"), row.get("entry_point"))
    (verdict,) = shared_judge().judge([Submission(question, reply, program, layout)])
    return verdict
