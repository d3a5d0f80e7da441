"""What became of the draws or rows of a unit, and the bytes in which a worker hands it over."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Any

from factory.decontamination import Hit
from factory.records import Dropped
from factory.rows import ExampleRows, Row


@dataclass(frozen=True, slots=True)
class Entry:
    """What became of one draw or row: in draw order these are the whole build."""

    where: str
    rows: ExampleRows | None
    keys: dict[str, str]
    """Programs that share one are duplicates (:func:`factory.dedupe.dedupe_keys`)."""
    signature: str | None
    """For :mod:`factory.near_duplicates`; ``None`` when the recipe does not ask for it."""
    dropped: tuple[Dropped, ...]
    hits: tuple[Hit, ...]
    """Programs that were left out because a benchmark has them."""
    replies: int = 0
    """Replies of the model that writes programs; 0 where none was asked."""
    cell: str = ""
    """Cell of the grid for which the model wrote."""
    problems: tuple[Row, ...] = ()
    """Of a public data set, which belong to no program."""


_MADE_HERE = ("program", "traces", "questions", "sft", "crpl", "problems")
"""Rows that a worker makes; the prompts of ``stage1`` come when all questions are measured."""


def write_unit(entries: Iterable[Entry]) -> bytes:
    """The entries of a unit, as :func:`read_unit` takes them."""
    text = json.dumps([_plain(entry) for entry in entries])
    return gzip.compress(text.encode("ascii"), compresslevel=1, mtime=0)


def _plain(entry: Entry) -> dict[str, Any]:
    """The entry as JSON-able data; its rows are that already."""
    rows = entry.rows
    return {
        "where": entry.where,
        "rows": rows and {config: getattr(rows, config) for config in _MADE_HERE},
        "keys": entry.keys,
        "signature": entry.signature,
        "dropped": [asdict(drop) for drop in entry.dropped],
        "hits": [asdict(hit) for hit in entry.hits],
        "replies": entry.replies,
        "cell": entry.cell,
        "problems": entry.problems,
    }


def read_unit(content: bytes) -> tuple[Entry, ...]:
    """The entries that :func:`write_unit` wrote."""
    return tuple(
        Entry(
            where=entry["where"],
            rows=None if entry["rows"] is None else _read_rows(entry["rows"]),
            keys=entry["keys"],
            signature=entry["signature"],
            dropped=tuple(Dropped(**drop) for drop in entry["dropped"]),
            hits=tuple(Hit(**hit) for hit in entry["hits"]),
            replies=entry["replies"],
            cell=entry["cell"],
            problems=tuple(entry["problems"]),
        )
        for entry in json.loads(gzip.decompress(content))
    )


def _read_rows(rows: dict[str, Any]) -> ExampleRows:
    several = {config: tuple(rows[config]) for config in _MADE_HERE if config != "program"}
    return ExampleRows(rows["program"], **several)
