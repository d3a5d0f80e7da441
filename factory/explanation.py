"""One program, trace or question of a dataset, with everything needed to see why it is so."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from factory.errors import UserError
from factory.evidence import Evidence, find_evidence
from factory.load import question_of, trace_of
from factory.query import connect, run_query
from factory.rows import Row

if TYPE_CHECKING:
    import duckdb

    from factory.data_files import DataFiles

ID_COLUMNS = {"programs": "program_id", "traces": "trace_id", "questions": "question_id"}
LEAST_PREFIX = 4
"""Characters from which on the beginning of an id stands for the id."""
NEAREST = 3


@dataclass(frozen=True, slots=True)
class Explanation:
    """What an id names; ``trace`` and ``question`` are ``None`` where the id is of less."""

    config: str
    id: str
    program: Row
    trace: Row | None
    question: Row | None
    evidence: Evidence | None
    traces: tuple[Row, ...]
    """Of a program: its traces with id, call, outcome, steps and number of questions."""
    questions: tuple[Row, ...]
    """Of a trace: its questions."""


def explain(place: Path | DataFiles, name: str) -> Explanation:
    """Look an id up.

    Args:
        place: Dataset folder, or the files of a repository.
        name: Id of a program, trace or question, or the only beginning of one.

    Raises:
        UserError: No dataset, no such id (the nearest ones are named), or several that begin so.
    """
    with connect(place) as connection:
        config, found = _find(connection, name)
        if config == "programs":
            program = _row(connection, "programs", "program_id", found)
            traces = _rows(connection, _TRACES, found)
            return Explanation(config, found, program, None, None, None, traces, ())
        question = None
        trace_id = found
        if config == "questions":
            question = _row(connection, "questions", "question_id", found)
            trace_id = question["trace_id"]
        trace = _row(connection, "traces", "trace_id", trace_id)
        program = _row(connection, "programs", "program_id", trace["program_id"])
        if question is not None:
            evidence = find_evidence(question_of(question), trace_of(trace, program))
            return Explanation(config, found, program, trace, question, evidence, (), ())
        questions = _rows(connection, _QUESTIONS, found)
        return Explanation(config, found, program, trace, None, None, (), questions)


_TRACES = """
    SELECT trace_id, args, outcome, output_value, n_steps,
        (SELECT count(*) FROM questions WHERE questions.trace_id = traces.trace_id) AS questions
    FROM traces WHERE program_id = $id ORDER BY trace_id
"""
_QUESTIONS = "SELECT * FROM questions WHERE trace_id = $id ORDER BY kind, step, question_id"
_IDS = " UNION ALL ".join(
    f"SELECT '{config}' AS config, {column} AS id FROM {config}"  # noqa: S608 (our own names)
    for config, column in ID_COLUMNS.items()
)


def _find(connection: duckdb.DuckDBPyConnection, name: str) -> tuple[str, str]:
    """Config and id of what is meant."""
    begins = "id = $id OR $short AND starts_with(id, $id)"
    sql = f"SELECT DISTINCT config, id FROM ({_IDS}) WHERE {begins}"  # noqa: S608
    short = len(name) >= LEAST_PREFIX
    found = sorted(run_query(connection, sql, {"id": name, "short": short}).rows())
    exact = [pair for pair in found if pair[1] == name]
    if len(exact or found) == 1:
        config, own_id = (exact or found)[0]
        return str(config), str(own_id)
    if found:
        begin = ", ".join(f"{config[:-1]} {own_id}" for config, own_id in found[:NEAREST])
        raise UserError(f"{name}: {len(found)} ids begin so ({begin}, …); give more of it")
    sql = f"SELECT config, id FROM ({_IDS}) ORDER BY levenshtein(id, $id), id LIMIT {NEAREST}"  # noqa: S608
    near = [
        f"{config[:-1]} {own_id}"
        for config, own_id in run_query(connection, sql, {"id": name}).rows()
    ]
    raise UserError(
        f"{name}: no program, trace or question has this id; the nearest: {', '.join(near)}"
    )


def _row(connection: duckdb.DuckDBPyConnection, config: str, column: str, own_id: str) -> Row:
    rows = _rows(connection, f"SELECT * FROM {config} WHERE {column} = $id LIMIT 1", own_id)  # noqa: S608
    if not rows:
        raise UserError(
            f"{own_id}: no such row in {config}; the dataset is damaged, see `tracefoundry audit`"
        )
    return rows[0]


def _rows(connection: duckdb.DuckDBPyConnection, sql: str, own_id: str) -> tuple[Row, ...]:
    result = run_query(connection, sql, {"id": own_id})
    return tuple(dict(zip(result.columns, row, strict=True)) for row in result.rows())
