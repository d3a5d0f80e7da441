"""Finished units of work on disk, so that a killed build goes on where it was.

A unit's file is named after everything that decides its content: recipe, seed, source file,
benchmarks, versions and the code of this package itself.  A file that is there is whole.
"""

from __future__ import annotations

import hashlib
import shutil
from collections.abc import Sequence
from functools import cache
from pathlib import Path

import factory
import tracer
from factory.files import file_sha256, write_atomically
from factory.identity import content_id
from factory.recipe_records import Recipe
from factory.versions import Versions

WORK_FOLDER = ".work"


class Checkpoints:
    """The finished units of one build."""

    def __init__(
        self, out: Path, recipe: Recipe, versions: Versions, benchmarks: Sequence[str] = ()
    ) -> None:
        """Find them, if there are some.

        Args:
            out: Folder of the build.
            recipe: What is built.
            versions: What it is built with.
            benchmarks: Digests of the benchmarks whose programs are kept out.
        """
        self.folder = out / WORK_FOLDER
        source = recipe.source.path
        self._units = self.folder / content_id(
            [
                recipe.hash,
                recipe.seed,
                file_sha256(Path(source)) if source else None,
                list(benchmarks),
                versions.as_dict(),
                _code_hash(),
            ]
        )

    def has(self, index: int) -> bool:
        """Whether the unit is finished."""
        return self._path(index).is_file()

    def count(self) -> int:
        """How many units are finished."""
        return sum(1 for _ in self._units.glob("unit-*.json.gz"))

    def load(self, index: int) -> bytes:
        """What :meth:`save` was given."""
        return self._path(index).read_bytes()

    def save(self, index: int, content: bytes) -> None:
        """Keep a finished unit, whole or not at all."""
        write_atomically(self._path(index), content)

    def remove(self) -> None:
        """Forget all units, those of other versions included."""
        shutil.rmtree(self.folder, ignore_errors=True)

    def _path(self, index: int) -> Path:
        return self._units / f"unit-{index:06d}.json.gz"


@cache
def _code_hash() -> str:
    """Hash of this package's own code, which decides what a unit holds."""
    digest = hashlib.sha256()
    for package in (factory, tracer):
        folder = Path(package.__file__ or "").parent
        for path in sorted(folder.rglob("*.py")):
            digest.update(f"{path.relative_to(folder)}\n".encode())
            digest.update(path.read_bytes())
    return digest.hexdigest()
