"""Judging many answers with few sandbox runs: what ``score`` and the rewards stand on.

``Judge().judge([Submission(question, "<answer>8</answer>")])`` gives one verdict per submission, in
order. Answers that must be run (``input``) are gathered and run together, each as if it were alone,
so no verdict depends on what else was submitted. Such runs are not traced, so a right
answer may take any number of steps.

Source: own.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import TracebackType

from tracer.answers import Layout, split_answers
from tracer.questions import QUESTION_KINDS, InputChecker
from tracer.records import Call, Limits, Outcome, Program, Question, Trace, Verdict
from tracer.runner import Runner
from tracer.verification import verify, verify_answer

ANSWER_LIMITS = Limits(max_value_chars=100_000, cpu_s=1.0)
"""Of the runs that answers ask for."""
_NAMES = tuple(kind.name for kind in QUESTION_KINDS)
_KINDS = frozenset(_NAMES)


@dataclass(frozen=True, slots=True)
class Submission:
    """A reply to one question."""

    question: Question
    reply: str | None
    """All that the model wrote; ``None`` stands for no answer."""
    program: Program | None = None
    """The program asked about: ``input`` questions can't be judged without."""
    layout: Layout | None = "any"
    """How the model was told to write; ``None``: ``reply`` is the answer, already taken out."""


def submissions_of(
    reply: str,
    questions: Mapping[str, Question],
    program: Program | None = None,
    layout: Layout = "any",
) -> tuple[Submission, ...]:
    """One reply to several questions, taken apart.

    Args:
        reply: All that the model wrote.
        questions: By their ids in the prompt, in the order in which they were asked.
        program: The program asked about.
        layout: How the model was told to write.

    Returns:
        A submission for each question, in the same order.
    """
    answers = split_answers(reply, tuple(questions), layout)
    return tuple(
        Submission(question, answers[name], program, None) for name, question in questions.items()
    )


class Judge:
    """Judges submissions; each thread that calls it gets a sandbox of its own when it needs one.

    Close it, or use it in ``with``.
    """

    def __init__(self, limits: Limits = ANSWER_LIMITS, python: str = sys.executable) -> None:
        self._limits = limits
        self._python = python
        self._local = threading.local()
        self._lock = threading.Lock()
        self._runners: list[Runner] = []

    def __enter__(self) -> Judge:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        value: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """End the sandboxes; those that are needed again start again."""
        with self._lock:
            for runner in self._runners:
                runner.close()

    def judge(self, submissions: Sequence[Submission]) -> tuple[Verdict, ...]:
        """The verdict on each submission, in their order.

        Raises:
            ValueError: A question is of an unknown kind. (An answer key that can't be read is data:
                the verdict is ``infrastructure``.)
        """
        for kind in {submission.question.kind for submission in submissions} - _KINDS:
            raise ValueError(f"unknown question kind {kind!r}; there are: {', '.join(_NAMES)}")
        asking = _Asking()
        verdicts: list[Verdict] = []
        waiting: dict[int, tuple[Program, Call]] = {}
        for place, submission in enumerate(submissions):
            verdicts.append(_verify(submission, asking))
            wanted = asking.take()
            if wanted is not None:
                waiting[place] = wanted
        if waiting:
            calls = list(dict.fromkeys(waiting.values()))
            known = _Known(dict(zip(calls, self._runner().run_many(calls), strict=True)))
            for place in waiting:
                verdicts[place] = _verify(submissions[place], known)
        return tuple(verdicts)

    def _runner(self) -> Runner:
        runner: Runner | None = getattr(self._local, "runner", None)
        if runner is None:
            runner = self._local.runner = Runner(self._limits, self._python)
            with self._lock:
                self._runners.append(runner)
        return runner


def _verify(submission: Submission, runner: InputChecker) -> Verdict:
    question, reply, program = submission.question, submission.reply, submission.program
    try:
        if submission.layout is None or reply is None:
            return verify_answer(question, reply, program=program, runner=runner)
        return verify(question, reply, program=program, runner=runner, layout=submission.layout)
    except (ValueError, TypeError, KeyError, AssertionError) as error:
        return Verdict("infrastructure", f"the answer key can't be read: {error}", question.key)


class _Asking:
    """Notes which run an answer asks for, and runs nothing."""

    def __init__(self) -> None:
        self._wanted: tuple[Program, Call] | None = None

    def take(self) -> tuple[Program, Call] | None:
        """The run that was asked for since the last time."""
        wanted, self._wanted = self._wanted, None
        return wanted

    def run(self, program: Program, call: Call) -> Trace:
        self._wanted = program, call
        return _trace(program, call, Outcome("infrastructure"))


class _Known:
    """Gives the outcomes of runs that were made before."""

    def __init__(self, outcomes: dict[tuple[Program, Call], Outcome]) -> None:
        self._outcomes = outcomes

    def run(self, program: Program, call: Call) -> Trace:
        return _trace(program, call, self._outcomes[program, call])


def _trace(program: Program, call: Call, outcome: Outcome) -> Trace:
    return Trace(program, call.args, outcome, False, "", "", (), (), ())
