"""Tasks of other people: CRUXEval's shape for ``output`` and ``input``, tests for ``code``.

``{"id": "s0", "code": "def f(x): ...", "input": "3", "output": "9"}`` asks what ``f(3)`` returns
(task ``output``) and which arguments make ``f`` return ``9`` (task ``input``). A record with tests
(HumanEval's ``test``, MBPP's ``test_list``) asks for code.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from factory.errors import UserError
from factory.scoring.answers import BadLine, read_objects
from tracer.answers import parse_literal
from tracer.literals import NotFaithful, statement
from tracer.problems import TEST_FIELDS, Problem, problem_of
from tracer.records import Program, Question
from tracer.values import canonical

ENTRY_POINT = "f"
"""Function that is called when a task names none, as in CRUXEval."""


class BadTask(Exception):
    """A record that is no task; says why."""


@dataclass(frozen=True)
class ForeignTask:
    """One record of a file of tasks."""

    where: str
    record: dict[str, Any]
    questions: tuple[tuple[str, Question], ...]
    """By task: ``output``, ``input``."""
    program: Program | None
    """The program that the questions are about."""
    level: int | None

    @cached_property
    def problem(self) -> Problem:
        """What answers with code are tested by.

        Raises:
            ValueError: The tests can't be used.
        """
        return problem_of(self.record)

    @property
    def tasks(self) -> tuple[str, ...]:
        """What answers to it may be about."""
        tested = any(self.record.get(name) for name in TEST_FIELDS)
        return (*dict(self.questions), *(("code",) if tested else ()))


def read_tasks(path: Path) -> tuple[dict[str, ForeignTask], list[BadLine]]:
    """The tasks of a file by id, and the lines that hold none.

    Raises:
        UserError: The file is missing, of another kind, broken as a whole, or holds no task.
    """
    tasks: dict[str, ForeignTask] = {}
    bad: list[BadLine] = []
    for where, record in read_objects(path, "tasks"):
        if isinstance(record, BadLine):
            bad.append(record)
            continue
        try:
            name, task = _read_task(record, where)
        except BadTask as error:
            bad.append(BadLine(where, str(error)))
            continue
        if name in tasks:
            bad.append(BadLine(where, f"the id {name!r} is that of {tasks[name].where}"))
        else:
            tasks[name] = task
    if not tasks:
        reason = f"; {bad[0].where}: {bad[0].reason}" if bad else ""
        raise UserError(f"{path}: holds no task{reason}")
    return tasks, bad


def _read_task(record: dict[str, Any], where: str) -> tuple[str, ForeignTask]:
    name = record.get("id", record.get("task_id"))
    if type(name) not in (str, int):
        raise BadTask("the key 'id' is missing, or neither text nor a number")
    level = record.get("level")
    level = level if type(level) is int else None
    questions: tuple[tuple[str, Question], ...] = ()
    program = None
    if "input" in record and "output" in record:
        program = Program(_text(record, "code"), _entry_point(record))
        questions = _questions(record, program.entry_point or ENTRY_POINT)
    task = ForeignTask(where, record, questions, program, level)
    if not task.tasks:
        raise BadTask(f"it has neither 'input' and 'output' nor one of {', '.join(TEST_FIELDS)}")
    return str(name), task


def _questions(record: dict[str, Any], entry_point: str) -> tuple[tuple[str, Question], ...]:
    try:
        value = canonical(parse_literal(_text(record, "output")))
    except NotFaithful as error:
        raise BadTask(f"'output' is no literal: {error}") from None
    key = f"assert {entry_point}({_text(record, 'input').strip()}) == {value}"
    if not _asserts_a_call(key):
        raise BadTask("'input' is not what stands between the parentheses of a call")
    return (
        ("output", Question("output", "", value, ())),
        ("input", Question("input", "", key, ())),
    )


def _asserts_a_call(key: str) -> bool:
    try:
        node = statement(key)
    except NotFaithful:
        return False
    test = node.test if isinstance(node, ast.Assert) else None
    return isinstance(test, ast.Compare) and isinstance(test.left, ast.Call) and len(test.ops) == 1


def _entry_point(record: dict[str, Any]) -> str:
    name = record.get("entry_point", ENTRY_POINT)
    if not isinstance(name, str) or not name.isidentifier():
        raise BadTask("'entry_point' is no name")
    return name


def _text(record: dict[str, Any], name: str) -> str:
    if not isinstance(record.get(name), str):
        raise BadTask(f"the key {name!r} is missing or no text")
    text: str = record[name]
    return text
