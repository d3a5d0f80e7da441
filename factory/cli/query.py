"""``tracefoundry query``."""

from __future__ import annotations

import csv
import json
import math
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from factory.cli.places import Place
from factory.cli.terminal import open_console, print_note, print_table, show_cell
from factory.errors import UserError

if TYPE_CHECKING:
    import duckdb

    from factory.data_files import DataFiles
    from factory.named_queries import NamedQuery
    from factory.query import Result

SHOWN_ROWS = 1_000


def query(
    place: Place,
    sql: Annotated[
        str | None,
        typer.Argument(metavar="SQL", help="One SELECT. Without it, tables are listed."),
    ] = None,
    as_csv: Annotated[bool, typer.Option("--csv", help="Print the rows as CSV.")] = False,
    explain: Annotated[
        bool, typer.Option("--explain", help="Print the SQL and DuckDB's plan instead of rows.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print a JSON list of objects.")] = False,
    show_list: Annotated[
        bool, typer.Option("--list", help="List the named queries and what they answer.")
    ] = False,
    name: Annotated[
        str | None, typer.Option("--name", metavar="NAME", help="Run this named query.")
    ] = None,
    parquet: Annotated[
        Path | None, typer.Option("--parquet", metavar="OUT", help="Write the rows to this file.")
    ] = None,
    settings: Annotated[
        list[str] | None,
        typer.Option(
            "--set", metavar="NAME=VALUE", help="Set a $NAME parameter of the query; repeatable."
        ),
    ] = None,
) -> None:
    """Ask a dataset in SQL (DuckDB, read only).

    Tables: programs, traces, questions, and the views statements, steps, changes, activations,
    entries, headers and drops. Without SQL and --name the tables, their columns and the named
    queries are listed.

    The folder of a training run has the tables completions and logs instead.

    A repository of the Hub is read over the network at HF_ENDPOINT, only the parts that a query
    needs.

    Example: tracefoundry query DIR "SELECT kind, count(*) FROM steps GROUP BY kind"
    """
    from factory import query as engine
    from factory.data_files import MANIFEST
    from factory.named_queries import find_query, parse_settings

    chosen = [
        option
        for option, given in (("--csv", as_csv), ("--json", as_json), ("--parquet", parquet))
        if given
    ]
    if len(chosen) > 1:
        raise UserError(f"{' and '.join(chosen)}: choose one form of output")
    if sql is not None and name is not None:
        raise UserError("give SQL or --name, not both")
    named = find_query(name) if name is not None else None
    with ExitStack() as stack:
        files = stack.enter_context(open_files(place))
        connection = stack.enter_context(engine.connect(files))
        if not files.finished:
            print_note(f"note: no {MANIFEST} in {place}: its build has not finished")
        text = named.sql if named else sql
        if text is None or show_list:
            if chosen == ["--parquet"] or chosen == ["--csv"]:
                raise UserError(f"{chosen[0]} needs SQL or --name")
            _print_overview(connection, as_json, with_tables=not show_list)
            return
        parameters = parse_settings(settings or [], named)
        if explain:
            plan = engine.run_query(connection, f"EXPLAIN {text}", parameters)
            typer.echo(text.strip() + "\n")
            typer.echo("\n".join(str(row[-1]) for row in plan.rows()))
            return
        if parquet is not None:
            rows = engine.write_parquet(connection, text, parameters, parquet)
            print_note(f"{rows} rows written to {parquet}")
            return
        result = engine.run_query(connection, text, parameters)
        if as_csv:
            _print_csv(result)
        elif as_json:
            _print_json(result)
        else:
            _print_table(result, named)


@contextmanager
def open_files(place: str) -> Iterator[DataFiles]:
    """The files of a folder or repository, readable within the block."""
    from factory.data_files import local_files, remote_files
    from factory.hub import LONGEST_WAIT, find_place, hub_session

    found = find_place(place)
    if isinstance(found, Path):
        yield local_files(found)
        return
    with hub_session(longest_wait=LONGEST_WAIT):
        yield remote_files(found, print_note)


def _print_overview(
    connection: duckdb.DuckDBPyConnection, as_json: bool, with_tables: bool
) -> None:
    from factory.named_queries import named_queries
    from factory.query import list_tables

    tables = list_tables(connection) if with_tables else ()
    queries = named_queries()
    if as_json:
        overview = {
            "tables": [
                {"name": t.name, "holds": t.holds, "columns": dict(t.columns)} for t in tables
            ],
            "queries": [
                {
                    "name": q.name,
                    "question": q.question,
                    "columns": q.columns,
                    "parameters": {p: default for p, default, _ in q.parameters},
                }
                for q in queries
            ],
        }
        typer.echo(json.dumps(overview, indent=2))
        return
    for table in tables:
        typer.echo(f"{table.name}: {table.holds}")
        typer.echo("    " + ", ".join(f"{column} {_short(kind)}" for column, kind in table.columns))
    if tables:
        typer.echo('\nNamed queries (--name NAME); a column called "where" or "end" needs quotes:')
    for named in queries:
        typer.echo(f"{named.name}: {named.question}")
        for parameter, default, meaning in named.parameters:
            typer.echo(f"    --set {parameter}={default}  {meaning}")


def _short(kind: str) -> str:
    return "STRUCT" if kind.startswith("STRUCT") else kind


def _print_table(result: Result, named: NamedQuery | None) -> None:
    rows: list[tuple[Any, ...]] = []
    more = False
    for row in result.rows():
        if len(rows) == SHOWN_ROWS:
            more = True
            break
        rows.append(row)
    if named:
        print_note(named.question)
    print_table(open_console(), "", result.columns, rows)
    if more:
        print_note(f"only the first {SHOWN_ROWS} rows are shown; --csv, --json, --parquet give all")


def _print_csv(result: Result) -> None:
    writer = csv.writer(sys.stdout, lineterminator="\n")
    writer.writerow(result.columns)
    for row in result.rows():
        writer.writerow(
            [
                "" if cell is None else repr(cell) if isinstance(cell, float) else show_cell(cell)
                for cell in row
            ]
        )


def _print_json(result: Result) -> None:
    sys.stdout.write("[")
    first = True
    for row in result.rows():
        record = dict(zip(result.columns, map(_plain, row), strict=True))
        sys.stdout.write(("\n" if first else ",\n") + json.dumps(record, default=str))
        first = False
    sys.stdout.write("]\n" if first else "\n]\n")


def _plain(cell: Any) -> Any:
    """The value as JSON knows it: a float that JSON lacks becomes its name as text."""
    if isinstance(cell, float) and not math.isfinite(cell):
        return str(cell)
    if isinstance(cell, Decimal):
        return float(cell)
    if isinstance(cell, list):
        return [_plain(part) for part in cell]
    if isinstance(cell, dict):
        return {str(key): _plain(part) for key, part in cell.items()}
    return cell
