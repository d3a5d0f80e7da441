"""The table of an evaluation's results."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from typing import Any

COLUMNS = (
    *("benchmark", "kind", "level", "mode", "pass@k", "value", "95 % interval", "questions"),
    *("unparsed", "not judged", "reasoning"),
)
_PIPE_WIDTH = 200


def rows_of(report: Mapping[str, Any]) -> list[tuple[str, ...]]:
    """The lines of a report, as text."""
    return [
        (
            benchmark["name"],
            result["kind"],
            result["level"] or "",
            result["mode"],
            str(result["k"]),
            f"{result['value']:.4f}",
            f"{result['low']:.3f}–{result['high']:.3f}",
            str(result["questions"]),
            f"{result['unparsed']:.3f}",
            str(result["infrastructure"]),
            "" if result["reasoning_tokens"] is None else f"{result['reasoning_tokens']:.0f}",
        )
        for benchmark in report["benchmarks"]
        for result in benchmark["results"]
    ]


def print_table(report: Mapping[str, Any]) -> None:
    """Print a report on standard output."""
    from rich import box
    from rich.console import Console
    from rich.table import Table

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    rows: Sequence[Sequence[str]] = rows_of(report)
    for place, column in enumerate(COLUMNS):
        number = place >= COLUMNS.index("pass@k")
        table.add_column(column, justify="right" if number else "left")
    for row in rows:
        table.add_row(*row)
    console = Console(width=None if sys.stdout.isatty() else _PIPE_WIDTH, highlight=False)
    console.print(table)
