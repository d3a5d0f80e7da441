"""The folder of a build: whose it is, whether it is finished, what does not belong there."""

from __future__ import annotations

import fcntl
import json
from collections.abc import Container, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from factory.checkpoints import WORK_FOLDER
from factory.errors import UserError
from factory.files import file_sha256, write_atomically
from factory.manifest import MANIFEST, describe_recipe, read_manifest
from factory.recipe_records import Recipe
from factory.table import CONFIGS
from factory.versions import Versions
from tracer.records import SCHEMA_VERSION

CLAIM = "build.json"
LOCK = "lock"


def claim_folder(out: Path, recipe: Recipe) -> None:
    """Make ``out`` the folder of builds of this recipe and seed, or see that it is already.

    Raises:
        UserError: It holds something else, or cannot be written to.
    """
    if out.exists() and not out.is_dir():
        raise UserError(f"{out}: is a file; --out takes a folder")
    owner = _owner(out)
    if owner is None and out.is_dir():
        strangers = sorted(entry.name for entry in out.iterdir() if entry.name[0] != ".")
        if strangers:
            raise UserError(
                f"{out}: not empty and not a dataset of ours ({strangers[0]}, …); "
                "give a new folder as --out"
            )
    if owner is not None and owner != (recipe.hash, recipe.seed):
        raise UserError(
            f"{out}: holds a build of recipe {owner[0]} with seed {owner[1]}, not of "
            f"{recipe.name} ({recipe.hash}) with seed {recipe.seed}; "
            "give another folder as --out, or delete this one"
        )
    claim = {"recipe_hash": recipe.hash, "seed": recipe.seed}
    try:
        write_atomically(out / WORK_FOLDER / CLAIM, json.dumps(claim).encode("ascii"))
    except OSError as error:
        raise UserError(f"{out}: cannot be written to: {error}") from error


@contextmanager
def hold_folder(out: Path) -> Iterator[None]:
    """Keep other processes from building in ``out`` at the same time.

    The lock ends with this process, however it ends.

    Raises:
        UserError: Somebody else is at it.
    """
    with (out / WORK_FOLDER / LOCK).open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise UserError(
                f"{out}: another process is building here; wait for it or give another --out"
            ) from None
        yield


def _owner(out: Path) -> tuple[str, int] | None:
    """Recipe hash and seed of what the folder holds; ``None`` when nobody claimed it."""
    if (out / MANIFEST).exists():
        manifest = read_manifest(out)
        return manifest["recipe"]["hash"], manifest["seed"]
    try:
        claim = json.loads((out / WORK_FOLDER / CLAIM).read_text("ascii"))
        return claim["recipe_hash"], claim["seed"]
    except (OSError, ValueError, KeyError):
        return None


def finished_manifest(out: Path, recipe: Recipe, versions: Versions) -> dict[str, Any] | None:
    """The manifest in ``out`` if it is of exactly this build and all its files are whole."""
    if not (out / MANIFEST).exists():
        return None
    manifest = read_manifest(out)
    there = {key: manifest["environment"]["versions"][key] for key in versions.as_dict()}
    same = (
        manifest["schema_version"] == SCHEMA_VERSION
        and manifest["recipe"] == describe_recipe(recipe)
        and there == versions.as_dict()
    )
    if same and all(
        (out / path).is_file() and file_sha256(out / path) == digest
        for path, digest in manifest["checksums"].items()
    ):
        return manifest
    return None


def remove_strangers(out: Path, paths: Container[str]) -> None:
    """Delete data files that an earlier build of this folder left and this one has not."""
    for config in CONFIGS:
        for file in sorted((out / config).iterdir()):
            if f"{config}/{file.name}" not in paths:
                file.unlink()
