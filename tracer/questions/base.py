"""What every question kind is made of: its name, how it asks and how it checks.

A kind is one module of this folder with a ``KIND``; ``QUESTION_KINDS`` lists them. Its module says
what it asks, shows one example, names the paper and our differences, and ends with a ``Source:``
line.

Source: own.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import chain, islice, zip_longest
from typing import Protocol, TypeVar

from tracer.literals import NotFaithful
from tracer.records import Call, OutcomeKind, Program, Question, Statement, Trace, Verdict
from tracer.wording import NO, YES, parse_yes_no

VALUE_FORM = (
    "a Python literal such as 5, -0.5, 'ab', [1, 2], {'a': 1} or None; "
    "also set(), frozenset({1}), range(0, 5), float('inf') or collections.deque([1])"
)
"""How a value is to be written, for the text of a question."""
ENDED: frozenset[OutcomeKind] = frozenset({"returned", "raised"})
"""Outcomes of calls that ended by themselves."""
COUNTING = (
    "Executions are counted over the whole run, in the order in which they start; "
    "each evaluation of a loop header is one execution of its line."
)

_NEVER_STEPS = frozenset(("Try", "TryStar", "Global", "Nonlocal"))
_COMPOUND = frozenset(
    (
        *("FunctionDef", "AsyncFunctionDef", "ClassDef", "If", "For", "AsyncFor", "While"),
        *("With", "AsyncWith", "Match", "match_case", "ExceptHandler", "Try", "TryStar"),
    )
)
_SHOWN_CHARS = 1_000

_Member = TypeVar("_Member")


class InputChecker(Protocol):
    """Runs programs in a sandbox, as :class:`tracer.runner.Runner` does."""

    def run(self, program: Program, call: Call) -> Trace:
        """Run one call; whatever the program does becomes the outcome of the trace."""
        ...


@dataclass(frozen=True, slots=True)
class Context:
    """What checking an answer may need beyond the question."""

    program: Program | None = None
    runner: InputChecker | None = None


@dataclass(frozen=True, slots=True)
class QuestionKind:
    """One kind of question."""

    name: str
    derive: Callable[[Trace, random.Random, int], tuple[Question, ...]]
    """Questions of a complete trace with one of ``outcomes``, at most as many as the number."""
    check: Callable[[Question, str, Context], Verdict]
    """Judges the text of an answer; never raises because of what the answer says."""
    outcomes: frozenset[OutcomeKind] = frozenset({"returned"})
    """How the call of a trace may have ended."""


def correct(question: Question, answer: str) -> Verdict:
    """The answer is right."""
    return Verdict("correct", "the answer is right", question.key, shorten(answer))


def incorrect(question: Question, answer: str, reason: str) -> Verdict:
    """The answer can be read and is wrong."""
    return Verdict("incorrect", reason, question.key, shorten(answer))


def unparsed(question: Question, answer: str, reason: object) -> Verdict:
    """The answer can't be read."""
    return Verdict("unparsed", f"the answer can't be read: {reason}", question.key, shorten(answer))


def check_yes_no(question: Question, answer: str) -> Verdict:
    """Compare yes or no with the key."""
    try:
        said = YES if parse_yes_no(answer) else NO
    except NotFaithful as error:
        return unparsed(question, answer, error)
    if said in (question.key, *question.valid):
        return correct(question, answer)
    return incorrect(question, answer, f"it is {question.key}")


def shorten(text: str) -> str:
    """A text that is short enough to be shown."""
    return text if len(text) <= _SHOWN_CHARS else f"{text[:_SHOWN_CHARS]}… ({len(text)} characters)"


def call_text(trace: Trace) -> str:
    """The traced call as it would be written: ``f([1, 2], k=3)``."""
    return f"{trace.program.entry_point}({trace.args})"


def run_text(trace: Trace) -> str:
    """What ran, for the text of a question."""
    return f"`{call_text(trace)}`" if trace.program.entry_point else "the program"


def source_lines(source: str) -> list[str]:
    """Lines of a program as Python numbers them; the first is at index 0."""
    return source.replace("\r\n", "\n").replace("\r", "\n").split("\n")


def line_text(trace: Trace, line: int) -> str:
    """How a line is shown in a question: its number and its text without indentation."""
    return f"line {line} (`{source_lines(trace.program.source)[line - 1].strip()}`)"


def ordinal(number: int) -> str:
    """``1st``, ``2nd``, ``11th``."""
    ending = {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{'th' if number % 100 in (11, 12, 13) else ending}"


def shared_lines(trace: Trace) -> frozenset[int]:
    """Lines on which more than one statement that can be a step begins."""
    begun = Counter(each.line for each in trace.statements if each.kind not in _NEVER_STEPS)
    return frozenset(line for line, count in begun.items() if count > 1)


def runs_elsewhere(trace: Trace, statement: Statement) -> bool:
    """Whether code on the statement's own lines may also run outside the statement."""
    last = statement.end_line
    if statement.kind in _COMPOUND:  # its own lines end where its body begins
        last = max(statement.line, trace.statements[statement.stmt + 1].line - 1)
    return any(line in trace.untracked_lines for line in range(statement.line, last + 1))


def spread(
    groups: Iterable[Sequence[_Member]],
    count: int,
    rng: random.Random,
    accept: Callable[[_Member], bool],
) -> list[_Member]:
    """Choose one member each of at most ``count`` groups, spread over their order.

    Args:
        groups: Candidates that would ask nearly the same, in the order of the trace.
        count: Most members chosen.
        rng: Decides within each stretch of groups, and within each group.
        accept: Whether a candidate may be asked; called only for those considered.
    """
    waiting = [rng.sample(group, len(group)) for group in groups]
    stretches = [
        waiting[len(waiting) * part // count : len(waiting) * (part + 1) // count]
        for part in range(count)
    ]
    for stretch in stretches:
        rng.shuffle(stretch)
    one_of_each = chain.from_iterable(zip_longest(*stretches, fillvalue=()))
    chosen = (next(filter(accept, group), None) for group in one_of_each)
    return list(islice((member for member in chosen if member is not None), count))


def balance(
    yes: Sequence[Sequence[_Member]],
    no: Sequence[Sequence[_Member]],
    limit: int,
    rng: random.Random,
) -> list[_Member]:
    """Choose as many members of ``yes`` as of ``no``, at most ``limit`` together.

    When ``limit`` is odd and there are enough of both, a toss says of which there is one more. So
    whatever a trace is like, an answer drawn from those chosen is as likely yes as no.

    Args:
        yes: Candidates with the one answer, grouped as for :func:`spread`.
        no: Candidates with the other answer.
        limit: Most members chosen.
        rng: Decides which.
    """
    total = min(limit, 2 * min(len(yes), len(no)))
    first, second = (yes, no) if rng.random() < 0.5 else (no, yes)
    return [
        *spread(first, (total + 1) // 2, rng, lambda _: True),
        *spread(second, total // 2, rng, lambda _: True),
    ]
