"""``tracefoundry publish``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from factory.cli.terminal import (
    CHECK_FAILED,
    count_processors,
    open_console,
    print_error,
    print_json,
    print_note,
)

if TYPE_CHECKING:
    from factory.publishing import Plan, Release


def publish(
    folder: Annotated[
        Path, typer.Argument(metavar="DIR", help="A dataset that build made, or a trained model.")
    ],
    target: Annotated[
        str,
        typer.Argument(metavar="REPO", help="owner/name on the Hub, or file:DIR for a folder."),
    ],
    allow_unlicensed: Annotated[
        bool,
        typer.Option("--allow-unlicensed", help="Publish foreign programs of unknown licence."),
    ] = False,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Show what would go; run and send nothing.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
    pull_request: Annotated[
        bool, typer.Option("--pr", help="Open a pull request instead of committing.")
    ] = False,
    private: Annotated[
        bool, typer.Option("--private", help="Make a private repository; refuse a public one.")
    ] = False,
    sample: Annotated[
        int | None,
        typer.Option("--sample", min=1, metavar="N", help="Audit N programs instead of all."),
    ] = None,
    tag: Annotated[
        str | None,
        typer.Option("--tag", metavar="vX.Y.Z", help="Tag the commit when it is complete."),
    ] = None,
) -> None:
    """Publish a dataset or model: one commit with data and card, then the tag.

    The dataset is audited first, and refused when a row does not reproduce (exit code 1). The same
    command goes on after an interruption, and sends nothing when all is there. HF_ENDPOINT and the
    token (HF_TOKEN, or hf auth login) are used as everywhere.

    Example: tracefoundry publish data owner/name --private --tag v1.0.0
    """
    from factory.progress import choose_progress
    from factory.publishing import Wishes
    from factory.publishing import publish as publish_folder

    wishes = Wishes(
        private=private,
        tag=tag,
        pull_request=pull_request,
        dry_run=dry_run,
        sample=sample,
        allow_unlicensed=allow_unlicensed,
    )
    with choose_progress() as progress:
        release = publish_folder(
            folder,
            target,
            wishes,
            workers=count_processors(),
            progress=progress,
            note=print_note,
        )
    if as_json:
        print_json(describe_release(release, dry_run))
    else:
        print_release(release, dry_run)
    if not release.ok:
        print_error(f"{folder}: the audit failed, so nothing was published")
        raise typer.Exit(CHECK_FAILED)


def describe_release(release: Release, dry_run: bool) -> dict[str, Any]:
    """A release as JSON-able data."""
    from factory.cli.audit import describe_audit

    sent = release.sent
    return {
        "url": release.url,
        "kind": release.bundle.kind,
        "dry_run": dry_run,
        "published": sent is not None,
        "changed": {
            "new": list(release.plan.new),
            "changed": list(release.plan.changed),
            "deleted": list(release.plan.deleted),
            "same": list(release.plan.same),
        },
        "bytes": _bytes(release),
        "commit": sent.commit if sent else None,
        "tag": sent.tag if sent else None,
        "pull_request": sent.pull_request if sent else None,
        "audit": describe_audit(release.audited) if release.audited else None,
    }


def print_release(release: Release, dry_run: bool) -> None:
    """Print the audit and what was done, or would be done."""
    from factory.cli.audit import print_audit

    if release.audited is not None:
        print_audit(open_console(), release.audited)
    print_changes(release, dry_run)


def print_changes(release: Release, dry_run: bool) -> None:
    """Print what was done, or would be done, file by file."""
    plan, sent = release.plan, release.sent
    for sign, paths in (("+", plan.new), ("~", plan.changed), ("-", plan.deleted)):
        for path in paths:
            size = "" if sign == "-" else f"  {release.bundle.files[path].size} bytes"
            typer.echo(f"{sign} {path}{size}")
    if dry_run and sent is None:
        typer.echo(f"would go to {release.url}: {_count(plan, _bytes(release))}")
    elif sent is not None:
        done = f"published at {release.url}" if not plan.empty else f"all is at {release.url}"
        named = [
            f"commit {sent.commit[:8]}" if sent.commit else "",
            f"tag {sent.tag}" if sent.tag else "",
            f"pull request {sent.pull_request}" if sent.pull_request else "",
        ]
        listed = ", ".join(part for part in named if part)
        typer.echo(f"{done}{f' ({listed})' if listed else ''}: {_count(plan, _bytes(release))}")


def _bytes(release: Release) -> int:
    return sum(release.bundle.files[path].size for path in release.plan.sent)


def _count(plan: Plan, size: int) -> str:
    return (
        f"{len(plan.new)} new, {len(plan.changed)} changed, {len(plan.deleted)} deleted, "
        f"{len(plan.same)} same; {size / 1e6:.2f} MB"
    )
