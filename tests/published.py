"""Datasets to publish, and a client that publishes them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import cards
from factory.manifest import read_manifest
from factory.pipeline import build
from factory.progress import SilentProgress
from factory.recipe import load_recipe
from factory.recipe_records import Inputs, Recipe
from factory.table import COLUMNS

SMALL, LARGE = 3, 6
"""Programs of the two builds, one a shard; the larger one goes on where the smaller one ends, and
has a shard more, since at most two of its three new programs are the first of their split."""


def recipe() -> Recipe:
    return replace(load_recipe("tiny"), inputs=Inputs(0), shard_programs=1)


def build_template_dataset(out: Path, programs: int) -> Path:
    build(recipe(), out, programs=programs, workers=1, progress=SilentProgress())
    return out


def files_of(folder: Path, repo: str | None = None, tag: str | None = None) -> dict[str, bytes]:
    """What is published of a folder that was built: everything but the build's own work.

    The card of a repository names it and the tag.
    """
    files = {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and not path.relative_to(folder).as_posix().startswith(".")
    }
    if repo is not None:
        files["README.md"] = cards.render(read_manifest(folder), COLUMNS, repo, tag).encode()
    return files


SEND = """
import json, sys
from pathlib import Path
from factory.errors import InfrastructureError, UserError
from factory.hub import Patience
from factory.progress import SilentProgress
from factory.publishing.bundle import collect
from factory.publishing.repository import HubDestination

folder, name, tag, *options = sys.argv[1:]
def note(text):
    print(text, file=sys.stderr)
destination = HubDestination(name, private="private" in options, tag=tag or None,
    pull_request="pr" in options, progress=SilentProgress(), note=note,
    patience=Patience(first_wait=0.02, total=3.0))
try:
    bundle = collect(Path(folder), destination.address)
    plan, sent = destination.look(bundle)
    if sent is None:
        destination.open()
        sent = destination.send(bundle)
except (UserError, InfrastructureError) as error:
    note("error: " + error.message)
    raise SystemExit(error.exit_code)
print(json.dumps({"new": plan.new, "changed": plan.changed, "same": plan.same,
    "deleted": plan.deleted, "commit": sent.commit, "tag": sent.tag,
    "pull_request": sent.pull_request}))
"""
"""Publishes without an audit, and waits little: folder, repository, tag (or ""), options."""
