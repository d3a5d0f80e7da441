"""``tracefoundry build``."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from factory.cli.terminal import (
    CHECK_FAILED,
    count_processors,
    open_console,
    print_error,
    print_json,
)
from factory.errors import UserError

if TYPE_CHECKING:
    from factory.estimate import Estimate


def build(
    recipe: Annotated[
        str | None,
        typer.Argument(
            metavar="RECIPE",
            help="A YAML file, or a packaged recipe: tiny (without it), demo, small, paper, "
            "paper-15k.",
        ),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option("--out", metavar="DIR", help="Folder of the dataset; needed to build."),
    ] = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Estimate rows and time; write nothing.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
    programs: Annotated[
        int | None,
        typer.Option(
            "--programs", min=1, metavar="N", help="Programs to make; of a file, rows to read."
        ),
    ] = None,
    seed: Annotated[
        int | None, typer.Option("--seed", metavar="S", help="Instead of the recipe's seed.")
    ] = None,
    strict: Annotated[
        bool,
        typer.Option("--strict", help="Exit with 1 when something was dropped unexpectedly."),
    ] = False,
    workers: Annotated[
        int | None,
        typer.Option(
            "--workers", min=1, metavar="W", help="Processes; by default one a processor."
        ),
    ] = None,
    engine: Annotated[
        str,
        typer.Option(
            "--engine",
            metavar="NAME",
            help="local, or ray: a cluster (RAY_ADDRESS), with W actors.",
        ),
    ] = "local",
) -> None:
    """Make a dataset: programs, traces and questions as Parquet.

    The same recipe, seed and Python give the same bytes, whatever the workers. An interrupted
    build goes on when the same command is run again.

    Example: tracefoundry build small --out data --programs 500 --seed 7
    """
    from factory.cli.containment import warn_of_missing_layers
    from factory.cli.places import fetch_source
    from factory.cli.reports import describe_build, print_build, warn_of_shortcuts
    from factory.pipeline import build as build_dataset
    from factory.progress import choose_progress
    from factory.recipe import DEFAULT_RECIPE, load_recipe
    from factory.strictness import unexpected_drops

    if out is None and not dry_run:
        raise UserError("--out is missing: give the folder of the dataset")
    chosen = fetch_source(load_recipe(recipe or DEFAULT_RECIPE))
    workers = workers or count_processors()
    with choose_progress() as progress:
        if out is None or dry_run:
            from factory.estimate import estimate

            found = estimate(
                chosen, programs=programs, seed=seed, workers=workers, progress=progress
            )
            _print_estimate(found, workers, as_json)
            return
        report = build_dataset(
            chosen,
            out,
            programs=programs,
            seed=seed,
            workers=workers,
            engine=engine,
            progress=progress,
        )
    warn_of_missing_layers(report.manifest)
    warn_of_shortcuts(report.manifest)
    if as_json:
        print_json(describe_build(report))
    else:
        print_build(open_console(), report)
    unexpected = unexpected_drops(report.manifest) if strict else ()
    if unexpected:
        listed = ", ".join(f"{stage}/{reason} {number}" for stage, reason, number in unexpected)
        print_error(f"--strict: unexpected drops: {listed} (see {out / 'drops.jsonl'})")
        raise typer.Exit(CHECK_FAILED)


def _print_estimate(found: Estimate, workers: int, as_json: bool) -> None:
    if as_json:
        print_json({**asdict(found), "seconds": round(found.seconds, 1), "workers": workers})
        return
    typer.echo(f"{found.rows} rows to do, judged by the first {found.pilot}")
    typer.echo(
        f"about {found.programs} programs, {found.traces} traces, {found.questions} questions, "
        f"{found.stage1} prompts, {found.sft} conversations, {found.crpl} pairs, "
        f"{found.problems} problems"
    )
    cost = "no model cost"
    if found.completions:
        cost = f"and {found.completions:,} replies of models, at most {found.max_tokens:,} tokens"
    typer.echo(f"about {found.seconds:.0f} s with {workers} workers, {cost}")
