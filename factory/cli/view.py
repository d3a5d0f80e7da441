"""``tracefoundry view``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from factory.cli.places import Place, open_folder
from factory.cli.terminal import print_note

PROGRAMS = 500
STEPS = 2_000


def view(
    place: Place,
    out: Annotated[
        Path, typer.Option("--out", metavar="SITE", help="Folder of the site; may be an old one.")
    ],
    programs: Annotated[
        int,
        typer.Option(
            "--programs", min=1, metavar="N", help="Most programs with a page, spread evenly."
        ),
    ] = PROGRAMS,
    steps: Annotated[
        int, typer.Option("--steps", min=1, metavar="N", help="Most steps of a call.")
    ] = STEPS,
) -> None:
    """Make a static site: plots, filters, and every trace to step through.

    It opens from the disk (SITE/index.html) and is a static Space of the Hugging Face Hub as it is:
    nothing is loaded from elsewhere. A repository of the Hub is downloaded first.

    Example: tracefoundry view data --out site
    """
    from factory.progress import choose_progress
    from factory.site import write_site

    folder = open_folder(place)
    with choose_progress() as progress:
        report = write_site(folder, out, programs=programs, steps=steps, progress=progress)
    if report.programs < report.of_programs:
        print_note(
            f"note: pages for {report.programs:,} of {report.of_programs:,} programs; "
            "--programs N gives more"
        )
    if report.cut_traces:
        print_note(
            f"note: of {report.cut_traces:,} calls only the first {steps:,} steps are shown; "
            "--steps N gives more"
        )
    typer.echo(
        f"{report.programs:,} programs in {report.out / 'index.html'} "
        f"({report.files} files, {report.bytes / 1e6:.1f} MB)"
    )
