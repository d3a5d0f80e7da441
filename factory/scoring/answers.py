"""The file of answers: one JSON object a line, whose faults are counted and never fatal."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from factory.errors import UserError
from factory.records import Dropped
from factory.sources.records import SUFFIXES, parse_record, read_raw


@dataclass(frozen=True, slots=True)
class BadLine:
    """A line that could not be used."""

    where: str
    """``file:line``."""
    reason: str


@dataclass(frozen=True, slots=True)
class Answer:
    """One line of the file of answers."""

    where: str
    """``file:line``."""
    id: Any
    """As it stands in the file: text or a number."""
    task: str | None
    """``output``, ``input`` or ``code``; ``None`` when the line doesn't say."""
    text: str | None
    """All that the model wrote; ``None`` when the line says that it wrote nothing."""


def read_objects(path: Path, noun: str) -> Iterator[tuple[str, dict[str, Any] | BadLine]]:
    """The JSON objects of a file with their ``file:line``.

    Args:
        path: JSON lines, or a JSON list, possibly gzipped.
        noun: What the file holds, for messages.

    Raises:
        UserError: The file is missing, of another kind, or broken as a whole.
    """
    if not path.is_file():
        raise UserError(f"{path}: no such file of {noun}")
    if not path.name.endswith(SUFFIXES):
        raise UserError(f"{path}: not a file of {noun}; give one of {', '.join(SUFFIXES)}")
    for raw in read_raw(path):
        where = f"{path}:{raw.row}"
        record = parse_record(raw, where)
        if isinstance(record, Dropped):
            yield where, BadLine(where, f"{record.reason}: {record.detail}")
        else:
            yield where, record


def read_answers(path: Path, id_field: str) -> Iterator[Answer | BadLine]:
    """The answers of a file, in its order.

    Args:
        path: The file.
        id_field: ``question_id`` or ``id``.

    Raises:
        UserError: The file is missing, of another kind, or broken as a whole.
    """
    for where, record in read_objects(path, "answers"):
        yield record if isinstance(record, BadLine) else _read_answer(record, where, id_field)


def _read_answer(record: dict[str, Any], where: str, id_field: str) -> Answer | BadLine:
    for name in (id_field, "answer"):
        if name not in record:
            there = ", ".join(record) or "none"
            return BadLine(where, f"the key {name!r} is missing; there are: {there}")
    name, task, answer = record[id_field], record.get("task"), record["answer"]
    if type(name) not in (str, int):
        return BadLine(where, f"{id_field!r} is neither text nor a number")
    if task is not None and not isinstance(task, str):
        return BadLine(where, "'task' is no text")
    if answer is not None and not isinstance(answer, str):
        answer = repr(answer)
    return Answer(where, name, task, answer)
