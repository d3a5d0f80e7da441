"""The questions of a built folder that answers are about."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from factory.errors import UserError
from factory.load import find_shards, question_of, read_file
from tracer.records import Program, Question

if TYPE_CHECKING:
    import pyarrow as pa


@dataclass(frozen=True, slots=True)
class Asked:
    """A published question and the program it is about."""

    question: Question
    program: Program
    level: int | None


def find_questions(folder: Path, ids: Collection[str]) -> dict[str, Asked]:
    """The questions of a dataset that have one of the ids.

    Raises:
        UserError: The folder holds no dataset, or a file of it can't be read.
    """
    shards = find_shards(folder)
    if not shards:
        raise UserError(f"{folder}: no dataset here; give a folder that build made")
    rows: dict[str, dict[str, Any]] = {}
    programs: dict[str, Program] = {}
    for shard in shards:
        questions = read_file(folder / shard.path("questions"), "questions")
        found = _rows_with(questions, "question_id", ids)
        rows.update((row["question_id"], row) for row in found)
        if found:
            table = read_file(folder / shard.path("programs"), "programs")
            for row in _rows_with(table, "program_id", {row["program_id"] for row in found}):
                programs[row["program_id"]] = Program(row["source"], row["entry_point"])
    return {
        name: Asked(
            question_of(row),
            programs[row["program_id"]],
            row["level"],
        )
        for name, row in rows.items()
    }


def _rows_with(table: pa.Table, column: str, values: Collection[str]) -> list[dict[str, Any]]:
    import pyarrow as pa
    import pyarrow.compute as pc

    wanted = pa.array(sorted(values), pa.string())
    rows: list[dict[str, Any]] = table.filter(pc.is_in(table[column], wanted)).to_pylist()
    return rows
