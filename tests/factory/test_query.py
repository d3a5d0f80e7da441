"""Opening a dataset, asking it, and what a user reads when that is impossible."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import made_dataset
import pytest
from hypothesis import given
from hypothesis import strategies as st

from factory.data_files import find_configs
from factory.errors import UserError
from factory.named_queries import find_query, named_queries, parse_settings
from factory.query import (
    connect,
    list_tables,
    quote_text,
    run_query,
    write_parquet,
)

TABLES = {
    "statements": "program_id stmt line end_line col kind text called steppable",
    "steps": "trace_id program_id step stmt line kind activation depth occurrence completed",
    "changes": "trace_id program_id step stmt line activation occurrence name op type value",
    "activations": "trace_id program_id activation function parent_step end end_stmt type value",
    "entries": "trace_id program_id activation name type value",
    "headers": "trace_id program_id step stmt line kind activation occurrence completed entered",
    "drops": "stage reason where detail",
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("made")
    made_dataset.write_dataset(path, 1)
    return path


def ask(folder: Path, sql: str, **parameters: object) -> list[tuple[Any, ...]]:
    with connect(folder) as connection:
        return list(run_query(connection, sql, parameters).rows())


def refusal(folder: Path, sql: str, **parameters: object) -> str:
    with pytest.raises(UserError) as caught:
        ask(folder, sql, **parameters)
    assert "\n" not in caught.value.message
    return caught.value.message


def test_views_have_the_promised_columns(folder: Path) -> None:
    with connect(folder) as connection:
        tables = {table.name: table for table in list_tables(connection)}
    assert list(tables)[:3] == ["programs", "traces", "questions"]
    for name, columns in TABLES.items():
        assert [column for column, _ in tables[name].columns] == columns.split()
    assert all(table.holds for table in tables.values())


def test_views_count_every_list_entry(folder: Path) -> None:
    rows = made_dataset.make_rows(1)
    traces = rows["traces"]
    for view, key in (
        ("steps", "stmts"),
        ("changes", "change_step"),
        ("activations", "act_function"),
        ("entries", "entry_name"),
    ):
        expected = sum(len(trace[key]) for trace in traces)
        assert ask(folder, f"SELECT count(*) FROM {view}") == [(expected,)]
    assert ask(folder, "SELECT count(*) FROM drops") == [(len(rows["drops"]),)]


def test_every_named_query_says_what_it_answers_and_is_sorted_totally(folder: Path) -> None:
    assert len(named_queries()) >= 12
    for query in named_queries():
        assert query.question.endswith("?"), query.name
        assert query.columns, query.name
        for parameter, _, meaning in query.parameters:
            assert f"${parameter}" in query.sql
            assert meaning
        order = query.sql.rsplit("ORDER BY", 1)
        assert len(order) == 2, f"{query.name} has no order"


@pytest.mark.slow
def test_named_query_gives_the_same_rows_whatever_the_threads(folder: Path) -> None:
    for query in named_queries():
        answers = []
        for threads in (1, 4):
            with connect(folder) as connection:
                connection.execute(f"SET threads = {threads}")
                result = run_query(connection, query.sql, parse_settings([], query))
                answers.append(list(result.rows()))
        assert answers[0] == answers[1], query.name


@pytest.mark.parametrize(
    ("sql", "parts"),
    [
        ("SELECT lin FROM steps", ['"lin" not found', 'Did you mean "line"', "near: SELECT lin"]),
        ("SELECT * FROM step", ["step does not exist", 'Did you mean "steps"']),
        ("SELEC 1", ["syntax error", "SELEC"]),
        ("SELECT 1; SELECT 2", ["one statement at a time"]),
        ("  ", ["empty"]),
        ("SELECT kind::INT FROM steps", ["Could not convert string"]),
        ("SELECT $k", ["k"]),
        ("DROP VIEW steps", ["read only", "DROP"]),
        ("COPY programs TO 'stolen.csv'", ["read only", "COPY"]),
        ("EXPLAIN ANALYZE COPY programs TO 'stolen.csv'", ["read only", "COPY"]),
        ("ATTACH 'other.db'", ["read only", "ATTACH"]),
        ("SET threads = 1", ["read only"]),
    ],
)
def test_refused_sql_is_explained_in_one_line(
    folder: Path, sql: str, parts: list[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    message = refusal(folder, sql)
    assert [part for part in parts if part not in message] == []
    assert list(tmp_path.iterdir()) == []


def test_reading_statements_of_every_form_run(folder: Path) -> None:
    assert ask(folder, "FROM steps SELECT min(step)") == [(0,)]
    assert ask(folder, "WITH a AS (SELECT 1 AS x) SELECT x + $n FROM a", n=2) == [(3,)]
    assert ask(folder, "DESCRIBE drops")[0][0] == "stage"
    assert ask(folder, "EXPLAIN SELECT 1")
    assert ask(folder, "PIVOT (SELECT 1 AS a, 2 AS b) ON a USING sum(b)") == [(2,)]


def test_repeated_column_names_become_distinct(folder: Path, tmp_path: Path) -> None:
    import pyarrow.parquet as pq

    with connect(folder) as connection:
        result = run_query(connection, "SELECT 1 AS a, 2 AS a, 3 AS a_2")
        assert result.columns == ("a", "a_2", "a_2_2")
        assert list(result.rows()) == [(1, 2, 3)]
        written = write_parquet(connection, "SELECT 1 AS a, 2 AS a", None, tmp_path / "x.parquet")
    assert written == 1
    assert pq.read_table(tmp_path / "x.parquet").to_pylist() == [{"a": 1, "a_2": 2}]


def test_parquet_output_equals_the_rows(folder: Path, tmp_path: Path) -> None:
    import pyarrow.parquet as pq

    sql = "SELECT * FROM changes WHERE step >= $least ORDER BY ALL"
    with connect(folder) as connection:
        written = write_parquet(connection, sql, {"least": 2}, tmp_path / "x.parquet")
        expected = list(run_query(connection, sql, {"least": 2}).rows())
    table = pq.read_table(tmp_path / "x.parquet")
    assert written == len(expected) == table.num_rows
    assert [tuple(row.values()) for row in table.to_pylist()] == expected
    assert [path.name for path in tmp_path.iterdir()] == ["x.parquet"]


def test_parquet_output_that_fails_leaves_nothing(folder: Path, tmp_path: Path) -> None:
    with connect(folder) as connection:
        with pytest.raises(UserError, match="Could not convert"):
            write_parquet(connection, "SELECT kind::INT FROM steps", None, tmp_path / "x.parquet")
        with pytest.raises(UserError, match="cannot be written"):
            write_parquet(connection, "SELECT 1", None, tmp_path / "none" / "x.parquet")
    assert list(tmp_path.iterdir()) == []


def test_what_is_no_dataset_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    (tmp_path / "empty").mkdir()
    for name, part in (("none", "no such folder"), ("file", "is a file"), ("empty", "no dataset")):
        with pytest.raises(UserError, match=part) as caught:
            connect(tmp_path / name)
        assert "tracefoundry build" in caught.value.message


def test_broken_parquet_file_is_named(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "programs").mkdir()
    (tmp_path / "programs" / "train-00000.parquet").write_bytes(b"PAR1 no")
    with pytest.raises(UserError, match=r"train-00000\.parquet"):
        connect(tmp_path)


@pytest.mark.parametrize("name", ["it's", "a[b]*?", 'dou"ble', "späce é"])
def test_folder_names_with_odd_characters(tmp_path: Path, name: str) -> None:
    odd = tmp_path / name
    made_dataset.write_dataset(odd, 1)
    made_dataset.write_dataset(tmp_path / "ab", 2)
    expected = len(made_dataset.make_rows(1)["traces"])
    assert ask(odd, "SELECT count(*) FROM traces") == [(expected,)]
    assert ask(odd, "SELECT count(*) > 0 FROM drops") == [(True,)]


def test_a_further_config_is_a_table_and_missing_parts_are_not_needed(tmp_path: Path) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    made_dataset.write_dataset(tmp_path, 1)
    (tmp_path / "more").mkdir()
    pq.write_table(pa.table({"prompt": ["p"]}), tmp_path / "more" / "train-00000.parquet")
    (tmp_path / "drops.jsonl").unlink()
    for file in (tmp_path / "questions").iterdir():
        file.unlink()
    known = ("programs", "traces", "stage1", "sft", "crpl", "problems")
    assert find_configs(tmp_path) == (*known, "more")
    assert ask(tmp_path, "SELECT prompt FROM more") == [("p",)]
    assert ask(tmp_path, "FROM drops") == []
    assert "questions does not exist" in refusal(tmp_path, "FROM questions")


def test_empty_splits_are_no_hindrance(tmp_path: Path) -> None:
    import pyarrow.parquet as pq

    from factory.table import schema

    made_dataset.write_dataset(tmp_path, 1)
    for config in ("programs", "traces", "questions"):
        empty = schema(config).empty_table()
        pq.write_table(empty, tmp_path / config / "validation-00000.parquet")
    expected = len(made_dataset.make_rows(1)["programs"])
    assert ask(tmp_path, "SELECT count(*) FROM programs") == [(expected,)]


def test_parameters_are_parsed_as_values() -> None:
    texts = ["a=1", "b=1.5", "c=x", "d='1'", "e=None", "f=[1]", "g=a=b", "h="]
    assert parse_settings(texts) == {
        "a": 1,
        "b": 1.5,
        "c": "x",
        "d": "1",
        "e": None,
        "f": "[1]",
        "g": "a=b",
        "h": "",
    }
    with pytest.raises(UserError, match="NAME=VALUE"):
        parse_settings(["a"])
    with pytest.raises(UserError, match=r"no such parameter \(top\)"):
        parse_settings(["tip=1"], find_query("hottest_lines"))


def test_unknown_query_name_brings_the_near_ones() -> None:
    with pytest.raises(UserError, match="drop_reasons"):
        find_query("drop_reason")


@given(st.text())
def test_quoted_text_is_the_text(text: str) -> None:
    import duckdb

    text = text.replace("\0", "").encode(errors="ignore").decode()
    with duckdb.connect() as connection:
        assert connection.execute(f"SELECT {quote_text(text)}").fetchall() == [(text,)]


def test_statements_tell_what_a_call_can_run(tmp_path: Path) -> None:
    source = made_dataset.SOURCES[0]
    made_dataset.write_dataset(tmp_path, 1)
    rows = ask(
        tmp_path,
        "SELECT line, text FROM statements JOIN programs USING (program_id) "
        "WHERE source = $source AND (NOT called OR NOT steppable) GROUP BY ALL ORDER BY line",
        source=source,
    )
    assert rows == [
        (1, "def f(xs):"),
        (2, '"Says nothing."'),
        (12, "def g(n):"),
        (13, "note: int"),
        (15, "try:"),
    ]
