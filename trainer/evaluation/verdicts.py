"""Judging replies: many at a time, each as if it were alone.

Answers about execution are parsed and never run (:mod:`tracer.judging`); code runs in the sandbox
(:mod:`tracer.unit_tests`), or through the ``evalplus`` package where that is asked for.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from tracer.answers import read_reply
from tracer.judging import Judge, Submission, submissions_of
from tracer.problems import verdict_of
from tracer.records import Verdict
from tracer.unit_tests import TestSuite, run_many
from trainer.evaluation.evalplus_package import EvalPlus, can_judge
from trainer.evaluation.module_tests import ModuleTester
from trainer.evaluation.records import (
    Asked,
    Judged,
    ModuleKey,
    QuestionKey,
    Task,
    TestsKey,
    TextKey,
)
from trainer.evaluation.solutions import code_in

Runner: TypeAlias = Literal["own", "evalplus"]
Advance: TypeAlias = Callable[[int, int], None]
"""Told how many of how many replies are judged."""
_CHUNK = 512
NO_REPLY = Verdict("no_answer", "there is no reply to this task")


@dataclass(frozen=True, slots=True)
class Reply:
    """A reply to a task; ``None`` stands for none."""

    task: Task
    text: str | None


class Examiner:
    """Judges replies; close it, or use it in ``with``."""

    def __init__(self, runner: Runner = "own", workers: int | None = None) -> None:
        self._runner: Runner = runner
        self._workers = workers or os.cpu_count() or 1
        self._judge = Judge()
        self._modules = ModuleTester()
        self._evalplus = EvalPlus()

    def __enter__(self) -> Examiner:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End the sandboxes."""
        self._judge.close()
        self._modules.close()
        self._evalplus.close()

    def judge(self, replies: Sequence[Reply], advance: Advance) -> list[Judged]:
        """The verdicts on each reply, in their order."""
        found: list[Judged] = []
        for first in range(0, len(replies), _CHUNK):
            chunk = replies[first : first + _CHUNK]
            found.extend(self._judge_some(chunk))
            advance(len(found), len(replies))
        return found

    def _judge_some(self, replies: Sequence[Reply]) -> list[Judged]:
        verdicts: dict[tuple[int, int], Verdict] = {}
        submitted: dict[tuple[int, int], Submission] = {}
        tested: dict[tuple[int, int], tuple[str, TestSuite]] = {}
        for place, reply in enumerate(replies):
            if reply.text is None:
                verdicts |= {(place, at): NO_REPLY for at in range(len(reply.task.asked))}
                continue
            submitted |= {(place, at): each for at, each in _submissions(reply.task, reply.text)}
            for at, asked in enumerate(reply.task.asked):
                work = self._work(asked, reply)
                if isinstance(work, Verdict):
                    verdicts[place, at] = work
                elif work is not None:
                    tested[place, at] = work
        judged = self._judge.judge(list(submitted.values()))
        verdicts |= dict(zip(submitted, judged, strict=True))
        if tested:
            reports = run_many(tested.values(), min(self._workers, len(tested)))
            verdicts |= {at: verdict_of(report) for at, report in zip(tested, reports, strict=True)}
        return [
            Judged(
                reply.task,
                reply.text,
                tuple(verdicts[place, at] for at in range(len(reply.task.asked))),
            )
            for place, reply in enumerate(replies)
        ]

    def _work(self, asked: Asked, reply: Reply) -> tuple[str, TestSuite] | Verdict | None:
        """The verdict, or code with the tests that give it; ``None`` for questions."""
        assert reply.text is not None, "checked by the caller"
        key, layout = asked.key, reply.task.layout
        match key:
            case QuestionKey():
                return None
            case TextKey():
                return check_text(key, reply.text)
            case ModuleKey():
                return self._modules.check(key, reply.text, layout)
            case TestsKey():
                code = code_in(key, reply.text, layout)
                if isinstance(code, Verdict):
                    return code
                record = key.plus
                if self._runner == "evalplus" and record is not None and can_judge(record):
                    return self._evalplus.check(record, code)
                return code, key.problem.suite


def _submissions(task: Task, text: str) -> Iterable[tuple[int, Submission]]:
    """What a reply answers to the questions of its task, by their places."""
    questions = {
        asked.id: (at, asked.key)
        for at, asked in enumerate(task.asked)
        if isinstance(asked.key, QuestionKey)
    }
    if len(questions) == 1 and len(task.asked) == 1:
        ((at, key),) = questions.values()
        return [(at, Submission(key.question, text, key.program, task.layout))]
    split = submissions_of(
        text, {name: key.question for name, (_, key) in questions.items()}, None, task.layout
    )
    return [
        (at, Submission(each.question, each.reply, key.program, None))
        for each, (at, key) in zip(split, questions.values(), strict=True)
    ]


def check_text(key: TextKey, reply: str) -> Verdict:
    """Compare an answer with the text of the key, blanks aside."""
    reading = read_reply(reply)
    if reading.answer is None:
        return Verdict("no_answer" if reading.empty else "unparsed", reading.problem, key.text)
    if "".join(reading.answer.split()).rstrip(";") == "".join(key.text.split()):
        return Verdict("correct", "the answer is that of the benchmark", key.text, reading.answer)
    return Verdict("incorrect", "the answer has another text", key.text, reading.answer)
