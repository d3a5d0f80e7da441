"""The rows of a benchmark, from a file, a folder or a repository of the Hub.

Files are JSON lines, a JSON list (each possibly gzipped) or Parquet; a folder is read file by file
in the order of their names.
"""

from __future__ import annotations

import gzip
import json
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from trainer.errors import TrainingError
from trainer.places import find_place, load_rows

SUFFIXES = (".jsonl", ".json", ".jsonl.gz", ".json.gz", ".parquet")


def read_rows(place: str, subset: str | None, split: str) -> Iterator[dict[str, Any]]:
    """The rows of a benchmark in their order.

    Args:
        place: A file, a folder, or ``owner/name[@revision]``.
        subset: Config of the repository; folder inside a dataset of ours.
        split: Split of the repository or of our dataset.

    Raises:
        HubError: The Hub or the network failed.
        TrainingError: There is nothing of the kind, or a file can't be read.
    """
    path = Path(place)
    if path.is_file():
        yield from _read_file(path)
        return
    if path.is_dir() and not (path / "manifest.json").exists():
        files = sorted(each for each in path.iterdir() if each.name.endswith(SUFFIXES))
        if not files:
            raise TrainingError(f"{path}: holds no file of {', '.join(SUFFIXES)}")
        for file in files:
            yield from _read_file(file)
        return
    if path.suffix and not path.exists() and place.count("/") != 1:
        raise TrainingError(f"{place}: no such file")
    yield from load_rows(find_place(place), subset or "default", split)


def _read_file(path: Path) -> Iterator[dict[str, Any]]:
    if not path.name.endswith(SUFFIXES):
        raise TrainingError(f"{path}: not a file of {', '.join(SUFFIXES)}")
    try:
        if path.suffix == ".parquet":
            yield from _read_parquet(path)
        else:
            yield from _read_json(path)
    except (OSError, EOFError, zlib.error, UnicodeDecodeError) as error:
        raise TrainingError(f"{path}: can't be read: {error}") from error


def _read_parquet(path: Path) -> Iterator[dict[str, Any]]:
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        for batch in pq.ParquetFile(path).iter_batches(batch_size=1_000):
            yield from batch.to_pylist()
    except pa.ArrowException as error:
        raise TrainingError(f"{path}: can't be read: {error}") from error


def _read_json(path: Path) -> Iterator[dict[str, Any]]:
    opener: Any = gzip.open if path.suffix == ".gz" else open
    with opener(path, "rt", encoding="utf-8") as file:
        if ".jsonl" in path.name:
            for number, line in enumerate(file, 1):
                if line.strip():
                    yield _object(line, f"{path}:{number}")
            return
        try:
            listed = json.load(file)
        except ValueError as error:
            raise TrainingError(f"{path}: no JSON: {error}") from error
    if not isinstance(listed, list):
        raise TrainingError(f"{path}: no JSON list of records")
    for number, each in enumerate(listed, 1):
        if not isinstance(each, dict):
            raise TrainingError(f"{path}: record {number} is no JSON object")
        yield each


def _object(line: str, where: str) -> dict[str, Any]:
    try:
        found = json.loads(line)
    except ValueError as error:
        raise TrainingError(f"{where}: no JSON: {error}") from error
    if not isinstance(found, dict):
        raise TrainingError(f"{where}: no JSON object")
    return found
