"""Datasets of the Hub, on this machine: what a repository holds, and copies of it."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatch
from pathlib import Path
from typing import TYPE_CHECKING

from factory.errors import UserError
from factory.hub.calls import Caller, Patience, hub_session
from factory.hub.places import Repository

if TYPE_CHECKING:
    from huggingface_hub import HfApi

WANTED = ("README.md", "manifest.json", "drops.jsonl", "*/*.parquet")
"""What a copy holds."""
LONGEST_WAIT = 30.0
"""Seconds that reading waits for a busy server, each time."""


@dataclass(frozen=True, slots=True)
class RemoteFile:
    """A file of a repository."""

    size: int
    digest: str
    """SHA-256 of a large file, else its git object id."""
    large: bool


def fetch(place: Path | Repository, note: Callable[[str], None]) -> Path:
    """The folder itself, or a folder with the repository's files (kept in the Hub's cache).

    Args:
        place: Where the dataset is.
        note: Told what is downloaded, and of every failure that is tried again.

    Raises:
        UserError: There is no such repository or revision, or no dataset in it.
        InfrastructureError: The Hub or the network failed in every attempt.
    """
    return place if isinstance(place, Path) else fetch_files(place, WANTED, note, "manifest.json")


def fetch_files(
    place: Repository,
    patterns: Sequence[str],
    note: Callable[[str], None],
    needed: str | None = None,
) -> Path:
    """A folder with the repository's files that match ``patterns`` (kept in the Hub's cache).

    Args:
        place: Which data set, at which revision.
        patterns: As in :mod:`fnmatch`; ``*`` also stands for slashes.
        note: Told what is downloaded, and of every failure that is tried again.
        needed: A file without which it is no data set of ours.

    Raises:
        UserError: There is no such repository or revision, or ``needed`` is not in it.
        InfrastructureError: The Hub or the network failed in every attempt.
    """
    from huggingface_hub import HfApi

    api, caller = HfApi(), Caller(Patience(), note)
    with hub_session(longest_wait=LONGEST_WAIT, bars=sys.stderr.isatty()):
        pinned = pin(place, api, caller)
        files = caller.call(
            f"listing {place}", lambda: read_tree(api, pinned.name, pinned.revision, "dataset")
        )
        if needed is not None and needed not in files:
            raise UserError(f"{place}: no {needed} there, so no dataset of ours")
        size = sum(
            file.size
            for path, file in files.items()
            if any(fnmatch(path, pattern) for pattern in patterns)
        )
        note(f"{place}: {size / 1e6:.1f} MB at {pinned}")
        folder = caller.call(
            f"downloading {place}",
            lambda: api.snapshot_download(
                pinned.name,
                repo_type="dataset",
                revision=pinned.revision,
                allow_patterns=list(patterns),
            ),
        )
    return Path(folder)


def fetch_file(place: Repository, path: str, note: Callable[[str], None]) -> Path:
    """A copy of one file of a data set, kept in the Hub's cache.

    Args:
        place: Where the file is.
        path: Its path in there.
        note: Told of every failure that is tried again.

    Raises:
        UserError: There is no such repository, revision or file.
        InfrastructureError: The Hub or the network failed in every attempt.
    """
    from huggingface_hub import HfApi

    api, caller = HfApi(), Caller(Patience(), note)
    with hub_session(longest_wait=LONGEST_WAIT, bars=sys.stderr.isatty()):
        copy = caller.call(
            f"downloading {path} of {place}",
            lambda: api.hf_hub_download(
                place.name, path, repo_type="dataset", revision=place.revision
            ),
        )
    return Path(copy)


def pin(place: Repository, api: HfApi, caller: Caller) -> Repository:
    """The repository at the commit that its revision is now.

    Raises:
        UserError: There is no such repository or revision.
        InfrastructureError: The Hub or the network failed in every attempt.
    """
    found = caller.call(
        f"looking for {place} (no folder here has this name)",
        lambda: api.dataset_info(place.name, revision=place.revision),
    )
    return replace(place, revision=found.sha)


def read_tree(api: HfApi, name: str, revision: str | None, kind: str) -> dict[str, RemoteFile]:
    """The files of a repository at a revision, by path; errors are those of the Hub's client."""
    from huggingface_hub.hf_api import RepoFile

    entries = api.list_repo_tree(name, recursive=True, revision=revision, repo_type=kind)
    return {
        entry.path: RemoteFile(
            entry.size, entry.lfs.sha256 if entry.lfs else entry.blob_id, entry.lfs is not None
        )
        for entry in entries
        if isinstance(entry, RepoFile)
    }
