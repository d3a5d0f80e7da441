"""Which arguments make the call return a value.

Program ``def f(x): return x * x``, call ``f(3)``: "Find arguments with which `f` returns `9`", key
``assert f(3) == 9``; ``f(-3)`` is right as well. Only literal arguments are taken from an answer;
*our* program is run with them in the sandbox and what it returns is compared outside. An answer
whose arguments are those of the key needs no run.

ExecVerify ("O/I prediction") runs the answer's own text, which may redefine ``f`` or exit; ours
never does.

Source: https://arxiv.org/abs/2603.11226
"""

from __future__ import annotations

import ast
import random
from functools import lru_cache
from typing import Any

from tracer.answers import CallAnswer, parse_call
from tracer.literals import from_node, statement
from tracer.questions.base import (
    Context,
    QuestionKind,
    call_text,
    correct,
    incorrect,
    unparsed,
)
from tracer.records import Call, Outcome, Question, Trace, Verdict
from tracer.values import (
    NotFaithful,
    canonical_arguments,
    equal,
    is_faithful,
    parse,
    parse_arguments,
)


def derive(trace: Trace, rng: random.Random, limit: int) -> tuple[Question, ...]:
    """The one question of a trace whose call has arguments, all faithful, as its result is.

    Not asked of a call with standard input: then its arguments do not decide alone.
    """
    value, function = trace.outcome.value, trace.program.entry_point
    if function is None or value is None or not is_faithful(value) or not limit or trace.stdin:
        return ()
    try:
        positional, keyword = parse_arguments(trace.args)
    except NotFaithful:
        return ()
    if not positional and not keyword:
        return ()
    text = (
        f"Find arguments with which `{function}` returns `{value}`.\n"
        f"Answer with the call alone, such as `{function}(1, 'a')`; "
        "all arguments must be Python literals. Any arguments that give this value are right."
    )
    key = f"assert {call_text(trace)} == {value}"
    return (Question(kind=KIND.name, text=text, key=key, valid=()),)


def check(question: Question, answer: str, context: Context) -> Verdict:
    """Run the program with the arguments of the answer, unless they are those of the key."""
    function, expected = _asked(question.key)
    try:
        call = parse_call(answer, function)
    except NotFaithful as error:
        return unparsed(question, answer, error)
    if not all(equal(claim, expected) for claim in call.claims):
        return incorrect(question, answer, "the answer is about another value")
    arguments = _arguments_of(call)
    if any(arguments == _known(text, function) for text in (question.key, *question.valid)):
        return correct(question, answer)
    if context.program is None or context.runner is None:
        return Verdict("infrastructure", "no program or no sandbox was given to run the answer in")
    try:
        outcome = context.runner.run(context.program, Call(arguments)).outcome
    except Exception as error:
        return Verdict("infrastructure", f"the sandbox failed: {type(error).__name__}: {error}")
    return _judge(question, answer, outcome, expected)


def _judge(question: Question, answer: str, outcome: Outcome, expected: object) -> Verdict:
    if outcome.kind in ("infrastructure", "bad_program", "disturbed"):
        return Verdict("infrastructure", f"the program could not be run: {outcome.kind}")
    if outcome.kind != "returned" or outcome.value is None:
        named = f" {outcome.type}" if outcome.type else ""
        return incorrect(question, answer, f"the call does not return: {outcome.kind}{named}")
    try:
        value = parse(outcome.value)
    except NotFaithful:
        return incorrect(question, answer, "the call returns something that is no literal")
    if equal(value, expected):
        return correct(question, answer)
    return incorrect(question, answer, f"the call returns {outcome.value}")


@lru_cache(maxsize=4096)
def _asked(key: str) -> tuple[str, Any]:
    """Function and value of a key ``assert f(3) == 9``."""
    node = statement(key)
    assert isinstance(node, ast.Assert)
    assert isinstance(node.test, ast.Compare)
    assert isinstance(node.test.left, ast.Call)
    return ast.unparse(node.test.left.func), from_node(node.test.comparators[0])


@lru_cache(maxsize=4096)
def _known(text: str, function: str) -> str | None:
    """Arguments of a known answer as text: to the program, a reordered dict is another one.

    Those of foreign data may be no literals; then they are not known.
    """
    try:
        return _arguments_of(parse_call(text, function))
    except NotFaithful:
        return None


def _arguments_of(call: CallAnswer) -> str:
    return canonical_arguments(call.positional, call.keyword)


KIND = QuestionKind("input", derive, check)
