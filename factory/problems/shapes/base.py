"""What every published shape gives: a statement, tests, and references to try."""

from __future__ import annotations

import ast
import json
import warnings
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol


class BadProblem(Exception):
    """A record that gives no problem.

    Args:
        reason: A slug.
        detail: What is wrong with it.
    """

    def __init__(self, reason: str, detail: str) -> None:
        super().__init__(detail)
        self.reason = reason
        self.detail = detail


@dataclass(frozen=True, slots=True)
class PublishedProblem:
    """A problem as its data set has it."""

    statement: str
    tests: Mapping[str, Any]
    """In one of the shapes that :func:`tracer.problems.problem_of` reads."""
    references: tuple[str, ...]
    """Solutions, each a whole program; the first that passes is kept."""
    entry_point: str | None = None
    """``None`` for programs that read standard input."""
    starter: str = ""
    """Python text that a solution may continue."""
    name: str = ""
    """Its id in the data set."""


class Reader(Protocol):
    """Turns one record of a shape into a problem.

    Raises:
        BadProblem: It gives none.
    """

    def __call__(self, record: Mapping[str, Any]) -> PublishedProblem:
        """Read a record."""


def text_of(record: Mapping[str, Any], *names: str) -> str:
    """The first of some fields that holds text.

    Raises:
        BadProblem: None does.
    """
    for name in names:
        value = record.get(name)
        if isinstance(value, str) and value.strip():
            return _storable(value, name)
    present = ", ".join(map(repr, record)) or "none"
    wanted = " or ".join(map(repr, names))
    raise BadProblem("missing_field", f"no text in {wanted}; there are: {present}")


def json_of(value: Any, name: str) -> Any:
    """A value that may be written as JSON text.

    Raises:
        BadProblem: The text is no JSON.
    """
    if not isinstance(value, str):
        return value
    try:
        return json.loads(value)
    except (ValueError, RecursionError) as error:
        raise BadProblem("bad_field", f"{name!r} is no JSON: {error}") from None


def tree_of(text: str) -> ast.Module | None:
    """The syntax tree of a text that is Python."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def _storable(text: str, name: str) -> str:
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        raise BadProblem("lone_surrogate", f"half of a surrogate pair in {name!r}") from None
    return text
