"""What every shape of record shares: a draft or drops, made of fields that are checked."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from typing import Any, Protocol

from factory.records import Draft, Dropped, Origin
from factory.sources.code import check_entry_point, parse_source
from tracer.records import Call, Program


@dataclass(frozen=True, slots=True)
class Drafted:
    """What became of one record or draw."""

    draft: Draft | None
    dropped: tuple[Dropped, ...] = ()
    """Why there is no draft, or what was left out of it."""


class BadRecord(Exception):
    """A record that gives no program; holds the drop."""

    def __init__(self, dropped: Dropped) -> None:
        super().__init__(dropped.reason)
        self.dropped = dropped


class Reader(Protocol):
    """Turns one JSON object of a shape into a draft.

    Raises:
        BadRecord: It gives none.
    """

    def __call__(self, record: dict[str, Any], origin: Origin, where: str) -> Drafted:
        """Read ``record``, which stands at ``where`` (``file:line``)."""


def text_field(record: dict[str, Any], name: str, where: str) -> str:
    """A field that must be there and hold text that UTF-8 can hold.

    Raises:
        BadRecord: It is missing, not text, or holds half of a surrogate pair.
    """
    if name not in record:
        present = ", ".join(map(repr, record)) or "none"
        raise BadRecord(
            Dropped("source", "missing_field", where, f"no field {name!r}; there are: {present}")
        )
    value = record[name]
    if not isinstance(value, str):
        kind = type(value).__name__
        raise BadRecord(Dropped("source", "bad_field", where, f"{name!r} is not text but {kind}"))
    try:
        value.encode("utf-8")
    except UnicodeEncodeError:
        detail = f"half of a surrogate pair in {name!r}"
        raise BadRecord(Dropped("source", "lone_surrogate", where, detail)) from None
    return value


def text_list(record: dict[str, Any], name: str, where: str) -> tuple[str, ...]:
    """A field that must be there and hold a list of texts, or one text.

    Raises:
        BadRecord: It is missing or something else.
    """
    if isinstance(record.get(name), list):
        return tuple(text_field({name: item}, name, where) for item in record[name])
    return (text_field(record, name, where),)


def record_name(record: dict[str, Any], *keys: str) -> str | None:
    """The program's own id in its source, from the first of ``keys`` that is there."""
    for key in keys:
        if isinstance(record.get(key), str | int):
            return str(record[key]).encode("utf-8", "backslashreplace").decode("utf-8")
    return None


def checked_tree(source: str, entry_point: str, where: str) -> ast.Module:
    """The program's syntax tree.

    Raises:
        BadRecord: It does not parse, or lacks the entry point.
    """
    tree = parse_source(source, where)
    if isinstance(tree, Dropped):
        raise BadRecord(tree)
    unknown = check_entry_point(tree, entry_point, where)
    if unknown is not None:
        raise BadRecord(unknown)
    return tree


def draft_with_outputs(
    program: Program,
    origin: Origin,
    where: str,
    inputs: tuple[str, ...],
    outputs: tuple[str, ...],
) -> Drafted:
    """A draft whose calls are ``inputs`` and whose promised results are ``outputs``.

    Raises:
        BadRecord: There is another number of outputs than of inputs, or an input is no argument
            list.
    """
    if outputs and len(outputs) != len(inputs):
        detail = f"{len(inputs)} inputs but {len(outputs)} outputs"
        raise BadRecord(Dropped("source", "bad_field", where, detail))
    for text in inputs:
        if not _is_argument_list(text):
            detail = f"not the arguments of a call: {text[:80]!r}"
            raise BadRecord(Dropped("source", "bad_input", where, detail))
    return Drafted(Draft(program, origin, tuple(Call(text) for text in inputs), expected=outputs))


def _is_argument_list(text: str) -> bool:
    try:
        tree = ast.parse(f"f({text}\n)", mode="eval")
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        return False
    call = tree.body
    return isinstance(call, ast.Call) and isinstance(call.func, ast.Name)
