"""Value and type of a variable right after one execution of a line.

Program (lines 1 to 4)::

    def f(xs):
        total = 0
        for x in xs:
            total += x
        return total

call ``f([1, 2])``: "While `f([1, 2])` runs, what are the value and the type of `total` right after
the 2nd execution of line 4 (`total += x`)?", key ``{"value": "3", "type": "int"}``. An answer is
such a JSON object or ``3; int``; type names may be short (``deque``).

ExecVerify reads the value at the next line event and skips lines that call; ours reads it in the
same frame when the statement has ended, whatever ran in between. Only variables that the execution
changed are asked, only with faithful values, and never where the statement did not complete.

Source: https://arxiv.org/abs/2603.11226
"""

from __future__ import annotations

import json
import random
from collections import Counter

from tracer.answers import parse_state, same_type
from tracer.questions.base import (
    COUNTING,
    VALUE_FORM,
    Context,
    QuestionKind,
    correct,
    incorrect,
    line_text,
    ordinal,
    run_text,
    runs_elsewhere,
    shared_lines,
    spread,
    unparsed,
)
from tracer.records import Change, Question, Step, Trace, Verdict
from tracer.values import NotFaithful, equal, is_faithful, parse

_ASKED = ("bind", "rebind", "mutate")


def derive(trace: Trace, rng: random.Random, limit: int) -> tuple[Question, ...]:
    """Up to ``limit`` questions, no two about the same variable after the same statement."""
    shared = shared_lines(trace)
    executions = Counter(step.stmt for step in trace.steps)
    groups: dict[tuple[int, str], list[tuple[Step, Change]]] = {}
    for step in trace.steps:
        if not step.completed or step.line in shared:
            continue
        if executions[step.stmt] > 1 and runs_elsewhere(trace, trace.statements[step.stmt]):
            continue
        for change in step.changes:
            if change.op in _ASKED:
                groups.setdefault((step.stmt, change.name), []).append((step, change))
    chosen = spread(groups.values(), limit, rng, lambda pair: is_faithful(pair[1].value or "<>"))
    chosen.sort(key=lambda pair: (pair[0].index, pair[1].name))
    return tuple(_ask(trace, step, change) for step, change in chosen)


def _ask(trace: Trace, step: Step, change: Change) -> Question:
    text = (
        f"While {run_text(trace)} runs, what are the value and the type of `{change.name}` right "
        f"after the {ordinal(step.occurrence)} execution of {line_text(trace, step.line)}?\n"
        f"{COUNTING} An execution ends when all that the line calls has returned. "
        'Answer with JSON, {"value": "...", "type": "..."}, or with `value; type`, such as '
        f"`[1, 2]; list`. Write the value as {VALUE_FORM}."
    )
    return Question(
        kind=KIND.name,
        text=text,
        key=json.dumps({"value": change.value, "type": change.type}, ensure_ascii=False),
        valid=(),
        stmt=step.stmt,
        line=step.line,
        occurrence=step.occurrence,
        variable=change.name,
        step=step.index,
    )


def check(question: Question, answer: str, context: Context) -> Verdict:
    """Compare the value and the type with those of the key."""
    try:
        value, kind = parse_state(answer)
    except NotFaithful as error:
        return unparsed(question, answer, error)
    for key in (question.key, *question.valid):
        expected = json.loads(key)
        if equal(value, parse(expected["value"])) and same_type(kind, expected["type"]):
            return correct(question, answer)
    expected = json.loads(question.key)
    right = equal(value, parse(expected["value"]))
    return incorrect(question, answer, "the type differs" if right else "the value differs")


KIND = QuestionKind("variable_state", derive, check)
