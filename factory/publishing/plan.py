"""What publishing would change: new, changed, same and deleted files."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass

from factory.hub.download import RemoteFile
from factory.publishing.bundle import Bundle, LocalFile
from factory.recipe_records import SPLITS
from factory.table import CONFIGS

_OURS = {
    "dataset": re.compile(
        rf"({'|'.join(CONFIGS)})/({'|'.join(SPLITS)})-\d{{5}}\.parquet|plots/[\w-]+\.svg"
    ),
    "model": re.compile(r"[\w.-]+\.safetensors(\.index\.json)?|plots/[\w-]+\.svg"),
}
"""Files that a release brings, by kind: those of an earlier one do not stay beside it."""


@dataclass(frozen=True, slots=True)
class Plan:
    """Paths in the repository, sorted."""

    new: tuple[str, ...]
    changed: tuple[str, ...]
    same: tuple[str, ...]
    deleted: tuple[str, ...]
    """Files of an earlier release that this one lacks; others are left alone."""

    @property
    def empty(self) -> bool:
        """Whether everything is there already."""
        return not (self.new or self.changed or self.deleted)

    @property
    def sent(self) -> tuple[str, ...]:
        """Files that go over the network."""
        return (*self.new, *self.changed)


def compare(
    bundle: Bundle, there: Mapping[str, RemoteFile], old_manifest: bytes | None = None
) -> Plan:
    """What has to change so that the place holds the bundle.

    Args:
        bundle: What is to be published.
        there: What the place holds.
        old_manifest: Content of its ``manifest.json``: names the files of the earlier release.
    """
    new, changed, same = [], [], []
    for path, file in bundle.files.items():
        if path not in there:
            new.append(path)
        elif is_same(file, there[path]):
            same.append(path)
        else:
            changed.append(path)
    earlier = _named_files(old_manifest)
    deleted = [
        path
        for path in sorted(there)
        if path not in bundle.files and (path in earlier or _OURS[bundle.kind].fullmatch(path))
    ]
    return Plan(tuple(new), tuple(changed), tuple(same), tuple(deleted))


def is_same(file: LocalFile, other: RemoteFile) -> bool:
    """Whether a file there has the content of one here."""
    if file.size != other.size:
        return False
    return other.digest == (file.sha256 if other.large else file.git_id())


def _named_files(manifest: bytes | None) -> frozenset[str]:
    try:
        return frozenset(json.loads(manifest or b"{}")["checksums"])
    except (ValueError, KeyError, TypeError):
        return frozenset()
