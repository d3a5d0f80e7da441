"""What the call returns.

Program ``def f(x): return x + 1``, call ``f(7)``: "What does the call `f(7)` return?", key ``8``.
An answer may be the value alone or a whole ``assert f(7) == 8``; what counts is the value, and it
must be a literal: the answer is parsed, never run.

ExecVerify ("I/O prediction") and CRUXEval ask for an assertion and run it. Ours compares values,
deeply and with strict types.

Source: https://arxiv.org/abs/2603.11226
"""

from __future__ import annotations

import random

from tracer.answers import parse_literal
from tracer.questions.base import (
    VALUE_FORM,
    Context,
    QuestionKind,
    call_text,
    correct,
    incorrect,
    unparsed,
)
from tracer.records import Question, Trace, Verdict
from tracer.values import NotFaithful, equal, is_faithful, parse


def derive(trace: Trace, rng: random.Random, limit: int) -> tuple[Question, ...]:
    """The one question of a trace, if its result is faithful and it is a call."""
    value = trace.outcome.value
    if trace.program.entry_point is None or value is None or not is_faithful(value) or not limit:
        return ()
    text = f"What does the call `{call_text(trace)}` return?\nAnswer with {VALUE_FORM}."
    return (Question(kind=KIND.name, text=text, key=value, valid=()),)


def check(question: Question, answer: str, context: Context) -> Verdict:
    """Compare the literal in the answer with the key."""
    try:
        value = parse_literal(answer)
    except NotFaithful as error:
        return unparsed(question, answer, error)
    if any(equal(value, parse(key)) for key in (question.key, *question.valid)):
        return correct(question, answer)
    return incorrect(question, answer, "the call returns another value")


KIND = QuestionKind("output", derive, check)
