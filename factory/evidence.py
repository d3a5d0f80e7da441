"""Why a question has its answer key: the answer found again in the trace, step by step.

Written apart from the question kinds, which choose what is asked; this starts from the question and
looks where its answer stands.  ``explain`` shows it, and a test compares its answer with the key of
every question.

Source: own.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass

from tracer.records import Activation, Question, Step, Trace
from tracer.structure import following_steps, structure_of
from tracer.wording import CHAIN, NO, RETURNS, YES


@dataclass(frozen=True, slots=True)
class Evidence:
    """What a trace says about a question."""

    answer: str | None
    """The answer in the form of the key; ``None`` when the trace does not tell."""
    because: str
    """One or two sentences for a person."""
    steps: tuple[int, ...]
    """Indexes of the steps that show it, in order."""


def find_evidence(question: Question, trace: Trace) -> Evidence:
    """Where the trace shows the answer; for a kind that is not known here, that it is not."""
    find = EVIDENCE.get(question.kind)
    if find is None:
        return Evidence(None, f"Questions of kind {question.kind} are not explained.", ())
    return find(question, trace)


def _output(question: Question, trace: Trace) -> Evidence:
    value = trace.outcome.value
    return Evidence(value, f"The call returned {value} ({trace.outcome.type}).", _last(trace))


def _input(question: Question, trace: Trace) -> Evidence:
    call = f"{trace.program.entry_point}({trace.args})"
    value = trace.outcome.value
    because = f"{call} was run and returned {value}; so is every other call that returns it right."
    return Evidence(f"assert {call} == {value}", because, _last(trace))


def _next_statement(question: Question, trace: Trace) -> Evidence:
    assert question.step is not None
    if question.step + 1 == len(trace.steps):
        because = f"Step {question.step} is the last one: no statement begins after it."
        return Evidence("terminates", because, (question.step,))
    following = trace.steps[question.step + 1]
    because = (
        f"Step {question.step} is execution {question.occurrence} of line {question.line}; the "
        f"next statement to begin is step {following.index}, on line {following.line}."
    )
    return Evidence(str(following.line), because, (question.step, following.index))


def _variable_state(question: Question, trace: Trace) -> Evidence:
    assert question.step is not None
    for change in trace.steps[question.step].changes:
        if change.name == question.variable:
            because = (
                f"Step {question.step} is execution {question.occurrence} of line {question.line}; "
                f"when it ended, {change.name} was {change.value} ({change.type})."
            )
            state = {"value": change.value, "type": change.type}
            return Evidence(json.dumps(state, ensure_ascii=False), because, (question.step,))
    because = f"Step {question.step} did not change {question.variable}."
    return Evidence(None, because, (question.step,))


def _executed(question: Question, trace: Trace) -> Evidence:
    steps = tuple(step.index for step in trace.steps if step.stmt == question.stmt)
    if not steps:
        because = (
            f"The trace holds all {len(trace.steps)} steps, and none is of line {question.line}."
        )
        return Evidence(NO, because, ())
    because = f"Line {question.line} was executed {_times(len(steps))}, first in step {steps[0]}."
    return Evidence(YES, because, steps[:1])


def _branch(question: Question, trace: Trace) -> Evidence:
    assert question.step is not None
    following = following_steps(trace)[question.step]
    if following is None:
        because = f"Step {question.step} is the last one of its call: the body was not entered."
        return Evidence(NO, because, (question.step,))
    entered = _enters(trace, question.stmt, following)
    where = "inside" if entered else "outside"
    because = (
        f"Step {question.step} is execution {question.occurrence} of line {question.line}; the "
        f"same call goes on with step {following.index} on line {following.line}, {where} the body."
    )
    return Evidence(YES if entered else NO, because, (question.step, following.index))


def _loop_count(question: Question, trace: Trace) -> Evidence:
    headers = [step for step in trace.steps if step.stmt == question.stmt]
    after = following_steps(trace)
    bodies = [
        following.index
        for step in headers
        if (following := after[step.index]) is not None and _enters(trace, question.stmt, following)
    ]
    because = (
        f"The header on line {question.line} was evaluated {_times(len(headers))}; after "
        f"{len(bodies)} of them the same call went on inside the body."
    )
    return Evidence(str(len(bodies)), because, tuple(bodies[:8]))


def _call_stack(question: Question, trace: Trace) -> Evidence:
    assert question.step is not None
    steps: list[int] = []
    at: int | None = question.step
    while at is not None:
        steps.insert(0, at)
        at = _activation(trace, at).parent_step
    names = [_activation(trace, step).function for step in steps]
    places = "; ".join(
        f"{name} is at line {trace.steps[step].line} (step {step})"
        for name, step in zip(names, steps, strict=True)
    )
    shown = CHAIN.join(name for name in names if name != "<module>")
    return Evidence(shown, f"When step {question.step} begins, {places}.", tuple(steps))


def _alias(question: Question, trace: Trace) -> Evidence:
    assert question.step is not None
    assert question.variable is not None
    first, second = question.variable.split(", ")
    changed = {
        change.name: (change.type, change.value)
        for change in trace.steps[question.step].changes
        if change.op == "mutate"
    }
    if first in changed and changed[first] == changed.get(second):
        because = (
            f"Step {question.step} changes one object in place, and both names then show the new "
            f"value {changed[first][1]}."
        )
        return Evidence(YES, because, (question.step,))
    seen = " and ".join(name for name in (first, second) if name in changed) or "neither name"
    because = (
        f"Step {question.step} changes one object in place, and the change shows in {seen} alone."
        if len(changed) == 1
        else f"After step {question.step} the two names show different values."
    )
    return Evidence(NO, because, (question.step,))


def _exception(question: Question, trace: Trace) -> Evidence:
    if question.stmt is None:
        because = f"The call ended with {trace.outcome.type}."
        return Evidence(trace.outcome.type, because, _last(trace))
    structure = structure_of(trace)
    firsts: dict[int, Step] = {}
    for step in trace.steps:
        firsts.setdefault(step.activation, step)
    calls = [
        trace.activations[number]
        for number, step in firsts.items()
        if structure is not None and structure.owners[step.stmt] == question.stmt
    ]
    assert question.occurrence is not None
    if question.occurrence > len(calls):
        return Evidence(None, f"It was called {_times(len(calls))}.", ())
    called = calls[question.occurrence - 1]
    last = max(step.index for step in trace.steps if step.activation == called.activation)
    ended = f"raised {called.type}" if called.end == "raised" else f"{called.end} {called.value}"
    because = (
        f"Call {question.occurrence} of {called.function} began with step "
        f"{firsts[called.activation].index} and {ended}."
    )
    answer = called.type if called.end == "raised" else RETURNS
    return Evidence(answer, because, (firsts[called.activation].index, last))


EVIDENCE: dict[str, Callable[[Question, Trace], Evidence]] = {
    "alias": _alias,
    "branch": _branch,
    "call_stack": _call_stack,
    "exception": _exception,
    "executed": _executed,
    "input": _input,
    "loop_count": _loop_count,
    "next_statement": _next_statement,
    "output": _output,
    "variable_state": _variable_state,
}
"""By question kind."""


def _enters(trace: Trace, stmt: int | None, following: Step) -> bool:
    """Whether a step of the same call stands in the body of a header."""
    structure = structure_of(trace)
    body = structure.body(stmt) if structure is not None and stmt is not None else None
    return body is not None and following.stmt in body


def _activation(trace: Trace, step: int) -> Activation:
    return trace.activations[trace.steps[step].activation]


def _last(trace: Trace) -> tuple[int, ...]:
    return (len(trace.steps) - 1,) if trace.steps else ()


def _times(number: int) -> str:
    return "once" if number == 1 else f"{number} times"
