"""``tracefoundry score``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from factory.cli.places import open_folder
from factory.cli.terminal import (
    CHECK_FAILED,
    count_processors,
    open_console,
    print_error,
    print_json,
    print_note,
    print_table,
)

if TYPE_CHECKING:
    from rich.console import Console

    from factory.scoring import ScoreReport

_SHOWN_BAD_LINES = 20


def score(
    place: Annotated[
        str,
        typer.Argument(
            metavar="DIR|REPO|TASKS",
            help="A dataset folder, owner/name[@revision] on the Hub, or a file of tasks.",
        ),
    ],
    answers: Annotated[
        Path, typer.Option("--answers", metavar="FILE", help="The answers, one JSON object a line.")
    ],
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
    least: Annotated[
        float | None,
        typer.Option(
            "--min", min=0, max=1, metavar="X", help="Exit with 1 when the accuracy is below X."
        ),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option("--out", metavar="FILE", help="Write one verdict a line, in input order."),
    ] = None,
) -> None:
    """Judge model answers; accuracy by kind and level.

    Answers to a dataset: {"question_id", "answer"}. Answers to a file of tasks {"id", "code",
    "entry_point", "input", "output"} or {"id", "prompt", "entry_point", "test"}: {"id", "task":
    "output", "input" or "code", "answer"}. Answers are parsed and never run; arguments and programs
    that are answers run in the sandbox. Failures of ours are counted apart and are not wrong
    answers.
    """
    from factory.files import write_atomically
    from factory.progress import choose_progress
    from factory.scoring import describe_score, verdict_lines
    from factory.scoring import score as score_answers

    target = open_folder(place)
    with choose_progress() as progress:
        report = score_answers(target, answers, workers=count_processors(), progress=progress)
    print_bad_lines(report)
    if out is not None:
        write_atomically(out, "".join(f"{line}\n" for line in verdict_lines(report)).encode())
    if as_json:
        print_json(describe_score(report))
    else:
        print_score(open_console(), describe_score(report))
    if least is not None and (report.accuracy is None or report.accuracy < least):
        shown = "unknown" if report.accuracy is None else f"{report.accuracy:.4f}"
        print_error(f"the accuracy is {shown}, below --min {least}")
        raise typer.Exit(CHECK_FAILED)


def print_bad_lines(report: ScoreReport) -> None:
    """Name the lines that could not be used, one a line, on standard error."""
    for line in report.bad_lines[:_SHOWN_BAD_LINES]:
        print_note(f"{line.where}: not scored: {' '.join(line.reason.split())}")
    more = len(report.bad_lines) - _SHOWN_BAD_LINES
    if more > 0:
        print_note(f"... and {more} more lines that could not be used")


def print_score(console: Console, found: dict[str, Any]) -> None:
    """Print accuracy and counts: by kind, by level where there are levels, and in all."""
    columns = (
        "answers",
        "correct",
        "incorrect",
        "unparsed",
        "no_answer",
        "infrastructure",
        "accuracy",
    )

    def row(name: str, counts: dict[str, Any]) -> tuple[object, ...]:
        return (name, *(counts[column] for column in columns))

    levels = [row(name, counts) for name, counts in found["by_level"].items()]
    if levels:
        print_table(console, "by level", ("level", *columns), levels)
    kinds = [row(name, counts) for name, counts in found["by_kind"].items()]
    print_table(console, "by kind", ("kind", *columns), [*kinds, row("all", found)])
    bad = len(found["bad_lines"])
    noted = f", {bad} lines not scored" if bad else ""
    console.print(f"{found['answers']} answers judged in {found['seconds']:.1f} s{noted}")
