"""REval's four tasks (coverage, path, state, output), derived anew from HumanEval and ClassEval.

Rows of HumanEval's shape (``prompt``, ``canonical_solution``, ``entry_point``, ``test``), of
EvalPlus's (``base_input``), of ClassEval's (``solution_code``, ``test``, ``test_classes``) and of
REval's own data file (``code``, ``entry_point``, ``inputs``); each program is run here and asked
about by our tracer. REval reads its truth from line events, which repeat for loops over one line,
skip lines that call, and take docstrings and ``else:`` for lines that can run; ours asks about
statements, names which execution is meant, and compares strictly.

Source: https://arxiv.org/abs/2403.16437
"""

from __future__ import annotations

import ast
from collections.abc import Iterable

from tracer.literals import NotFaithful, expression
from tracer.problems import problem_of
from tracer.records import Program
from trainer.evaluation.class_tests import programs_of
from trainer.evaluation.execution import Case, ask_about
from trainer.evaluation.fields import name_of, readable, text
from trainer.evaluation.records import Loaded, Row

KINDS = {
    "executed": "coverage",
    "next_statement": "path",
    "variable_state": "state",
    "output": "output",
}
INPUTS = 3
"""Calls of each function, and test methods of each class, that are asked about."""
QUESTIONS = 2
"""Questions of each kind about one call."""


def load(rows: Iterable[Row]) -> Loaded:
    """Up to seven tasks for each call of each program."""
    read, left_out = readable(rows, _cases)
    cases = [case for group, _ in read for case in group]
    lines = {group[0].group: last for group, last in read if group and last is not None}
    found = ask_about(cases, KINDS, each=QUESTIONS, lines=lines)
    return Loaded(found.tasks, (*left_out, *found.left_out))


def _cases(row: Row, place: int) -> tuple[list[Case], int | None]:
    """The cases of a row, and the last line that is asked about."""
    name = name_of(row, place)
    if "solution_code" in row:
        programs = programs_of(row, INPUTS)
        cases = [
            Case(f"{name}/{method}", name, "class", Program(source, entry), "")
            for source, entry, method in programs.methods
        ]
        return cases, programs.last_line
    if "inputs" in row:
        source, entry = text(row, "code"), text(row, "entry_point")
        calls = [_inside(each) for each in row["inputs"]]
    else:
        entry = text(row, "entry_point")
        source = text(row, "prompt") + text(row, "canonical_solution")
        calls = _calls(row)
    program = Program(source, entry)
    chosen = list(dict.fromkeys(calls))[:INPUTS]
    if not chosen:
        raise ValueError("none of its tests is a call with literal arguments")
    cases = [
        Case(f"{name}/{number}", name, "function", program, args)
        for number, args in enumerate(chosen)
    ]
    return cases, None


def _calls(row: Row) -> list[str]:
    """The arguments of the calls in a problem's tests."""
    tests = problem_of(
        {key: value for key, value in row.items() if key != "plus_input"}
    ).suite.tests
    return [
        ", ".join([*test.args, *(f"{key}={value}" for key, value in test.kwargs)])
        for test in tests
        if test.args or test.kwargs
    ]


def _inside(arguments: object) -> str:
    """REval writes the arguments of a call as the text of a tuple."""
    try:
        node = expression(str(arguments))
    except NotFaithful as error:
        raise ValueError(f"'inputs' holds no tuple of arguments: {error}") from None
    if not isinstance(node, ast.Tuple):
        raise ValueError("'inputs' holds no tuple of arguments")
    return ", ".join(map(ast.unparse, node.elts))
