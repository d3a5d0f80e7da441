"""Parquet shards of a build: ``<config>/<split>-NNNNN.parquet``, byte for byte repeatable.

A shard holds a fixed number of programs of one split and everything about them, so that a larger
build has the smaller one's full shards as they are.  Each split has at least one file, which may
hold no rows.
"""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import ExitStack
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any

from factory.files import replacing
from factory.recipe_records import SPLITS
from factory.rows import ExampleRows, Row
from factory.table import CONFIGS, encodings, schema, to_table

if TYPE_CHECKING:
    import pyarrow as pa

COMPRESSION_LEVEL = 3
GROUP_BYTES = 16 * 1024 * 1024
"""Text after which a row group ends: bounds memory, whatever single rows hold."""
GROUP_ROWS = 20_000
PAGE_BYTES = 256 * 1024
LOOSE_BYTES = 1024 * 1024
"""Text of a file's rows that waits as Python's objects."""
_EACH = 8
_PLAIN = frozenset((int, float, bool, type(None)))
_TEXTS = frozenset((str, type(None)))


def shard_path(config: str, split: str, shard: int) -> str:
    """Path of a file inside the dataset folder."""
    return f"{config}/{split}-{shard:05d}.parquet"


class ShardWriter:
    """Takes programs in draw order; one file of each config and split is open at a time.

    Used in ``with``, it leaves no half of a file behind when something fails.
    """

    def __init__(self, folder: Path, shard_programs: int) -> None:
        self._folder = folder
        self._shard_programs = shard_programs
        self._open: dict[str, list[ParquetFile]] = {}
        self._programs = dict.fromkeys(SPLITS, 0)
        self._shards = dict.fromkeys(SPLITS, 0)
        self.written: list[str] = []
        """Paths inside the folder, in the order in which they were written."""

    def __enter__(self) -> ShardWriter:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Drop what is not closed."""
        for files in self._open.values():
            for file in files:
                file.drop()
        self._open.clear()

    def add(self, rows: ExampleRows) -> None:
        """Take one program with its traces and questions."""
        split = rows.program["split"]
        of_program = {"programs": (rows.program,)}
        for config, file in zip(CONFIGS, self._files(split), strict=True):
            for row in of_program.get(config) or getattr(rows, config):
                file.add(row)
        self._count(split)

    def add_problem(self, problem: Row) -> None:
        """Take a problem that belongs to no program; it counts as one in a shard."""
        split = problem["split"]
        self._files(split)[CONFIGS.index("problems")].add(problem)
        self._count(split)

    def _count(self, split: str) -> None:
        self._programs[split] += 1
        if self._programs[split] == self._shard_programs:
            self._close(split)

    def close(self) -> None:
        """Write what is left, and an empty file for a split without programs."""
        for split in SPLITS:
            if self._programs[split] or not self._shards[split]:
                self._files(split)
                self._close(split)

    def _files(self, split: str) -> list[ParquetFile]:
        """The files of the split's shard, one for each config."""
        if split not in self._open:
            self._open[split] = [
                ParquetFile(self._folder / shard_path(config, split, self._shards[split]), config)
                for config in CONFIGS
            ]
        return self._open[split]

    def _close(self, split: str) -> None:
        files = self._files(split)
        for config, file in zip(CONFIGS, files, strict=True):
            file.close()
            self.written.append(shard_path(config, split, self._shards[split]))
        del self._open[split]
        self._programs[split] = 0
        self._shards[split] += 1


class ParquetFile:
    """One Parquet file, there whole or not at all; equal rows give equal bytes.

    Rows go to the disk group by group: a group ends before it holds more text or more rows than
    its bounds, but a single larger row is a group of its own.  Until then they wait as Arrow
    tables, which take a fraction of what Python's objects do.
    """

    def __init__(self, path: Path, config: str) -> None:
        import pyarrow.parquet as pq

        self._config = config
        self._stack = ExitStack()
        temporary = self._stack.enter_context(replacing(path))
        self._writer = self._stack.enter_context(
            pq.ParquetWriter(
                temporary,
                schema(config),
                compression="zstd",
                compression_level=COMPRESSION_LEVEL,
                write_page_index=True,
                use_content_defined_chunking=True,
                data_page_size=PAGE_BYTES,
                **encodings(config),
            )
        )
        self._rows: list[Row] = []
        self._tables: list[pa.Table] = []
        self._number = self._size = self._loose = 0

    def add(self, row: Row) -> None:
        """Take the next row."""
        own = text_size(row)
        if self._number and (self._size + own > GROUP_BYTES or self._number == GROUP_ROWS):
            self._end_group()
        self._rows.append(row)
        self._number += 1
        self._size += own
        self._loose += own
        if self._loose > LOOSE_BYTES:
            self._pack()

    def close(self) -> None:
        """Write what is left and give the file its name."""
        if self._number:
            self._end_group()
        self._stack.close()

    def drop(self) -> None:
        """Leave nothing behind."""
        error = InterruptedError("the file was given up")
        self._stack.__exit__(InterruptedError, error, None)

    def _pack(self) -> None:
        self._tables.append(to_table(self._config, self._rows))
        self._rows, self._loose = [], 0

    def _end_group(self) -> None:
        import pyarrow as pa

        self._pack()
        table = pa.concat_tables(self._tables).combine_chunks()
        self._writer.write_table(table, row_group_size=len(table))
        self._tables = []
        self._number = self._size = 0


def write_rows(path: Path, config: str, rows: Iterable[Row]) -> None:
    """Write one Parquet file, whole or not at all; equal rows give equal bytes."""
    file = ParquetFile(path, config)
    try:
        for row in rows:
            file.add(row)
    except BaseException:
        file.drop()
        raise
    file.close()


def text_size(value: Any) -> int:
    """About how many bytes a row's value takes in memory: text, and 8 for each single value."""
    kind = type(value)
    if kind is str:
        return len(value) + _EACH
    if kind is dict:
        return sum(map(text_size, value.values()))
    if kind is not list:
        return _EACH
    kinds = set(map(type, value))
    if kinds <= _PLAIN:
        return _EACH * len(value)
    if kinds <= _TEXTS:
        return _EACH * len(value) + sum(map(len, filter(None, value)))
    return sum(map(text_size, value))
