"""``tracefoundry audit``."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated, Any

import typer

from factory.cli.places import Place, open_folder
from factory.cli.terminal import (
    CHECK_FAILED,
    count_processors,
    open_console,
    print_json,
)

if TYPE_CHECKING:
    from rich.console import Console

    from factory.audit import AuditReport, Problem


def audit(
    place: Place,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
    sample: Annotated[
        int | None,
        typer.Option("--sample", min=1, metavar="N", help="Check N programs instead of all."),
    ] = None,
) -> None:
    """Run every program again, derive every row again, and compare.

    A repository of the Hub is downloaded first. Exit code 1, with each row named, when one does
    not come out as published.
    """
    from factory.audit import audit as audit_dataset
    from factory.progress import choose_progress

    folder = open_folder(place)
    with choose_progress() as progress:
        report = audit_dataset(folder, sample, progress, workers=count_processors())
    if as_json:
        print_json({**describe_audit(report), "path": place})
    else:
        print_audit(open_console(), report)
    if not report.ok:
        raise typer.Exit(CHECK_FAILED)


def describe_audit(report: AuditReport) -> dict[str, Any]:
    """An audit's report as JSON-able data."""
    return {
        "path": str(report.path),
        "ok": report.ok,
        "checked": {
            "programs": report.programs,
            "traces": report.traces,
            "questions": report.questions,
        },
        "problems": [asdict(problem) for problem in report.problems],
        "changed": [asdict(problem) for problem in report.changed],
        "differences": list(report.differences),
        "seconds": round(report.seconds, 2),
    }


def print_audit(console: Console, report: AuditReport) -> None:
    """Print each row that does not reproduce, then the sum."""
    from rich.text import Text

    for difference in report.differences:
        console.print(Text(difference, style="yellow"))
    for problem in (*report.problems, *report.changed):
        console.print(Text(_show_problem(problem)), soft_wrap=True)
    found = len(report.problems) + len(report.changed)
    checked = (
        f"{report.programs} programs, {report.traces} traces and {report.questions} questions "
        f"made again in {report.seconds:.1f} s"
    )
    if report.ok:
        console.print(Text(f"{checked}: 100 % reproduced", style="green"))
    elif not report.comparable:
        console.print(Text("nothing was run: another schema", style="red"))
    else:
        console.print(Text(f"{checked}: {found} differences", style="red"))


def _show_problem(problem: Problem) -> str:
    place = " ".join(part for part in (problem.config, problem.id, problem.column) if part)
    return f"{place}: {problem.detail}"
