"""Ask a dataset questions in SQL: DuckDB over its Parquet files, read only."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Future
from dataclasses import dataclass
from pathlib import Path
from tempfile import gettempdir
from threading import Thread
from typing import TYPE_CHECKING, Any, TypeVar

from factory.data_files import DataFiles, local_files
from factory.errors import InfrastructureError, UserError
from factory.views import DERIVED, DROP_COLUMNS, DROPS, LOGS, PUBLISHED

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


def connect(place: Path | DataFiles) -> duckdb.DuckDBPyConnection:
    """Open a dataset: an in-memory database whose views read its files where they are.

    Args:
        place: A folder, or the files of a repository (:func:`factory.data_files.remote_files`).

    Raises:
        UserError: The folder is missing, or holds no dataset.
        InfrastructureError: A file could not be read over the network.
    """
    import duckdb

    files = local_files(place) if isinstance(place, Path) else place
    settings: dict[str, str | bool | int | float | list[str]] = {
        "temp_directory": str(Path(gettempdir()) / "tracefoundry-duckdb"),
        "autoinstall_known_extensions": False,
    }
    connection = duckdb.connect(":memory:", config=settings)
    try:
        if files.filesystem is not None:
            connection.register_filesystem(files.filesystem)
        for config, names in files.configs.items():
            listed = ", ".join(map(quote_text, names))
            # the files of a run differ in the types of columns that are all null
            how = ", union_by_name = true" if config == "completions" else ""
            connection.execute(f'CREATE VIEW "{config}" AS FROM read_parquet([{listed}]{how})')
        if all(config in files.configs for config in ("programs", "traces")):
            for view in DERIVED:
                connection.execute(f"CREATE VIEW {view.name} AS {view.sql}")
        if files.logs is None:
            connection.execute(f"CREATE VIEW drops AS {_drops(files)}")
        else:
            logs = LOGS.sql.format(state=quote_text(files.logs))
            connection.execute(f"CREATE VIEW {LOGS.name} AS {logs}")
    except duckdb.Error as error:
        connection.close()
        raise failure_of(error, f"{files.place}: cannot be read as a dataset: ") from error
    return connection


def list_tables(connection: duckdb.DuckDBPyConnection) -> tuple[Table, ...]:
    """Every table and view of an open dataset with its columns: published, derived, drops."""
    holds = PUBLISHED | {view.name: view.holds for view in (*DERIVED, DROPS, LOGS)}
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
        InfrastructureError: A file could not be read over the network.
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
        raise failure_of(error) from error
    finally:
        thread.join()


def failure_of(error: duckdb.Error, start: str = "") -> UserError | InfrastructureError:
    """DuckDB's error as ours: one of the network comes with the trace of the Hub's client."""
    trace = str(error).partition("\n\nLINE ")[0]
    if trace.startswith("Traceback"):
        return InfrastructureError(
            f"{start}reading over the network failed: {trace.splitlines()[-1]}; run it again"
        )
    return UserError(f"{start}{explain_error(error)}")


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


def _drops(files: DataFiles) -> str:
    if files.drops is None:
        return DROPS.sql
    columns = ", ".join(f"\"{name}\": 'VARCHAR'" for name in DROP_COLUMNS)
    name = quote_text(files.drops)
    return f"FROM read_json({name}, format = 'newline_delimited', columns = {{{columns}}})"


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
