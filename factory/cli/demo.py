"""``tracefoundry demo``."""

from __future__ import annotations

import importlib
import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from factory.cli.terminal import (
    CHECK_FAILED,
    count_processors,
    open_console,
    print_note,
    print_table,
)

if TYPE_CHECKING:
    from rich.console import Console

    from factory.audit import AuditReport

SHOWN_ROWS = 13
AUDITED = 50
"""Programs of the training's own dataset that are made again before it is published."""
EXAMPLE_SQL = '"SELECT kind, count(*) FROM steps GROUP BY kind"'


def demo(
    out: Annotated[
        Path | None,
        typer.Option(
            "--out", metavar="DIR", help="Folder of the dataset; by default a demo-out here."
        ),
    ] = None,
) -> None:
    """Run the main job on built-in defaults: build, audit, query, publish, train, evaluate.

    No GPU and no network are used. A folder that an earlier demo made is continued or reused. The
    training needs `pip install 'tracefoundry[train]'` and is left out without it.
    """
    from factory import demo as job
    from factory.audit import audit
    from factory.cli.audit import print_audit
    from factory.cli.containment import warn_of_missing_layers
    from factory.cli.reports import print_build
    from factory.pipeline import build
    from factory.progress import choose_progress
    from factory.recipe import load_recipe

    started = time.monotonic()
    console = open_console()
    recipe = load_recipe(job.RECIPE)
    folder = out or job.choose_folder(recipe, Path())
    workers = count_processors()
    with choose_progress() as progress:
        _print_title(console, f"1. build: recipe {job.RECIPE}, {workers} workers, into {folder}")
        report = build(recipe, folder, workers=workers, progress=progress)
        warn_of_missing_layers(report.manifest)
        print_build(console, report)
        _print_title(console, "2. audit: every row is made again and compared")
        audited = audit(folder, None, progress, workers=workers)
        print_audit(console, audited)
    if not audited.ok:
        raise typer.Exit(CHECK_FAILED)
    _print_title(console, f"3. query: {len(job.QUERIES)} of the named queries")
    for name, parameters in job.QUERIES:
        _print_query(console, folder, name, parameters)
    _print_title(console, "4. some of the questions, with their answers")
    _print_questions(console, folder)
    _print_title(
        console, "5. publish: a copy that appears as a whole, as a release on the Hub does"
    )
    _publish(folder, audited)
    _print_title(console, "6. train: a tiny model through every stage, before and after")
    _train(console, folder, workers)
    _print_ending(console, folder, time.monotonic() - started)


def _print_title(console: Console, title: str) -> None:
    from rich.text import Text

    console.print(Text(f"\n{title}", style="bold cyan"))


def _print_query(console: Console, folder: Path, name: str, parameters: dict[str, object]) -> None:
    from factory.named_queries import find_query
    from factory.query import connect, run_query

    query = find_query(name)
    with connect(folder) as connection:
        result = run_query(connection, query.sql, parameters)
        rows = list(result.rows())
        print_table(console, query.question, result.columns, rows[:SHOWN_ROWS])
    if len(rows) > SHOWN_ROWS:
        console.print(f"… and {len(rows) - SHOWN_ROWS} more rows")


def _publish(folder: Path, audited: AuditReport) -> None:
    """Publish the dataset beside itself; it was just audited."""
    from factory.cli.publish import print_changes
    from factory.demo import published_folder
    from factory.progress import choose_progress
    from factory.publishing import Wishes, publish

    target = f"file:{published_folder(folder)}"
    with choose_progress() as progress:
        release = publish(
            folder, target, Wishes(), audited=audited, progress=progress, note=print_note
        )
    print_changes(release, dry_run=False)


def _train(console: Console, folder: Path, workers: int) -> None:
    """Train a tiny model on a dataset of its own, where the libraries are there."""
    from factory.demo import training_folder
    from factory.practice import build_practice, write_lessons
    from factory.progress import choose_progress
    from factory.publishing import Wishes, publish

    demonstration: Any = importlib.import_module("trainer.demonstration")
    missing = demonstration.missing_library()
    if missing is not None:
        print_note(
            f"the training is left out: {missing} is not installed; it needs "
            "pip install 'tracefoundry[train]'"
        )
        return
    place = training_folder(folder)
    published = place / "published"
    with choose_progress() as progress:
        dataset = build_practice(place, workers=workers, progress=progress)
        publish(
            dataset,
            f"file:{published}",
            Wishes(sample=AUDITED),
            workers=workers,
            progress=progress,
            note=print_note,
        )
    lessons = write_lessons(published, place / "lessons")
    found = demonstration.train_tiny(lessons, place / "runs", _note_steps)
    rows = [
        (kind, *(_share(measured.shares, kind) for measured in found.measured))
        for kind, *_ in found.measured[0].shares
    ]
    stages = [f"after {one.stage}" if one.stage else "untrained" for one in found.measured]
    print_table(console, "right answers to held-out prompts, sampled", ("asked for", *stages), rows)
    pairs, share = found.pairs
    console.print(f"The reward model ranks {share:.0%} of {pairs} held-out pairs right.")
    console.print(f"Models, curves and replies are in {place / 'runs'}.")


def _note_steps(line: str) -> None:
    """Tell how the training goes, without the settings of each stage, which stand in its folder."""
    if line.startswith(("stage ", "step ", "warning", "error")):
        print_note(line)


def _share(shares: Sequence[tuple[str, float, float, float]], kind: str) -> str:
    """A share with its interval."""
    _, value, low, high = next(each for each in shares if each[0] == kind)
    return f"{value:.2f} ({low:.2f}–{high:.2f})"


def _print_questions(console: Console, folder: Path) -> None:
    from rich.text import Text

    from factory.demo import pick_questions

    for number, (source, call, question) in enumerate(pick_questions(folder), 1):
        console.print(Text(f"question {number} ({question.kind}), about {call} of", style="bold"))
        for line, text in enumerate(source.rstrip("\n").split("\n"), 1):
            console.print(Text(f"  {line:>3} {text}"))
        console.print(Text(question.text.partition("\n")[0]))
        console.print(Text.assemble("  answer: ", (question.key, "green"), "\n"))


def _print_ending(console: Console, folder: Path, seconds: float) -> None:
    from factory.demo import published_folder

    console.print(f"The dataset is in {folder.resolve()} (made and checked in {seconds:.0f} s):")
    for name, holds in (
        (
            "programs/, traces/, …",
            "Parquet, one file a split; also questions/, stage1/, sft/, crpl/",
        ),
        ("README.md", "the dataset card"),
        ("manifest.json", "counts, drops, checksums, versions"),
        ("drops.jsonl", "everything that was left out, and why"),
    ):
        console.print(f"  {name:<32} {holds}")
    console.print(f"Its release is in {published_folder(folder).resolve()}. Ask it yourself:")
    console.print(f"  tracefoundry query {folder} --list")
    console.print(f"  tracefoundry query {folder} {EXAMPLE_SQL}")
    console.print(f"  tracefoundry view {folder} --out site")
