"""Tasks that ask for code, and the tests of their rows."""

from __future__ import annotations

from collections.abc import Mapping

from tracer.problems import problem_of
from trainer.evaluation.records import Asked, Key, Prompt, Row, Task, TestsKey

CODE = "code"


def code_task(
    name: str, prompt: Prompt, tests: Mapping[str, Key], level: str | None = None
) -> Task:
    """A task whose reply is a program.

    Args:
        name: Of the task.
        prompt: Asks for the program.
        tests: What it must pass, by kind.
        level: Its difficulty, if the benchmark says.
    """
    several = len(tests) > 1
    asked = tuple(
        Asked(f"{name}/{kind}" if several else name, kind, level, name, key)
        for kind, key in tests.items()
    )
    return Task(name, prompt, asked)


def tests_of(row: Row) -> dict[str, Key]:
    """The tests of a row in a published shape, by kind.

    Raises:
        ValueError: The row is of no known shape, or its tests can't be used; says why.
    """
    if not row.get("base_input"):
        return {CODE: TestsKey(problem_of(row))}
    record = {key: value for key, value in row.items() if key != "plus_input"}
    plus = bool(row.get("plus_input"))
    found: dict[str, Key] = {"base": TestsKey(problem_of(record), plus=record)}
    if plus:
        found["plus"] = TestsKey(problem_of(row), plus=row)
    return found
