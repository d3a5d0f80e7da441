"""Whether a line is executed at all.

Program (lines 1 to 4)::

    def f(n):
        if n > 5:
            n = 5
        return n

call ``f(3)``: "While `f(3)` runs, is line 3 (`n = 5`) executed at least once?", key ``no``.

A statement without a step in a complete trace was not executed. Asked are only statements whose
execution is a step, standing alone on their lines, inside functions; never ``def`` and ``class``,
``case`` and ``except`` lines, no line that holds a lambda or a generator expression, and nothing
where code may still run when the call's variables are dropped (a generator in a ``try``). A trace
gives as many questions answered yes as answered no, and of those answered yes rather such as stand
under a condition.

REval ("code coverage prediction") asks the same of lines, docstrings and ``else:`` among them; ours
asks statements only.

Source: https://arxiv.org/abs/2403.16437
"""

from __future__ import annotations

import ast
import random
from collections.abc import Sequence

from tracer.inside.sites import DEFINITIONS
from tracer.questions.base import (
    ENDED,
    Context,
    QuestionKind,
    balance,
    check_yes_no,
    line_text,
    run_text,
    runs_elsewhere,
    shared_lines,
)
from tracer.records import Question, Statement, Trace, Verdict
from tracer.structure import Structure, runs_on, structure_of
from tracer.wording import NO, YES, YES_NO_FORM

_NEVER_ASKED = (*DEFINITIONS, ast.ExceptHandler, ast.match_case)
_CONDITIONAL = (ast.If, ast.For, ast.While, ast.ExceptHandler, ast.match_case)


def derive(trace: Trace, rng: random.Random, limit: int) -> tuple[Question, ...]:
    """Up to ``limit`` questions about different lines, half of them answered no."""
    structure = structure_of(trace)
    if structure is None or runs_on(trace, structure):
        return ()
    shared = shared_lines(trace)
    begun = {step.stmt for step in trace.steps}
    asked = [
        each
        for each in trace.statements
        if each.line not in shared
        and _can_be_asked(structure, each.stmt, trace)
        and not runs_elsewhere(trace, each)
    ]
    no = [[each] for each in asked if each.stmt not in begun]
    sure = [[each] for each in asked if each.stmt in begun]
    unsure = [group for group in sure if _is_conditional(structure, group[0].stmt)]
    yes = unsure if len(unsure) >= min(len(no), (limit + 1) // 2) else sure
    chosen: Sequence[Statement] = sorted(balance(yes, no, limit, rng), key=lambda each: each.stmt)
    return tuple(_ask(trace, each, YES if each.stmt in begun else NO) for each in chosen)


def _can_be_asked(structure: Structure, stmt: int, trace: Trace) -> bool:
    node = structure.nodes[stmt]
    if not structure.steps[stmt] or isinstance(node, _NEVER_ASKED):
        return False
    return trace.program.entry_point is None or structure.function_of(stmt) is not None


def _is_conditional(structure: Structure, stmt: int) -> bool:
    """Whether it stands inside a branch, a loop, a handler or a case of its function."""
    return any(isinstance(structure.nodes[each], _CONDITIONAL) for each in structure.around(stmt))


def _ask(trace: Trace, statement: Statement, key: str) -> Question:
    loading = (
        " What ran before the call, while the module was loaded, does not count."
        if trace.program.entry_point
        else ""
    )
    text = (
        f"While {run_text(trace)} runs, is {line_text(trace, statement.line)} executed at least "
        f"once?\nA statement that begins counts, even if an exception ends it.{loading} "
        f"{YES_NO_FORM}"
    )
    return Question(
        kind=KIND.name,
        text=text,
        key=key,
        valid=(),
        stmt=statement.stmt,
        line=statement.line,
    )


def check(question: Question, answer: str, context: Context) -> Verdict:
    """Compare yes or no."""
    return check_yes_no(question, answer)


KIND = QuestionKind("executed", derive, check, ENDED)
