"""How often a loop's body is entered.

Program (lines 1 to 5)::

    def f(n):
        total = 0
        while n > 0:
            total, n = total + n, n // 2
        return total

call ``f(5)``: "While `f(5)` runs, how many times is the body of the loop on line 3 (`while n > 0:`)
entered?", key ``3``.

Counted are the evaluations of the header that entered the body, over the whole run. Asked are loops
whose header was evaluated, standing alone on its line, without a lambda or generator expression in
it, and none where code may still run when the call's variables are dropped. A trace gives at most
as many questions answered 0 as others.

Source: own.
"""

from __future__ import annotations

import random

from tracer.questions.base import (
    ENDED,
    Context,
    QuestionKind,
    correct,
    incorrect,
    line_text,
    run_text,
    runs_elsewhere,
    shared_lines,
    spread,
    unparsed,
)
from tracer.records import Question, Statement, Trace, Verdict
from tracer.structure import following_steps, runs_on, structure_of
from tracer.values import NotFaithful
from tracer.wording import COUNT_FORM, parse_count

_LOOPS = ("For", "While")


def derive(trace: Trace, rng: random.Random, limit: int) -> tuple[Question, ...]:
    """Up to ``limit`` questions about different loops."""
    structure = structure_of(trace)
    if structure is None or runs_on(trace, structure):
        return ()
    shared = shared_lines(trace)
    bodies = {
        each.stmt: structure.body(each.stmt)
        for each in trace.statements
        if each.kind in _LOOPS and each.line not in shared and not runs_elsewhere(trace, each)
    }
    counts: dict[int, int] = {}
    for step, following in zip(trace.steps, following_steps(trace), strict=True):
        body = bodies.get(step.stmt)
        if body is not None:
            entered = following is not None and following.stmt in body
            counts[step.stmt] = counts.get(step.stmt, 0) + entered
    some = [[stmt] for stmt in sorted(counts) if counts[stmt]]
    none = [[stmt] for stmt in sorted(counts) if not counts[stmt]]
    zeros = spread(none, min(limit // 2, len(some)), rng, lambda _: True)
    chosen = [*spread(some, limit - len(zeros), rng, lambda _: True), *zeros]
    return tuple(_ask(trace, trace.statements[stmt], counts[stmt]) for stmt in sorted(chosen))


def _ask(trace: Trace, statement: Statement, count: int) -> Question:
    text = (
        f"While {run_text(trace)} runs, how many times is the body of the loop on "
        f"{line_text(trace, statement.line)} entered?\n"
        "Each iteration counts once, also one that `break`, `continue`, `return` or an exception "
        "cuts short; if the loop runs several times, the iterations of all its runs are added up. "
        f"{COUNT_FORM}"
    )
    return Question(
        kind=KIND.name,
        text=text,
        key=str(count),
        valid=(),
        stmt=statement.stmt,
        line=statement.line,
    )


def check(question: Question, answer: str, context: Context) -> Verdict:
    """Compare the numbers."""
    try:
        count = parse_count(answer)
    except NotFaithful as error:
        return unparsed(question, answer, error)
    if str(count) in (question.key, *question.valid):
        return correct(question, answer)
    return incorrect(question, answer, "the body is entered another number of times")


KIND = QuestionKind("loop_count", derive, check, ENDED)
