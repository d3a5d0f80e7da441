"""What is to be published: the files of a built dataset, or of a trained model."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from factory.audit import check_files
from factory.errors import UserError
from factory.files import file_sha256
from factory.load import find_shards, read_file
from factory.manifest import MANIFEST, read_manifest

CARD = "README.md"
_IMAGE = re.compile(r"!\[[^\]]*\]\(([\w./-]+)\)")
_MODEL_FILES = re.compile(r".+\.(json|jsonl|safetensors|txt|model|jinja|svg)")
"""Files of a model's folder that go with it: never checkpoints, pickles or optimiser states."""


@dataclass(frozen=True, slots=True)
class LocalFile:
    """A file to publish."""

    path: Path
    size: int
    sha256: str

    def git_id(self) -> str:
        """Git's object id of the content (SHA-1): the name of a small file on the Hub."""
        content = self.path.read_bytes()
        header = f"blob {len(content)}\0".encode("ascii")
        return hashlib.sha1(header + content, usedforsecurity=False).hexdigest()


@dataclass(frozen=True, slots=True)
class Bundle:
    """Everything that one release holds."""

    folder: Path
    kind: str
    """``dataset`` or ``model``, as the Hub calls repositories."""
    title: str
    """First line of the commit."""
    files: Mapping[str, LocalFile] = field(repr=False)
    """By path in the repository, sorted."""
    manifest: Mapping[str, Any] | None = field(default=None, repr=False)

    @property
    def description(self) -> str:
        """The rest of the commit's message."""
        if self.manifest is None:
            return ""
        return (
            f"recipe {self.manifest['recipe']['hash']}, seed {self.manifest['seed']}, "
            f"schema {self.manifest['schema_version']}, "
            f"tracefoundry {self.manifest['environment']['versions']['tracefoundry']}"
        )

    @property
    def size(self) -> int:
        """Bytes of all files."""
        return sum(file.size for file in self.files.values())


def collect(folder: Path, *, allow_unlicensed: bool = False) -> Bundle:
    """The bundle of a folder, after its files were checked.

    Args:
        folder: What ``build`` or ``train`` made.
        allow_unlicensed: Publish foreign programs of unknown licence all the same.

    Raises:
        UserError: It is neither, is unfinished, differs from its manifest, has no card, or holds
            foreign programs without a licence.
    """
    if not (folder / MANIFEST).exists() and (folder / "config.json").is_file():
        return _collect_model(folder)
    manifest = read_manifest(folder)
    problems = list(check_files(folder, manifest))
    if problems:
        more = f" (and {len(problems) - 1} more)" if len(problems) > 1 else ""
        raise UserError(
            f"{folder}: not as it was built: {problems[0].id}: {problems[0].detail}{more}; "
            "build it again"
        )
    if not allow_unlicensed:
        _require_licences(folder)
    names = [*manifest["checksums"], MANIFEST, CARD, *_images(folder)]
    title = f"{manifest['recipe']['name']}: {manifest['counts']['programs']['total']} programs"
    return Bundle(folder, "dataset", title, _files(folder, names), manifest)


def _collect_model(folder: Path) -> Bundle:
    names = [
        entry.name
        for entry in folder.iterdir()
        if entry.is_file() and _MODEL_FILES.fullmatch(entry.name) and entry.name[0] != "."
    ]
    if not any(name.endswith(".safetensors") for name in names):
        raise UserError(f"{folder}: a config.json, but no *.safetensors: no finished model")
    title = f"{folder.resolve().name}: model"
    return Bundle(folder, "model", title, _files(folder, [*names, CARD, *_images(folder)]))


def _files(folder: Path, names: list[str]) -> dict[str, LocalFile]:
    if not (folder / CARD).is_file():
        raise UserError(f"{folder}: no {CARD} here; nothing is published without its card")
    return {
        name: LocalFile(path, path.stat().st_size, file_sha256(path))
        for name in sorted(set(names))
        for path in [folder / name]
    }


def _images(folder: Path) -> Iterator[str]:
    """Pictures of the folder that its card shows."""
    card = folder / CARD
    text = card.read_text("utf-8") if card.is_file() else ""
    for name in _IMAGE.findall(text):
        if ".." not in name and (folder / name).is_file():
            yield name


def _require_licences(folder: Path) -> None:
    import pyarrow.compute as pc

    for shard in find_shards(folder):
        table = read_file(folder / shard.path("programs"), "programs")
        foreign = pc.and_(
            pc.is_null(table["licence"]), pc.not_equal(table["generator"], "template")
        )
        found = table.filter(foreign)["program_id"]
        if len(found):
            raise UserError(
                f"{folder}: program {found[0]} (and maybe more) is foreign and has no licence; "
                "name it in the recipe (licence: …) and build again, or say --allow-unlicensed"
            )
