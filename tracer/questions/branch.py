"""Which way a condition goes.

Program (lines 1 to 5)::

    def f(xs):
        for x in xs:
            if x > 2:
                return x
        return 0

call ``f([1, 7])``: "While `f([1, 7])` runs, line 3 (`if x > 2:`) is executed for the 2nd time. Is
its condition true?", key ``yes``.

Asked are ``if``, ``elif`` and ``while``, whether a ``case`` matches, and whether an ``except``
catches what is raised. The next step of the same call tells: it stands in the body or it does not.
A body that may begin without a step (only ``global``, say) can't tell, a constant condition, a case
that always matches and a bare ``except`` need no telling; none of these is asked. A trace gives as
many questions answered yes as answered no.

Source: own.
"""

from __future__ import annotations

import ast
import random

from tracer.questions.base import (
    COUNTING,
    ENDED,
    Context,
    QuestionKind,
    balance,
    check_yes_no,
    line_text,
    ordinal,
    run_text,
    runs_elsewhere,
    shared_lines,
)
from tracer.records import Question, Step, Trace, Verdict
from tracer.structure import Structure, following_steps, structure_of
from tracer.wording import NO, YES, YES_NO_FORM

_ASKED: dict[type[ast.AST], str] = {
    ast.If: "Is its condition true?",
    ast.While: "Is its condition true?",
    ast.match_case: "Does this case match (its guard, if it has one, included)?",
    ast.ExceptHandler: "Does this clause catch the exception?",
}


def derive(trace: Trace, rng: random.Random, limit: int) -> tuple[Question, ...]:
    """Up to ``limit`` questions, half of them answered no."""
    structure = structure_of(trace)
    if structure is None:
        return ()
    shared = shared_lines(trace)
    bodies = {
        each.stmt: structure.body(each.stmt)
        for each in trace.statements
        if each.line not in shared
        and _is_open(structure, each.stmt)
        and not runs_elsewhere(trace, each)
    }
    ways: dict[bool, dict[int, list[Step]]] = {True: {}, False: {}}
    for step, following in zip(trace.steps, following_steps(trace), strict=True):
        body = bodies.get(step.stmt)
        if body is not None and step.completed:
            entered = following is not None and following.stmt in body
            ways[entered].setdefault(step.stmt, []).append(step)
    yes = {step.index for group in ways[True].values() for step in group}
    chosen = balance(list(ways[True].values()), list(ways[False].values()), limit, rng)
    chosen.sort(key=lambda step: step.index)
    return tuple(_ask(trace, structure, step, YES if step.index in yes else NO) for step in chosen)


def _is_open(structure: Structure, stmt: int) -> bool:
    """Whether it is a condition that the text does not decide."""
    node = structure.nodes[stmt]
    if isinstance(node, ast.If | ast.While):
        return not isinstance(node.test, ast.Constant)
    if isinstance(node, ast.match_case):
        return node.guard is not None or not _always_matches(node.pattern)
    if isinstance(node, ast.ExceptHandler):
        parent = structure.parents[stmt]
        plain = parent is not None and isinstance(structure.nodes[parent], ast.Try)
        return plain and node.type is not None
    return False


def _always_matches(pattern: ast.pattern) -> bool:
    if isinstance(pattern, ast.MatchAs):
        return pattern.pattern is None or _always_matches(pattern.pattern)
    return isinstance(pattern, ast.MatchOr) and any(map(_always_matches, pattern.patterns))


def _ask(trace: Trace, structure: Structure, step: Step, key: str) -> Question:
    node = structure.nodes[step.stmt]
    verb = "executed" if isinstance(node, ast.If | ast.While) else "tried"
    text = (
        f"While {run_text(trace)} runs, {line_text(trace, step.line)} is {verb} for the "
        f"{ordinal(step.occurrence)} time. {_ASKED[type(node)]}\n{COUNTING} {YES_NO_FORM}"
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
    """Compare yes or no."""
    return check_yes_no(question, answer)


KIND = QuestionKind("branch", derive, check, ENDED)
