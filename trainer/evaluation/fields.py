"""Reading the fields of rows: what is missing is named, and leaves that row out."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeVar

from trainer.evaluation.records import Row

T = TypeVar("T")
NAMES = ("task_id", "question_id", "problem_id", "crpl_id", "id", "name")
"""Fields that may hold a row's own name; the first that is there counts."""


def text(row: Row, name: str) -> str:
    """A field that must be text.

    Raises:
        ValueError: It is not.
    """
    value = row.get(name)
    if not isinstance(value, str):
        raise ValueError(f"the key {name!r} is missing or no text")
    return value


def name_of(row: Row, place: int) -> str:
    """The row's own name, or its place."""
    return next((str(row[key]) for key in NAMES if row.get(key) is not None), str(place))


def readable(
    rows: Iterable[Row], read: Callable[[Row, int], T]
) -> tuple[list[T], list[tuple[str, str]]]:
    """What ``read`` makes of each row, and the rows of which it raised ``ValueError``."""
    found: list[T] = []
    left_out: list[tuple[str, str]] = []
    for place, row in enumerate(rows):
        try:
            found.append(read(row, place))
        except ValueError as error:
            left_out.append((name_of(row, place), " ".join(str(error).split())))
    return found, left_out
