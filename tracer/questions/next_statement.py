"""Which line runs next.

Program (lines 1 to 4)::

    def f(n):
        while n > 1:
            n //= 2
        return n

call ``f(4)``: "While `f(4)` runs, line 2 (`while n > 1:`) is executed for the 3rd time. On which
line does the next executed statement start?", key ``4``. After the last statement the key is
``terminates``. The text of a line is accepted where it occurs once in the program.

ExecVerify compares the text of the next line, which can't tell equal lines apart; ours asks for its
number, goes into called functions, and does not ask where a line holds several statements, a lambda
or a generator expression.

Source: https://arxiv.org/abs/2603.11226
"""

from __future__ import annotations

import random
import re

from tracer.questions.base import (
    COUNTING,
    Context,
    QuestionKind,
    correct,
    incorrect,
    line_text,
    ordinal,
    run_text,
    runs_elsewhere,
    shared_lines,
    source_lines,
    spread,
    unparsed,
)
from tracer.records import Program, Question, Step, Trace, Verdict

TERMINATES = "terminates"
"""The answer after the last statement of a run."""

_LINE = re.compile(r"(?:line\s+)?(\d{1,9})", re.IGNORECASE)


def derive(trace: Trace, rng: random.Random, limit: int) -> tuple[Question, ...]:
    """Up to ``limit`` questions, no two about the same pair of statements."""
    shared = shared_lines(trace)
    edges: dict[tuple[int, int | None], list[tuple[Step, str]]] = {}
    for step, following in zip(trace.steps, (*trace.steps[1:], None), strict=False):
        if step.line in shared or runs_elsewhere(trace, trace.statements[step.stmt]):
            continue
        if following is None:
            edges.setdefault((step.stmt, None), []).append((step, TERMINATES))
        elif following.line not in shared:
            edge = (step.stmt, following.stmt)
            edges.setdefault(edge, []).append((step, str(following.line)))
    chosen = spread(edges.values(), limit, rng, lambda _: True)
    chosen.sort(key=lambda pair: pair[0].index)
    return tuple(_ask(trace, step, key) for step, key in chosen)


def _ask(trace: Trace, step: Step, key: str) -> Question:
    text = (
        f"While {run_text(trace)} runs, {line_text(trace, step.line)} is executed for the "
        f"{ordinal(step.occurrence)} time. On which line does the next executed statement start?\n"
        f"{COUNTING} If the line calls a function of the program, the next statement is the first "
        "one in the body of that function. "
        f"Answer with the line number alone, or with `{TERMINATES}` if no statement follows."
    )
    return Question(
        kind=KIND.name,
        text=text,
        key=key,
        valid=(),
        stmt=step.stmt,
        line=step.line,
        occurrence=step.occurrence,
        step=step.index,
    )


def check(question: Question, answer: str, context: Context) -> Verdict:
    """Compare line numbers."""
    line = _read_line(answer, context.program)
    if line is None:
        return unparsed(question, answer, f"write a line number or {TERMINATES}")
    if line in (question.key, *question.valid):
        return correct(question, answer)
    return incorrect(question, answer, "another line runs next")


def _read_line(answer: str, program: Program | None) -> str | None:
    plain = answer.strip().strip("`'\"").rstrip(".").strip()
    match = _LINE.fullmatch(plain)
    if match:
        return str(int(match[1]))
    if plain.lower() == TERMINATES:
        return TERMINATES
    if program is None:
        return None
    lines = [line.strip() for line in source_lines(program.source)]
    text = answer.strip()
    return str(lines.index(text) + 1) if lines.count(text) == 1 else None


KIND = QuestionKind("next_statement", derive, check)
