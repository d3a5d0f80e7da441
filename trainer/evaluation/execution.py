"""Questions about programs of other people, with answers that our own tracer found.

A stored answer is compared with what the program does here; where the two differ, the row is left
out by name and never asked.

Source: own.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from tracer import Call, Limits, Pool, Program, Question, Trace, derive
from tracer.answers import parse_literal
from tracer.literals import NotFaithful
from tracer.values import canonical
from trainer.evaluation.asking import ask_question
from trainer.evaluation.records import Asked, Loaded, QuestionKey, Task

LIMITS = Limits(max_steps=100_000, max_value_chars=20_000)
"""Of the runs: benchmarks hold longer ones than our datasets."""


@dataclass(frozen=True, slots=True)
class Case:
    """One call of one program."""

    id: str
    group: str
    level: str | None
    program: Program
    args: str
    expected: str | None = None
    """The stored answer, a literal; ``None`` where there is none."""


def trace_cases(cases: Iterable[Case]) -> Iterator[tuple[Case, Trace]]:
    """The trace of each case, in order."""
    listed = list(cases)
    workers = max(1, min(os.cpu_count() or 1, len(listed)))
    with Pool(workers, LIMITS) as pool:
        calls = ((case.program, Call(case.args)) for case in listed)
        yield from zip(listed, pool.run_all(calls), strict=True)


def ask_about(
    cases: Iterable[Case],
    kinds: Mapping[str, str],
    *,
    each: int = 1,
    lines: Mapping[str, int] | None = None,
) -> Loaded:
    """The tasks that the cases give, and what can't be asked.

    Where several questions of a kind are wanted, a call that has none of it is no loss.

    Args:
        cases: The calls.
        kinds: Kinds of questions, and the name of each in the results.
        each: Most questions of each kind about one call.
        lines: Last line that may be asked about, by group; all where it has none.
    """
    tasks: list[Task] = []
    left_out: list[tuple[str, str]] = []
    for case, trace in trace_cases(cases):
        problem = _problem(case, trace)
        if problem is not None:
            left_out.append((case.id, problem))
            continue
        last = (lines or {}).get(case.group)
        found = _questions(trace, tuple(kinds), each, last)
        for kind, name in kinds.items():
            asked = [question for question in found if question.kind == kind]
            if not asked and each == 1:
                left_out.append((f"{case.id}/{name}", "its trace gives no such question"))
            for number, question in enumerate(asked):
                id_ = f"{case.id}/{name}" + (f"/{number}" if each > 1 else "")
                tasks.append(_task(id_, name, case, question))
    return Loaded(tuple(tasks), tuple(left_out))


def _questions(trace: Trace, kinds: Sequence[str], each: int, last: int | None) -> list[Question]:
    if last is None:
        return list(derive(trace, kinds, limit=each))
    found = [
        question
        for question in derive(trace, kinds, limit=len(trace.steps) + 1)
        if question.line is None or question.line <= last
    ]
    # so many are wanted of each kind, spread over the run
    chosen: list[Question] = []
    for kind in kinds:
        some = [question for question in found if question.kind == kind]
        step = max(1, len(some) // each)
        chosen.extend(some[::step][:each])
    return chosen


def _problem(case: Case, trace: Trace) -> str | None:
    """Why nothing can be asked about a case."""
    if trace.outcome.kind != "returned" or trace.outcome.value is None:
        detail = trace.outcome.type or trace.outcome.message or ""
        return " ".join(f"here it ends with {trace.outcome.kind} {detail}".split())
    if case.expected is None:
        return None
    try:
        stored = canonical(parse_literal(case.expected))
    except NotFaithful as error:
        return f"the stored answer is no literal: {error}"
    return (
        None if stored == trace.outcome.value else "the stored answer is not what it returns here"
    )


def _task(id_: str, name: str, case: Case, question: Question) -> Task:
    key = QuestionKey(question, case.program)
    asked = Asked(id_, name, case.level, case.group, key)
    return Task(id_, ask_question(question, case.program), (asked,))
