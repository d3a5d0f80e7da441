"""Parquet shards of a build: ``<config>/<split>-NNNNN.parquet``, byte for byte repeatable.

A shard holds a fixed number of programs of one split and everything about them, so that a larger
build has the smaller one's full shards as they are.  Each split has at least one file, which may
hold no rows.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from factory.files import replacing
from factory.recipe_records import SPLITS
from factory.rows import ExampleRows, Row
from factory.table import CONFIGS, schema, to_table

COMPRESSION_LEVEL = 3
GROUP_BYTES = 16 * 1024 * 1024
"""Text after which a row group ends: bounds memory, whatever single rows hold."""
GROUP_ROWS = 20_000
PAGE_BYTES = 256 * 1024


def shard_path(config: str, split: str, shard: int) -> str:
    """Path of a file inside the dataset folder."""
    return f"{config}/{split}-{shard:05d}.parquet"


class ShardWriter:
    """Takes programs in draw order and writes a shard of a split whenever it is full."""

    def __init__(self, folder: Path, shard_programs: int) -> None:
        self._folder = folder
        self._shard_programs = shard_programs
        self._waiting: dict[str, list[ExampleRows]] = {split: [] for split in SPLITS}
        self._shards = dict.fromkeys(SPLITS, 0)
        self.written: list[str] = []
        """Paths inside the folder, in the order in which they were written."""

    def add(self, rows: ExampleRows) -> None:
        """Take one program with its traces and questions."""
        split = rows.program["split"]
        self._waiting[split].append(rows)
        if len(self._waiting[split]) == self._shard_programs:
            self._write(split)

    def close(self) -> None:
        """Write what is left, and an empty file for a split without programs."""
        for split in SPLITS:
            if self._waiting[split] or not self._shards[split]:
                self._write(split)

    def _write(self, split: str) -> None:
        examples = self._waiting[split]
        rows = {
            "programs": [example.program for example in examples],
            "traces": [row for example in examples for row in example.traces],
            "questions": [row for example in examples for row in example.questions],
            "stage1": [row for example in examples for row in example.stage1],
            "sft": [row for example in examples for row in example.sft],
            "crpl": [row for example in examples for row in example.crpl],
            "problems": [row for example in examples for row in example.problems],
        }
        for config in CONFIGS:
            path = shard_path(config, split, self._shards[split])
            write_rows(self._folder / path, config, rows[config])
            self.written.append(path)
        self._waiting[split] = []
        self._shards[split] += 1


def write_rows(path: Path, config: str, rows: Sequence[Row]) -> None:
    """Write one Parquet file, whole or not at all; equal rows give equal bytes."""
    import pyarrow.parquet as pq

    with (
        replacing(path) as temporary,
        pq.ParquetWriter(
            temporary,
            schema(config),
            compression="zstd",
            compression_level=COMPRESSION_LEVEL,
            write_page_index=True,
            use_content_defined_chunking=True,
            data_page_size=PAGE_BYTES,
        ) as writer,
    ):
        for group in row_groups(rows):
            writer.write_table(to_table(config, group), row_group_size=len(group))


def row_groups(rows: Sequence[Row]) -> Iterator[list[Row]]:
    """Consecutive rows cut so that a group holds at most so much text and so many rows.

    A single row that is larger than a group's bound is a group of its own.
    """
    group: list[Row] = []
    size = 0
    for row in rows:
        own = text_size(row)
        if group and (size + own > GROUP_BYTES or len(group) == GROUP_ROWS):
            yield group
            group, size = [], 0
        group.append(row)
        size += own
    if group:
        yield group


def text_size(value: Any) -> int:
    """About how many bytes a row's value takes in memory: its text, and 8 for anything else."""
    if isinstance(value, str):
        return len(value) + 8
    if isinstance(value, dict):
        return sum(map(text_size, value.values()))
    if isinstance(value, list):
        return sum(map(text_size, value))
    return 8
