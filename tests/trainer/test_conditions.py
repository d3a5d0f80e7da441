"""`--filter`: what it keeps, compared with SQLite, and what it refuses."""

from __future__ import annotations

import sqlite3
from contextlib import closing

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trainer.conditions import parse_condition
from trainer.errors import TrainingError

COLUMNS = ("level", "task", "passes")
Row = dict[str, object]
LEVELS, TASKS = st.integers(-2, 8), st.sampled_from(["io_mixed", "oi", "", "it's"])
ROWS = st.fixed_dictionaries(
    {
        "level": st.none() | LEVELS,
        "task": st.none() | TASKS,
        "passes": st.none() | LEVELS,
    }
)
ORDERS = st.sampled_from(["<", "<=", ">", ">=", "==", "!="])


@st.composite
def comparisons(draw: st.DrawFn) -> tuple[str, str]:
    """A comparison, as the filter has it and as SQL has it."""
    numeric = draw(st.booleans())
    name = draw(st.sampled_from(["level", "passes"])) if numeric else "task"
    values = LEVELS if numeric else TASKS
    shape = draw(st.sampled_from(["order", "null", "in", "chain"] if numeric else ["order", "in"]))
    negated = draw(st.booleans())
    if shape == "null":
        word = "not " if negated else ""
        return f"{name} is {word}None", f"{name} IS {word.upper()}NULL"
    if shape == "in":
        many = draw(st.lists(values, min_size=1, max_size=3))
        word = "not " if negated else ""
        listed = ", ".join(_sql(value) for value in many)
        return f"{name} {word}in {many!r}", f"{name} {word.upper()}IN ({listed})"
    order, value = draw(ORDERS), draw(values)
    sql = f"{name} {order.replace('==', '=')} {_sql(value)}"
    if shape == "chain":
        low = draw(LEVELS)
        return f"{low} <= {name} {order} {value!r}", f"({low} <= {name} AND {sql})"
    return f"{name} {order} {value!r}", sql


def _sql(value: object) -> str:
    return "'" + value.replace("'", "''") + "'" if isinstance(value, str) else repr(value)


CONDITIONS = st.recursive(
    comparisons(),
    lambda inner: st.one_of(
        st.tuples(inner, inner).map(
            lambda p: (f"({p[0][0]} and {p[1][0]})", f"({p[0][1]} AND {p[1][1]})")
        ),
        st.tuples(inner, inner).map(
            lambda p: (f"({p[0][0]} or {p[1][0]})", f"({p[0][1]} OR {p[1][1]})")
        ),
        inner.map(lambda p: (f"not ({p[0]})", f"NOT ({p[1]})")),
    ),
    max_leaves=5,
)


@given(CONDITIONS, st.lists(ROWS, min_size=1, max_size=12))
def test_it_keeps_what_sql_keeps(condition: tuple[str, str], rows: list[Row]) -> None:
    text, sql = condition
    found = parse_condition(text, COLUMNS)
    kept = [place for place, row in enumerate(rows) if found.holds(row)]
    with closing(sqlite3.connect(":memory:")) as database:
        database.execute("CREATE TABLE t (place INT, level INT, task TEXT, passes INT)")
        database.executemany(
            "INSERT INTO t VALUES (?, ?, ?, ?)",
            [[place, *(row[name] for name in COLUMNS)] for place, row in enumerate(rows)],
        )
        answer = database.execute(f"SELECT place FROM t WHERE {sql} ORDER BY place").fetchall()
    assert kept == [place for (place,) in answer], (text, sql)


def test_it_names_the_columns_that_it_reads() -> None:
    assert parse_condition(" passes >= 1 or level<=4 ", COLUMNS).columns == ("level", "passes")
    assert parse_condition("level == passes", COLUMNS).holds({"level": 2, "passes": 2})
    assert not parse_condition("level == passes", COLUMNS).holds({"level": None, "passes": None})


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("levl <= 4", "no column 'levl'; there are: level, task, passes"),
        ("level <=", "can't be read"),
        ("level = 4", "can't be read"),
        ("", "can't be read"),
        ("level", "level is no comparison"),
        ("__import__('os').system('true')", "is no comparison"),
        ("level < len(task)", "neither a column nor a literal"),
        ("task.upper() == 'OI'", "neither a column nor a literal"),
        ("level == None", "compare with None by `is`"),
        ("level is 4", "`is` takes None alone"),
        ("task in 'oi, io_mixed'", "'oi, io_mixed' is not a list"),
        ("level <= [4]", "[4] is not a number or a text"),
        ("(lambda: level)() == 1", "neither a column nor a literal"),
        ("level < 1 and " * 400 + "level < 1", "longer than 2000 characters"),
        ("level in [" + "[" * 300 + "]" * 300 + "]", "can't be read"),
    ],
)
def test_what_is_no_condition_is_one_line(text: str, message: str) -> None:
    with pytest.raises(TrainingError) as caught:
        parse_condition(text, COLUMNS)
    assert message in caught.value.message
    assert "\n" not in caught.value.message


def test_a_deep_condition_is_read() -> None:
    assert parse_condition("not " * 90 + "level < 1", COLUMNS).holds({"level": 0})


def test_values_without_an_order_are_one_line() -> None:
    condition = parse_condition("level < 'a'", COLUMNS)
    with pytest.raises(TrainingError, match="--filter"):
        condition.holds({"level": 3})
