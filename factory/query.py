"""Ask a dataset folder questions in SQL: DuckDB over its Parquet files, read only."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Future
from dataclasses import dataclass
from pathlib import Path
from tempfile import gettempdir
from threading import Thread
from typing import TYPE_CHECKING, Any, TypeVar

from factory.errors import UserError
from factory.views import DERIVED, DROP_COLUMNS, DROPS, PUBLISHED

if TYPE_CHECKING:
    import duckdb

T = TypeVar("T")

BATCH_ROWS = 2_048
PARQUET_BATCH_ROWS = 100_000
INTERRUPT_S = 0.05


@dataclass(frozen=True, slots=True)
class Table:
    """A table or view of an open dataset."""

    name: str
    holds: str
    """What one row is."""
    columns: tuple[tuple[str, str], ...]
    """Name and DuckDB type of each column, in order."""


class Result:
    """The answer to one query; ``columns`` are distinct, and rows are read as they are needed."""

    def __init__(self, connection: duckdb.DuckDBPyConnection) -> None:
        self._connection = connection
        description = connection.description or []
        self.columns = _distinct([str(column[0]) for column in description])
        self.types = tuple(str(column[1]) for column in description)

    def rows(self) -> Iterator[tuple[Any, ...]]:
        """Yield the rows; a value is what DuckDB makes of it (lists, structs as dicts).

        Raises:
            UserError: A value cannot be computed (a cast that fails in the middle).
        """
        while True:
            batch = interruptible(self._connection, lambda: self._connection.fetchmany(BATCH_ROWS))
            if not batch:
                return
            yield from batch


def connect(folder: Path) -> duckdb.DuckDBPyConnection:
    """Open a dataset folder: an in-memory database whose views read the folder's files.

    Raises:
        UserError: The folder is missing, or holds no dataset.
    """
    import duckdb

    configs = find_configs(folder)
    settings: dict[str, str | bool | int | float | list[str]] = {
        "temp_directory": str(Path(gettempdir()) / "tracefoundry-duckdb"),
        "autoinstall_known_extensions": False,
    }
    connection = duckdb.connect(":memory:", config=settings)
    try:
        for config in configs:
            files = quote_text(str(_escape(folder) / config / "*.parquet"))
            connection.execute(f'CREATE VIEW "{config}" AS FROM read_parquet({files})')
        if all(config in configs for config in ("programs", "traces")):
            for view in DERIVED:
                connection.execute(f"CREATE VIEW {view.name} AS {view.sql}")
        connection.execute(f"CREATE VIEW drops AS {_drops(folder)}")
    except duckdb.Error as error:
        connection.close()
        raise UserError(f"{folder}: cannot be read as a dataset: {explain_error(error)}") from error
    return connection


def find_configs(folder: Path) -> tuple[str, ...]:
    """Names of the folder's configs: its subfolders with Parquet files.

    Raises:
        UserError: The folder is missing, or has none.
    """
    if not folder.is_dir():
        what = "is a file, not a dataset folder" if folder.exists() else "no such folder"
        raise UserError(f"{folder}: {what}; give the folder that `tracefoundry build --out` made")
    found = [
        entry.name
        for entry in folder.iterdir()
        if entry.is_dir() and not entry.name.startswith(".") and any(entry.glob("*.parquet"))
    ]
    if "programs" not in found:
        raise UserError(
            f"{folder}: no dataset here (no programs/*.parquet); "
            f"make one with `tracefoundry build --out {folder}`"
        )
    first = [name for name in PUBLISHED if name in found]
    return (*first, *sorted(set(found) - set(first)))


def list_tables(connection: duckdb.DuckDBPyConnection) -> tuple[Table, ...]:
    """Every table and view of an open dataset with its columns: published, derived, drops."""
    holds = PUBLISHED | {view.name: view.holds for view in (*DERIVED, DROPS)}
    columns: dict[str, list[tuple[str, str]]] = {}
    for table, column, kind in connection.execute(
        "SELECT table_name, column_name, data_type FROM information_schema.columns "
        "WHERE table_schema = 'main' ORDER BY table_name, ordinal_position"
    ).fetchall():
        columns.setdefault(table, []).append((column, kind))
    order = [*(name for name in holds if name in columns), *sorted(set(columns) - set(holds))]
    return tuple(
        Table(name, holds.get(name, f"one row of {name}"), tuple(columns[name])) for name in order
    )


def run_query(
    connection: duckdb.DuckDBPyConnection, sql: str, parameters: Mapping[str, object] | None = None
) -> Result:
    """Run one reading statement.

    Args:
        connection: From :func:`connect`.
        sql: One ``SELECT`` (or ``WITH``, ``FROM``, ``DESCRIBE``, ``SUMMARIZE``, ``EXPLAIN``, …).
        parameters: Values of its ``$name`` parameters.

    Raises:
        UserError: The text is no single reading statement, or DuckDB refuses it.
    """
    _require_reading(connection, sql)
    values = dict(parameters) if parameters else None
    return Result(interruptible(connection, lambda: connection.execute(sql, values)))


def write_parquet(
    connection: duckdb.DuckDBPyConnection,
    sql: str,
    parameters: Mapping[str, object] | None,
    file: Path,
) -> int:
    """Run one reading statement and write its rows to a Parquet file; return their number.

    The file appears when it is complete.

    Raises:
        UserError: As :func:`run_query`, or the file cannot be written.
    """
    _require_reading(connection, sql)
    part = file.with_name(f".{file.name}.part")
    values = dict(parameters) if parameters else None
    try:
        rows = interruptible(connection, lambda: _copy(connection.sql(sql, params=values), part))
        part.replace(file)
    except OSError as error:
        raise UserError(f"{file}: cannot be written: {error.strerror or error}") from error
    finally:
        part.unlink(missing_ok=True)
    return rows


def _copy(relation: duckdb.DuckDBPyRelation, file: Path) -> int:
    import pyarrow.parquet as pq

    reader = relation.to_arrow_reader(PARQUET_BATCH_ROWS)
    schema = reader.schema
    for place, name in enumerate(_distinct(schema.names)):
        schema = schema.set(place, schema.field(place).with_name(name))
    rows = 0
    with pq.ParquetWriter(file, schema, compression="zstd") as writer:
        for batch in reader:
            rows += batch.num_rows
            writer.write_batch(batch.rename_columns(schema.names))
    return rows


def interruptible(connection: duckdb.DuckDBPyConnection, work: Callable[[], T]) -> T:
    """Do DuckDB's work in a thread, so that Ctrl-C always ends it.

    DuckDB itself misses the signal while its own threads do the work.

    Raises:
        UserError: DuckDB refuses or fails.
        KeyboardInterrupt: It was interrupted.
    """
    import duckdb

    future: Future[T] = Future()

    def fulfil() -> None:
        try:
            future.set_result(work())
        except BaseException as error:
            future.set_exception(error)

    thread = Thread(target=fulfil)
    thread.start()
    try:
        return future.result()
    except KeyboardInterrupt:
        while thread.is_alive():
            connection.interrupt()
            thread.join(INTERRUPT_S)
        raise
    except duckdb.Error as error:
        raise UserError(explain_error(error)) from error
    finally:
        thread.join()


def explain_error(error: Exception) -> str:
    """DuckDB's message as one line: what is wrong, what is near, and where."""
    text, _, place = str(error).partition("\n\nLINE ")
    text = re.sub(r"\s*Candidate bindings: (.+)", r" Did you mean \1?", text, flags=re.DOTALL)
    where = place.split("\n", 1)[0].strip()
    where = re.sub(r"^\d+: ", "", where)
    return " ".join(text.split()) + (f" (near: {where})" if where else "")


def quote_text(text: str) -> str:
    """A text as an SQL literal."""
    return "'" + text.replace("'", "''") + "'"


def _require_reading(connection: duckdb.DuckDBPyConnection, sql: str) -> None:
    """Refuse everything that is not one reading statement."""
    statements = interruptible(connection, lambda: connection.extract_statements(sql))
    if not statements:
        raise UserError("the SQL is empty; write a SELECT, or leave it out to see the tables")
    if len(statements) > 1:
        raise UserError(f"one statement at a time, please ({len(statements)} were given)")
    kind = statements[0].type.name
    if kind == "EXPLAIN":
        rest = re.sub(r"^\s*explain(\s+analyze)?\s", "", sql, flags=re.IGNORECASE)
        if rest != sql:
            return _require_reading(connection, rest)
    elif kind in ("SELECT", "MULTI"):
        return None
    raise UserError(f"a dataset is read only: {kind} statements are refused, write a SELECT")


def _drops(folder: Path) -> str:
    file = folder / "drops.jsonl"
    if not file.is_file() or not file.stat().st_size:
        return DROPS.sql
    columns = ", ".join(f"\"{name}\": 'VARCHAR'" for name in DROP_COLUMNS)
    name = quote_text(str(_escape(file)))
    return f"FROM read_json({name}, format = 'newline_delimited', columns = {{{columns}}})"


def _escape(path: Path) -> Path:
    """The path as a glob that matches only itself."""
    return Path(re.sub(r"([\[*?])", r"[\1]", str(path.absolute())))


def _distinct(names: list[str]) -> tuple[str, ...]:
    """The names, a repeated one with ``_2``, ``_3``, … behind it."""
    seen: list[str] = []
    for name in names:
        new, count = name, 1
        while new in seen:
            count += 1
            new = f"{name}_{count}"
        seen.append(new)
    return tuple(seen)
