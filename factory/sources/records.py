"""Reads JSONL, JSON lists (both also gzipped) and Parquet, one numbered record at a time."""

from __future__ import annotations

import gzip
import json
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, cast

from factory.errors import UserError
from factory.records import Dropped

SUFFIXES = (".jsonl", ".jsonl.gz", ".json", ".json.gz")
PARQUET = ".parquet"


@dataclass(frozen=True, slots=True)
class RawRecord:
    """One record of a source file, not yet read as JSON."""

    row: int
    """1-based line of a JSONL file, 1-based place in a JSON list."""
    text: bytes


def read_raw(path: Path) -> Iterator[RawRecord]:
    """The records of ``path`` in order; blank lines count as lines but are no records.

    Raises:
        UserError: The file is missing, of another kind, or broken as a whole.
    """
    if not path.name.endswith((*SUFFIXES, PARQUET)):
        known = ", ".join((*SUFFIXES, PARQUET))
        raise UserError(f"{path}: not a source file; give one of {known}")
    if not path.is_file():
        raise UserError(f"{path}: no such file; check the recipe's source.path")
    if path.name.endswith(PARQUET):
        yield from _parquet_rows(path)
        return
    try:
        with _open(path) as file:
            if path.name.endswith((".json", ".json.gz")):
                yield from _list_items(path, file.read())
            else:
                yield from _lines(file)
    except (OSError, EOFError, zlib.error) as error:
        raise UserError(f"{path}: cannot be read: {error}") from error


def _parquet_rows(path: Path) -> Iterator[RawRecord]:
    """The rows of a Parquet file, each written as JSON."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    row = 0
    try:
        with pq.ParquetFile(path) as file:
            for batch in file.iter_batches(batch_size=100):
                for record in batch.to_pylist():
                    row += 1
                    yield RawRecord(row, json.dumps(record, default=str).encode("ascii"))
    except (OSError, pa.ArrowException) as error:
        raise UserError(f"{path}: cannot be read: {error}") from error


def parse_record(raw: RawRecord, where: str) -> dict[str, Any] | Dropped:
    """The JSON object of one record, or why it is none."""
    try:
        record = json.loads(raw.text.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        return Dropped("source", "not_utf8", where, f"byte {error.start}: {error.reason}")
    except json.JSONDecodeError as error:
        return Dropped("source", "not_json", where, f"column {error.colno}: {error.msg}")
    except (ValueError, RecursionError) as error:
        return Dropped("source", "not_json", where, str(error))
    if not isinstance(record, dict):
        return Dropped("source", "not_an_object", where, f"a JSON {type(record).__name__}")
    return record


def _open(path: Path) -> IO[bytes]:
    if path.name.endswith(".gz"):
        return cast("IO[bytes]", gzip.open(path))
    return path.open("rb")


def _lines(file: IO[bytes]) -> Iterator[RawRecord]:
    for row, line in enumerate(file, start=1):
        if line.strip():
            yield RawRecord(row, line)


def _list_items(path: Path, text: bytes) -> Iterator[RawRecord]:
    try:
        items = json.loads(text.decode("utf-8-sig"))
    except ValueError as error:
        raise UserError(f"{path}: not JSON: {error}; one record a line is .jsonl") from error
    if not isinstance(items, list):
        raise UserError(f"{path}: a .json source is a list of records; one a line is .jsonl")
    for row, item in enumerate(items, start=1):
        yield RawRecord(row, json.dumps(item).encode("ascii"))
