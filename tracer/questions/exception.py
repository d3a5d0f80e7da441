"""Which exception a call ends with.

Program (lines 1 to 8)::

    def part(n):
        return 6 // n

    def f(n):
        try:
            return part(n)
        except ZeroDivisionError:
            return part(1)

call ``f(0)``: "While `f(0)` runs, how does the 1st call of `part`, defined on line 1, end?", key
``ZeroDivisionError``; for the 2nd the key is ``returns``. A traced call that itself ends with an
exception, as ``part(0)``, gives "The call `part(0)` ends with an exception. Of which type is it?".

Asked is the type, never the message. Calls inside the run are asked as often with the answer
``returns`` as with an exception; those of generators are not asked. A type may be given by its
short name.

Source: own.
"""

from __future__ import annotations

import random
from collections import Counter
from typing import TypeAlias

from tracer.answers import same_type
from tracer.inside.sites import FUNCTIONS
from tracer.questions.base import (
    ENDED,
    Context,
    QuestionKind,
    balance,
    correct,
    incorrect,
    line_text,
    ordinal,
    run_text,
    unparsed,
)
from tracer.records import Activation, Question, Trace, Verdict
from tracer.structure import Structure, structure_of
from tracer.values import NotFaithful
from tracer.wording import RETURNS, TYPE_FORM, parse_type_name, plain

_LIMITS = frozenset(("RecursionError", "MemoryError"))
"""Exceptions that tell of the machine."""
_Call: TypeAlias = tuple[Activation, int, int]
"""An activation, the number of its ``def``, and how many-th call of that it is, from 1."""


def derive(trace: Trace, rng: random.Random, limit: int) -> tuple[Question, ...]:
    """The question of a call that raised, and up to ``limit`` in all with those of inner calls."""
    ended = _ask_whole(trace)
    structure = structure_of(trace)
    if structure is None:
        return ended
    raises: dict[tuple[int, str | None], list[_Call]] = {}
    returns: dict[int, list[_Call]] = {}
    for call in _calls(trace, structure):
        activation, stmt, _ = call
        if activation.end == "raised":
            raises.setdefault((stmt, activation.type), []).append(call)
        else:
            returns.setdefault(stmt, []).append(call)
    chosen = balance(list(raises.values()), list(returns.values()), limit - len(ended), rng)
    chosen.sort(key=lambda call: call[0].activation)
    return (*ended, *(_ask_call(trace, *call) for call in chosen))


def _ask_whole(trace: Trace) -> tuple[Question, ...]:
    outcome = trace.outcome
    if outcome.kind != "raised" or outcome.type is None or outcome.type in _LIMITS:
        return ()
    subject = f"The call {run_text(trace)}" if trace.program.entry_point else "The program"
    text = f"{subject} ends with an exception. Of which type is it?\n{TYPE_FORM}"
    return (Question(kind=KIND.name, text=text, key=outcome.type, valid=()),)


def _calls(trace: Trace, structure: Structure) -> list[_Call]:
    """Inner calls that returned or raised."""
    first: dict[int, int] = {}
    for step in trace.steps:
        first.setdefault(step.activation, step.stmt)
    counts: Counter[int] = Counter()
    found = []
    for activation in trace.activations:
        stmt = structure.owners[first[activation.activation]]
        if stmt is None or not isinstance(structure.nodes[stmt], FUNCTIONS):
            continue
        counts[stmt] += 1
        if activation.parent_step is None or stmt in structure.generators:
            continue
        clear = activation.type is not None and activation.type not in _LIMITS
        if clear and activation.end in ("returned", "raised"):
            found.append((activation, stmt, counts[stmt]))
    return found


def _ask_call(trace: Trace, activation: Activation, stmt: int, count: int) -> Question:
    line = trace.statements[stmt].line
    text = (
        f"While {run_text(trace)} runs, how does the {ordinal(count)} call of "
        f"`{activation.function}`, defined on {line_text(trace, line)}, end?\n"
        "Calls are counted over the whole run, in the order in which they start. "
        f"Answer with `{RETURNS}` if it returns a value or ends without one; if an exception "
        "leaves it, with the name of the exception's type alone, such as `KeyError`."
    )
    raised = activation.type if activation.end == "raised" else None
    return Question(
        kind=KIND.name,
        text=text,
        key=raised or RETURNS,
        valid=(),
        stmt=stmt,
        line=line,
        occurrence=count,
    )


def check(question: Question, answer: str, context: Context) -> Verdict:
    """Compare the types by name."""
    if plain(answer).lower() == RETURNS:
        name = RETURNS
    else:
        try:
            name = parse_type_name(answer)
        except NotFaithful as error:
            return unparsed(question, answer, error)
    if any(same_type(name, key) for key in (question.key, *question.valid)):
        return correct(question, answer)
    return incorrect(question, answer, "it ends otherwise")


KIND = QuestionKind("exception", derive, check, ENDED)
