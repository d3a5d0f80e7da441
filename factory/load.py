"""Reads a built folder back: files, rows, and the records that rows describe."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from factory.errors import UserError
from factory.recipe_records import SPLITS
from factory.rows import Row
from factory.store import shard_path
from factory.table import CONFIGS, schema
from tracer.records import (
    Activation,
    Change,
    Outcome,
    Program,
    Question,
    Statement,
    Step,
    Trace,
    Variable,
)

if TYPE_CHECKING:
    import pyarrow as pa

_SHARD = re.compile(r"([a-z]+)-(\d{5})\.parquet")


@dataclass(frozen=True, slots=True)
class Shard:
    """One file of every config: some programs of a split and everything about them."""

    split: str
    number: int

    def path(self, config: str) -> str:
        """Path of the config's file inside the folder."""
        return shard_path(config, self.split, self.number)


def find_shards(folder: Path) -> tuple[Shard, ...]:
    """The shards of a folder in file order: by split, then by number."""
    found = {
        Shard(match[1], int(match[2]))
        for config in CONFIGS
        for file in (folder / config).glob("*.parquet")
        if (match := _SHARD.fullmatch(file.name)) and match[1] in SPLITS
    }
    return tuple(sorted(found, key=lambda shard: (SPLITS.index(shard.split), shard.number)))


def read_table(folder: Path, config: str, split: str | None = None) -> pa.Table:
    """All rows of a config, or of one split of it, in file order.

    Raises:
        UserError: A file is missing, broken, or has other columns than this version's.
    """
    import pyarrow as pa

    shards = [shard for shard in find_shards(folder) if split in (None, shard.split)]
    tables = [read_file(folder / shard.path(config), config) for shard in shards]
    return pa.concat_tables([schema(config).empty_table(), *tables])


def read_file(path: Path, config: str) -> pa.Table:
    """The rows of one Parquet file.

    Raises:
        UserError: The file is missing, broken, or has other columns than this version's.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        table = pq.read_table(path, partitioning=None)
    except (OSError, pa.ArrowException) as error:
        raise UserError(f"{path}: cannot be read: {error}") from error
    wanted = schema(config)
    if not table.schema.equals(wanted, check_metadata=False):
        raise UserError(f"{path}: {_difference(table.schema, wanted)}")
    return table


def _difference(found: pa.Schema, wanted: pa.Schema) -> str:
    lacking = [name for name in wanted.names if name not in found.names]
    unknown = [name for name in found.names if name not in wanted.names]
    if lacking or unknown:
        return f"columns lacking: {lacking or 'none'}, columns unknown: {unknown or 'none'}"
    for name in wanted.names:
        if found.field(name).type != wanted.field(name).type:
            return f"column {name} is {found.field(name).type}, not {wanted.field(name).type}"
    return "the columns stand in another order"


def read_rows(folder: Path, config: str, split: str | None = None) -> Iterator[Row]:
    """The rows of a config as dictionaries, in file order, a file at a time.

    Raises:
        UserError: A file is missing, broken, or has other columns than this version's.
    """
    for shard in find_shards(folder):
        if split in (None, shard.split):
            yield from read_file(folder / shard.path(config), config).to_pylist()


def trace_of(row: Row, program: Row) -> Trace:
    """The trace that a row of ``traces`` holds; ``program`` is the row of its program.

    The lines with lambdas are not in the data, so ``untracked_lines`` is empty.
    """
    changes: dict[int, list[Change]] = {}
    for index, *change in zip(
        row["change_step"],
        row["change_name"],
        row["change_op"],
        row["change_type"],
        row["change_value"],
        strict=True,
    ):
        changes.setdefault(index, []).append(Change(*change))
    entries: dict[int, list[Variable]] = {}
    for number, *variable in zip(
        row["entry_activation"],
        row["entry_name"],
        row["entry_type"],
        row["entry_value"],
        strict=True,
    ):
        entries.setdefault(number, []).append(Variable(*variable))
    statements = _statements(program)
    return Trace(
        program=Program(program["source"], program["entry_point"]),
        args=row["args"],
        outcome=Outcome(row["outcome"], row["output_type"], row["output_value"], row["message"]),
        complete=row["complete"],
        stdout=row["stdout"],
        python=row["python"],
        statements=statements,
        activations=tuple(
            Activation(number, function, parent, tuple(entries.get(number, ())), *end)
            for number, (function, parent, *end) in enumerate(
                zip(
                    row["act_function"],
                    row["act_parent_step"],
                    row["act_end"],
                    row["act_end_stmt"],
                    row["act_type"],
                    row["act_value"],
                    strict=True,
                )
            )
        ),
        steps=tuple(
            Step(
                index=index,
                stmt=stmt,
                line=statements[stmt].line,
                activation=activation,
                depth=depth,
                occurrence=occurrence,
                completed=completed,
                changes=tuple(changes.get(index, ())),
            )
            for index, (stmt, activation, depth, occurrence, completed) in enumerate(
                zip(
                    row["stmts"],
                    row["activations"],
                    row["depths"],
                    row["occurrences"],
                    row["completed"],
                    strict=True,
                )
            )
        ),
    )


def question_of(row: Row) -> Question:
    """The question that a row of ``questions`` holds."""
    columns = ("kind", "text", "key", "stmt", "line", "occurrence", "variable", "step")
    return Question(valid=tuple(row["valid"]), **{column: row[column] for column in columns})


def _statements(program: Row) -> tuple[Statement, ...]:
    columns = ("stmt_line", "stmt_end_line", "stmt_col", "stmt_kind")
    return tuple(
        Statement(number, *values)
        for number, values in enumerate(zip(*(program[column] for column in columns), strict=True))
    )
