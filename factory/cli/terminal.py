"""What the commands share: exit codes, JSON and tables on standard output, errors."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from rich.console import Console

CHECK_FAILED = 1
BAD_INPUT = 2
INTERRUPTED = 130

PIPE_WIDTH = 240
"""Columns of a table that goes to a file or a pipe."""


def count_processors() -> int:
    """Processors that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def print_error(message: str) -> None:
    """One line on standard error."""
    typer.echo(f"error: {' '.join(message.split())}", err=True)


def print_note(message: str) -> None:
    """One line on standard error that is not an error."""
    typer.echo(message, err=True)


def print_json(value: object) -> None:
    """One JSON document on standard output."""
    typer.echo(json.dumps(value, indent=2))


def open_console() -> Console:
    """Standard output for rich; wide and without colour when it is no terminal."""
    from rich.console import Console

    terminal = sys.stdout.isatty()
    return Console(width=None if terminal else PIPE_WIDTH, highlight=False, soft_wrap=False)


def print_table(
    console: Console, title: str, columns: Sequence[str], rows: Iterable[Sequence[object]]
) -> None:
    """A title, when there is one, over a plain table: numbers to the right, ``None`` as a dot."""
    from rich import box
    from rich.table import Table
    from rich.text import Text

    listed = [list(row) for row in rows]
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for place, column in enumerate(columns):
        number = listed and all(isinstance(row[place], int | float | None) for row in listed)
        table.add_column(Text(column), justify="right" if number else "left", overflow="fold")
    for row in listed:
        table.add_row(*(Text(show_cell(cell)) for cell in row))
    if title:
        console.print(Text(title, style="bold"))
    console.print(table)


def show_cell(cell: object) -> str:
    """A table cell as text: ``·`` for ``None``, four digits of a float, JSON of lists."""
    if cell is None:
        return "·"
    if isinstance(cell, float):
        return f"{cell:.4g}"
    if isinstance(cell, list | dict):
        return json.dumps(cell, default=str, ensure_ascii=False)
    return str(cell)
