"""Puts the rows of a shard together, program by program, and finds those that belong to none."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

Row: TypeAlias = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Problem:
    """One row (or file) that is not what it should be."""

    config: str
    """The config, or ``file`` or ``manifest``."""
    id: str
    """Id of the row, path of the file, or key of the manifest."""
    column: str
    """The column that differs; empty when the row as a whole is the problem."""
    detail: str


@dataclass(frozen=True, slots=True)
class ProgramRows:
    """A published program with its published traces and questions."""

    program: Row
    traces: tuple[Row, ...]
    questions: tuple[Row, ...]
    stage1: tuple[Row, ...]
    sft: tuple[Row, ...]
    crpl: tuple[Row, ...]
    problems: tuple[Row, ...]


OF_TRACES = {
    "questions": "question_id",
    "stage1": "stage1_id",
    "sft": "sft_id",
    "crpl": "crpl_id",
}
"""Configs whose rows belong to traces, and the columns of their ids."""


def by_program(
    split: str,
    place: Callable[[str], str],
    tables: Mapping[str, Sequence[Row]],
    problems: list[Problem],
    seen: set[str],
) -> Iterator[ProgramRows]:
    """The programs of a shard with their rows; a row that belongs to none of them is a problem.

    Args:
        split: Where the shard's programs must belong.
        place: Path of a config's file of this shard.
        tables: Rows by config.
        problems: Gets what is wrong.
        seen: Ids of programs that were met before; gets those of this shard.
    """
    traces: dict[str, list[Row]] = {row["program_id"]: [] for row in tables["programs"]}
    others = {config: {own_id: list[Row]() for own_id in traces} for config in OF_TRACES}
    program_of: dict[str, str] = {}
    missing = f"no such row in the same shard ({place('…')})"
    for row in tables["traces"]:
        if row["program_id"] in traces:
            traces[row["program_id"]].append(row)
            program_of[row["trace_id"]] = row["program_id"]
        else:
            problems.append(Problem("traces", row["trace_id"], "program_id", missing))
    for config, own_column in OF_TRACES.items():
        for row in tables[config]:
            if program_of.get(row["trace_id"]) == row["program_id"]:
                others[config][row["program_id"]].append(row)
            else:
                problems.append(Problem(config, row[own_column], "trace_id", missing))
    problems_of: dict[str | None, list[Row]] = {own_id: [] for own_id in traces}
    for row in tables["problems"]:
        if row["program_id"] in problems_of:
            problems_of[row["program_id"]].append(row)
        else:
            problems.append(Problem("problems", row["problem_id"], "program_id", missing))
    for program in tables["programs"]:
        own_id = program["program_id"]
        if own_id in seen:
            problems.append(Problem("programs", own_id, "program_id", "two rows share an id"))
            continue
        seen.add(own_id)
        if program["split"] != split:
            detail = f"stands in {place('programs')}"
            problems.append(Problem("programs", own_id, "split", detail))
        of_traces = {config: tuple(others[config][own_id]) for config in OF_TRACES}
        yield ProgramRows(
            program, tuple(traces[own_id]), **of_traces, problems=tuple(problems_of[own_id])
        )
