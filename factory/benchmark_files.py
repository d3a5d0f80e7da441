"""Reads the programs of benchmarks, whatever their shape, by the names of their fields.

Known are the fields of CRUXEval, REval, HumanEval(+), HumanEvalPack, MBPP(+) and LiveCodeBench's
code execution: a ``prompt`` that a solution continues, and fields that hold whole programs.  A
record may hold several programs.
"""

from __future__ import annotations

import ast
import hashlib
import json
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from factory.errors import UserError
from factory.files import file_sha256
from factory.progress import tell
from factory.recipe_records import Benchmark
from factory.records import Dropped
from factory.sources.records import SUFFIXES, parse_record, read_raw

_SUFFIXES = (*SUFFIXES, ".parquet")
_CONTINUED = ("canonical_solution", "buggy_solution", "solution", "completion")
"""Fields that continue the record's ``prompt``."""
_WHOLE = (
    *("code", "program", "source", "reference", "solution_code", "canonical_solution"),
    *("solution", "solutions", "completion", "reference_solution", "func"),
)
"""Fields that hold programs, or lists of programs."""
_NAMES = ("task_id", "question_id", "id", "name", "idx")


@dataclass(frozen=True, slots=True)
class BenchmarkProgram:
    """One program of a benchmark."""

    name: str
    """The record's own id, or ``file:row``."""
    source: str


@dataclass(frozen=True, slots=True)
class BenchmarkContents:
    """What the files of a benchmark hold."""

    programs: tuple[BenchmarkProgram, ...]
    rows: int
    without_program: int
    """Rows in which no field holds a program that compiles."""


def find_files(benchmark: Benchmark) -> tuple[Path, ...]:
    """The files of a benchmark, sorted.

    Raises:
        UserError: There are none.
    """
    path = _local(benchmark)
    if path.is_file() and path.name.endswith(_SUFFIXES):
        return (path,)
    if path.is_dir():
        found = (each for each in path.rglob("*") if each.name.endswith(_SUFFIXES))
        files = sorted(each for each in found if not _is_hidden(each.relative_to(path)))
        if files:
            return tuple(files)
    problem = "no such file or folder" if not path.exists() else "no file of a benchmark"
    raise UserError(
        f"{benchmark.path}: {problem}; decontamination.benchmarks takes {', '.join(_SUFFIXES)}, "
        "a folder that holds some, or hf://datasets/owner/name[@revision]"
    )


def _local(benchmark: Benchmark) -> Path:
    """The file or folder of this machine; a data set of the Hub is downloaded once."""
    return _download(benchmark.path) if benchmark.is_remote else Path(benchmark.path)


@cache
def _download(address: str) -> Path:
    """A copy of a data set of the Hub, at the commit that it has now.

    Raises:
        UserError: There is none of this name.
        InfrastructureError: The Hub or the network failed in every attempt.
    """
    from factory.hub import fetch_files, parse_repository

    place = parse_repository(address)
    if place is None:
        raise UserError(f"{address}: a benchmark of the Hub is hf://datasets/owner/name[@revision]")
    return fetch_files(place, [f"*{suffix}" for suffix in _SUFFIXES], tell)


def _is_hidden(path: Path) -> bool:
    return any(part.startswith(".") for part in path.parts)


def digest_files(benchmark: Benchmark) -> str:
    """SHA-256 of a benchmark: of its file, or of the names and digests of its folder's files.

    Raises:
        UserError: There are no files.
    """
    files, place = find_files(benchmark), _local(benchmark)
    if files == (place,):
        return file_sha256(place)
    digest = hashlib.sha256()
    for file in files:
        digest.update(f"{file.relative_to(place)} {file_sha256(file)}\n".encode())
    return digest.hexdigest()


def read_benchmark(benchmark: Benchmark) -> BenchmarkContents:
    """The programs of a benchmark.

    Raises:
        UserError: A file cannot be read, or no row of any file has a program.
    """
    programs: list[BenchmarkProgram] = []
    rows = without = 0
    names: dict[str, None] = {}
    for file in find_files(benchmark):
        for row, record in _records(file):
            rows += 1
            sources = programs_of(record, benchmark.field)
            without += not sources
            names.update(dict.fromkeys(record))
            name = next((str(record[key]) for key in _NAMES if key in record), f"{file.name}:{row}")
            programs.extend(BenchmarkProgram(name, source) for source in sources)
    if not programs:
        known = benchmark.field or ", ".join(dict.fromkeys(("prompt", *_CONTINUED, *_WHOLE)))
        raise UserError(
            f"{benchmark.path}: no row of {rows} has a program (looked at: {known}; there are: "
            f"{', '.join(names) or 'no fields'}); name the field in decontamination.benchmarks"
        )
    return BenchmarkContents(tuple(programs), rows, without)


def _records(file: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    if file.name.endswith(".parquet"):
        yield from _parquet_records(file)
        return
    for raw in read_raw(file):
        record = parse_record(raw, f"{file}:{raw.row}")
        if isinstance(record, Dropped):
            raise UserError(f"{record.where}: {record.reason}: {record.detail}")
        yield raw.row, record


def _parquet_records(file: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    import pyarrow as pa
    import pyarrow.parquet as pq

    row = 0
    try:
        for batch in pq.ParquetFile(file).iter_batches(batch_size=1000):
            for record in batch.to_pylist():
                row += 1
                yield row, record
    except (OSError, pa.ArrowException) as error:
        raise UserError(f"{file}: cannot be read: {error}") from error


def programs_of(record: dict[str, Any], field: str | None) -> tuple[str, ...]:
    """The texts of a record that compile, each once; ``field`` alone is read when it is given."""
    texts: list[str] = []
    if field is None:
        prompt = record.get("prompt")
        if isinstance(prompt, str):
            texts += [prompt + each for name in _CONTINUED for each in _texts(record.get(name))]
        texts += [each for name in _WHOLE for each in _texts(record.get(name))]
    else:
        texts += _texts(record.get(field))
    return tuple(text for text in dict.fromkeys(texts) if _is_program(text))


def _texts(value: Any) -> list[str]:
    """A text, the texts of a list, or those of a list that is written as JSON."""
    if isinstance(value, str) and value.startswith("["):
        try:
            value = json.loads(value)
        except ValueError:
            return [value]
    if isinstance(value, list):
        return [each for each in value if isinstance(each, str)]
    return [value] if isinstance(value, str) else []


def _is_program(text: str) -> bool:
    """Whether ``text`` compiles and is more than a word or a number."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            body = ast.parse(text).body
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        return False
    return any(not isinstance(node, ast.Expr) for node in body)
