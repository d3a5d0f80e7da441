"""Publishing into a folder of this machine: a copy that appears as a whole."""

from __future__ import annotations

import shutil
from pathlib import Path

from factory.errors import UserError
from factory.files import file_sha256
from factory.hub.download import RemoteFile
from factory.manifest import MANIFEST
from factory.progress import Progress
from factory.publishing.bundle import MODEL_MARKS, Address, Bundle
from factory.publishing.plan import Plan, compare
from factory.publishing.sent import Sent


class FolderDestination:
    """A folder that holds a release, or does not exist yet.

    The copy is made beside it and then takes its place; between the two renames an interruption
    leaves the earlier release as ``.NAME.old``, which the next run puts back.
    """

    def __init__(self, folder: Path, progress: Progress) -> None:
        self._folder = folder.absolute()
        self._progress = progress
        self.url = str(self._folder)
        self.address = Address()

    def look(self, bundle: Bundle) -> tuple[Plan, Sent | None]:
        """What the folder lacks.

        Raises:
            UserError: The folder holds something that is no release, or is the bundle's own.
        """
        folder = self._folder
        if not folder.exists() and self._beside("old").exists():
            self._beside("old").rename(folder)
        if folder.exists() and not folder.is_dir():
            raise UserError(f"{folder}: is a file, not a folder")
        if folder.is_dir() and folder.samefile(bundle.folder):
            raise UserError(f"{folder}: is the folder that is to be published; give another")
        marks = (MANIFEST,) if bundle.kind == "dataset" else MODEL_MARKS
        ours = any((folder / mark).is_file() for mark in marks)
        if folder.is_dir() and any(folder.iterdir()) and not ours:
            raise UserError(f"{folder}: not empty and no release of ours; give a new folder")
        plan = self._compare(bundle)
        return plan, Sent() if plan.empty else None

    def open(self) -> None:
        """Nothing is needed beforehand."""

    def send(self, bundle: Bundle) -> Sent:
        """Copy everything, and let it take the folder's place.

        Raises:
            OSError: The disk is full, or the place cannot be written to.
        """
        new, old = self._beside("new"), self._beside("old")
        plan = self._compare(bundle)
        for left in (new, old):
            shutil.rmtree(left, ignore_errors=True)
        new.parent.mkdir(parents=True, exist_ok=True)
        if self._folder.exists():
            gone = {self._folder / path for path in (*plan.deleted, *bundle.files)}

            def leave_out(folder: str, names: list[str]) -> list[str]:
                return [name for name in names if Path(folder, name) in gone]

            shutil.copytree(self._folder, new, ignore=leave_out)
        for done, (path, file) in enumerate(bundle.files.items(), 1):
            (new / path).parent.mkdir(parents=True, exist_ok=True)
            if isinstance(file.source, bytes):
                (new / path).write_bytes(file.source)
            else:
                shutil.copyfile(file.source, new / path)
            self._progress.advance("files", done, len(bundle.files))
        if self._folder.exists():
            self._folder.rename(old)
        new.rename(self._folder)
        shutil.rmtree(old, ignore_errors=True)
        return Sent()

    def _compare(self, bundle: Bundle) -> Plan:
        there = {
            file.relative_to(self._folder).as_posix(): RemoteFile(
                file.stat().st_size, file_sha256(file), large=True
            )
            for file in sorted(self._folder.rglob("*"))
            if file.is_file()
        }
        manifest = self._folder / MANIFEST
        return compare(bundle, there, manifest.read_bytes() if manifest.is_file() else None)

    def _beside(self, suffix: str) -> Path:
        return self._folder.with_name(f".{self._folder.name}.{suffix}")
