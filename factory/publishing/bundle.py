"""What is to be published: the files of a built dataset, or of a trained model."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import cards
from factory.audit import check_files
from factory.errors import UserError
from factory.files import file_sha256
from factory.load import find_shards, read_file
from factory.manifest import MANIFEST, read_manifest
from factory.table import COLUMNS

CARD = "README.md"
MODEL_MARKS = ("config.json", "adapter_config.json")
"""One of them is in every model's folder."""
_IMAGE = re.compile(r"!\[[^\]]*\]\(([\w./-]+)\)")
_MODEL_FILES = re.compile(r".+\.(json|jsonl|safetensors|txt|model|jinja|svg)")
"""Files of a model's folder that go with it: never checkpoints, pickles or optimiser states."""


@dataclass(frozen=True, slots=True)
class LocalFile:
    """A file to publish."""

    source: Path | bytes = field(repr=False)
    """Where it is, or what it holds."""
    size: int
    sha256: str

    def read(self) -> bytes:
        """What it holds."""
        return self.source if isinstance(self.source, bytes) else self.source.read_bytes()

    def git_id(self) -> str:
        """Git's object id of the content (SHA-1): the name of a small file on the Hub."""
        content = self.read()
        header = f"blob {len(content)}\0".encode("ascii")
        return hashlib.sha1(header + content, usedforsecurity=False).hexdigest()


@dataclass(frozen=True, slots=True)
class Address:
    """Where a card says that its release is; nowhere, for a folder."""

    repository: str | None = None
    """``owner/name`` on the Hub."""
    tag: str | None = None


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


def collect(
    folder: Path, address: Address | None = None, *, allow_unlicensed: bool = False
) -> Bundle:
    """The bundle of a folder, after its files were checked.

    The card is rendered anew from its record, so that its examples name the repository and tag.

    Args:
        folder: What ``build`` or ``train`` made.
        address: Where it goes.
        allow_unlicensed: Publish foreign programs of unknown licence all the same.

    Raises:
        UserError: It is neither, is unfinished, differs from its manifest, has no card, or holds
            foreign programs without a licence.
    """
    address = address or Address()
    if not (folder / MANIFEST).exists() and any((folder / mark).is_file() for mark in MODEL_MARKS):
        return _collect_model(folder, address)
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
    card = _rendered(folder, manifest, address)
    title = f"{manifest['recipe']['name']}: {manifest['counts']['programs']['total']} programs"
    files = _files(folder, [*manifest["checksums"], MANIFEST], card)
    return Bundle(folder, "dataset", title, files, manifest)


def _rendered(folder: Path, manifest: Mapping[str, Any], address: Address) -> dict[str, bytes]:
    from jinja2 import UndefinedError

    try:
        return cards.card_files(manifest, COLUMNS, address.repository, address.tag)
    except (UndefinedError, KeyError, TypeError) as error:
        raise UserError(
            f"{folder / MANIFEST}: no card can be made of it ({error}); build it again"
        ) from error


def _collect_model(folder: Path, address: Address) -> Bundle:
    names = {
        entry.name
        for entry in folder.iterdir()
        if entry.is_file() and _MODEL_FILES.fullmatch(entry.name) and entry.name[0] != "."
    }
    if not any(name.endswith(".safetensors") for name in names):
        raise UserError(
            f"{folder}: a model's configuration, but no *.safetensors: no finished model"
        )
    title = f"{folder.resolve().name}: model"
    if cards.RECORD in names:
        return Bundle(folder, "model", title, _files(folder, names, _model_card(folder, address)))
    if not (folder / CARD).is_file():
        raise UserError(f"{folder}: no {CARD} here; nothing is published without its card")
    return Bundle(folder, "model", title, _files(folder, names | {CARD, *_images(folder)}, {}))


def _model_card(folder: Path, address: Address) -> dict[str, bytes]:
    """The card of a model that ``train`` made, with the results of ``eval`` where there are any."""
    path = folder / cards.RECORD
    try:
        record = cards.parse_record(path.read_bytes())
    except ValueError as error:
        raise UserError(f"{path}: not the record of a training run: {error}") from error
    record = replace(record, name=address.repository or folder.resolve().name)
    results = _results(folder, cards.EVALUATED)
    if results is not None:
        path = folder / cards.EVALUATED / cards.RESULTS
        try:
            evaluations = cards.parse_results(results, _results(folder, cards.BASE_EVALUATED))
        except ValueError as error:
            raise UserError(f"{path} (or that of {cards.BASE_EVALUATED}): {error}") from error
        record = replace(record, evaluations=evaluations)
    return cards.model_files(record) | {cards.RECORD: cards.record_text(record).encode("utf-8")}


def _results(folder: Path, evaluated: str) -> bytes | None:
    path = folder / evaluated / cards.RESULTS
    return path.read_bytes() if path.is_file() else None


def _files(folder: Path, names: Iterable[str], made: Mapping[str, bytes]) -> dict[str, LocalFile]:
    """The named files of a folder, and those made for this release, which win."""
    found = {
        name: LocalFile(path, path.stat().st_size, file_sha256(path))
        for name in names
        for path in [folder / name]
    }
    for name, content in made.items():
        found[name] = LocalFile(content, len(content), hashlib.sha256(content).hexdigest())
    return dict(sorted(found.items()))


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
