"""Answers in, verdicts out: in the order of the answers, whatever the workers do."""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from factory.errors import UserError
from factory.progress import Progress
from factory.scoring.answers import Answer, BadLine, read_answers
from factory.scoring.dataset import find_questions
from factory.scoring.report import Scored, ScoreReport
from factory.scoring.tasks import ForeignTask, read_tasks
from tracer.answers import Layout
from tracer.judging import Judge, Submission
from tracer.problems import find_code, verdict_of
from tracer.records import Verdict
from tracer.unit_tests import TestSuite, run_many

STAGE = "score"
_CHUNK = 256
"""Answers that one worker takes at a time."""


@dataclass(frozen=True, slots=True)
class _Job:
    """An answer and what it is an answer to."""

    answer: Answer
    kind: str
    level: int | None
    work: Submission | tuple[str, TestSuite] | Verdict
    """What is to be judged: an answer, code with its tests, or nothing more."""
    group: str
    """Jobs of one group are about the same program: they are best judged together."""


def score(
    target: Path,
    answers: Path,
    *,
    layout: Layout = "any",
    workers: int = 1,
    progress: Progress,
) -> ScoreReport:
    """Judge every answer of a file.

    Args:
        target: A folder that ``build`` made, or a file of foreign tasks.
        answers: The file of answers: ``question_id`` and ``answer``, or ``id``, ``task`` and
            ``answer``.
        layout: How the model was told to write (see :mod:`tracer.answers`).
        workers: Sandboxes at work at the same time; it changes nothing else.
        progress: Hears how many answers are judged.

    Raises:
        UserError: A file is missing or broken as a whole, or no line of ``answers`` can be used.
    """
    started = time.monotonic()
    if target.is_dir():
        id_field, (jobs, bad) = "question_id", _dataset_jobs(target, answers, layout)
    elif target.exists():
        id_field, (jobs, bad) = "id", _task_jobs(target, answers, layout)
    else:
        raise UserError(f"{target}: neither a dataset folder nor a file of tasks")
    if not jobs:
        reason = f"; {bad[0].where}: {bad[0].reason}" if bad else ""
        raise UserError(f"{answers}: holds no answer that can be scored{reason}")
    verdicts = _judge(jobs, workers, progress)
    scored = tuple(
        Scored(job.answer, job.kind, job.level, verdict)
        for job, verdict in zip(jobs, verdicts, strict=True)
    )
    return ScoreReport(id_field, scored, tuple(bad), time.monotonic() - started)


def _dataset_jobs(folder: Path, path: Path, layout: Layout) -> tuple[list[_Job], list[BadLine]]:
    read = list(read_answers(path, "question_id"))
    answers = [each for each in read if isinstance(each, Answer)]
    asked = find_questions(folder, {str(answer.id) for answer in answers})
    jobs: list[_Job] = []
    bad: list[BadLine] = []
    for line in read:
        if isinstance(line, BadLine):
            bad.append(line)
        elif str(line.id) not in asked:
            bad.append(BadLine(line.where, f"{folder} has no question {line.id!r}"))
        else:
            found = asked[str(line.id)]
            work = Submission(found.question, line.text, found.program, layout)
            group = found.program.source
            jobs.append(_Job(line, found.question.kind, found.level, work, group))
    return jobs, bad


def _task_jobs(target: Path, path: Path, layout: Layout) -> tuple[list[_Job], list[BadLine]]:
    tasks, bad = read_tasks(target)
    jobs: list[_Job] = []
    for line in read_answers(path, "id"):
        if isinstance(line, BadLine):
            bad.append(line)
            continue
        task = tasks.get(str(line.id))
        if task is None:
            bad.append(BadLine(line.where, f"{target} has no task {line.id!r}"))
            continue
        kind = _kind_of(line, task)
        if kind in task.tasks:
            jobs.append(_task_job(line, task, kind, layout))
        else:
            listed = " or ".join(task.tasks)
            bad.append(BadLine(line.where, f"'task' must be {listed} for {line.id!r}"))
    return jobs, bad


def _kind_of(answer: Answer, task: ForeignTask) -> str:
    return task.tasks[0] if answer.task is None and len(task.tasks) == 1 else answer.task or ""


def _task_job(answer: Answer, task: ForeignTask, kind: str, layout: Layout) -> _Job:
    if kind == "code":
        return _Job(answer, kind, task.level, _code_work(answer, task, layout), task.where)
    work = Submission(dict(task.questions)[kind], answer.text, task.program, layout)
    return _Job(answer, kind, task.level, work, task.where)


def _code_work(
    answer: Answer, task: ForeignTask, layout: Layout
) -> tuple[str, TestSuite] | Verdict:
    if not answer.text:
        return Verdict("no_answer", "there is no answer to this task")
    try:
        problem = task.problem
    except ValueError as error:
        return Verdict("infrastructure", f"{task.where}: the tests can't be used: {error}")
    code = find_code(problem, answer.text, layout)
    return code if isinstance(code, Verdict) else (code, problem.suite)


def _judge(jobs: Sequence[_Job], workers: int, progress: Progress) -> list[Verdict]:
    verdicts: dict[int, Verdict] = {}
    asked: dict[int, Submission] = {}
    coded: dict[int, tuple[str, TestSuite]] = {}
    for place in sorted(range(len(jobs)), key=lambda place: jobs[place].group):
        work = jobs[place].work
        if isinstance(work, Verdict):
            verdicts[place] = work
        elif isinstance(work, Submission):
            asked[place] = work
        else:
            coded[place] = work
    with Judge() as judge, ThreadPoolExecutor(workers) as pool:

        def answer(places: Sequence[int]) -> tuple[Verdict, ...]:
            return judge.judge([asked[place] for place in places])

        futures = [(chunk, pool.submit(answer, chunk)) for chunk in _chunks(asked, _CHUNK)]
        for chunk, future in futures:
            verdicts.update(zip(chunk, future.result(), strict=True))
            progress.advance(STAGE, len(verdicts), len(jobs))
    for place, report in zip(coded, run_many(coded.values(), workers), strict=True):
        verdicts[place] = verdict_of(report)
        progress.advance(STAGE, len(verdicts), len(jobs))
    return [verdicts[place] for place in range(len(jobs))]


def _chunks(places: Iterable[int], size: int) -> list[list[int]]:
    waiting = iter(places)
    return list(iter(lambda: list(islice(waiting, size)), []))
