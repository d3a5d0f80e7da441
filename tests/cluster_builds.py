"""Small builds on a Ray cluster, what they must equal, and the processes that are at work there."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from factory.files import file_sha256
from factory.manifest import read_manifest
from factory.pipeline import build
from factory.progress import SilentProgress
from factory.recipe import load_recipe
from factory.recipe_records import Inputs, Recipe

PROGRAMS = 18


def recipe() -> Recipe:
    return replace(load_recipe("tiny"), inputs=Inputs(1), seed=7, shard_programs=4)


def contents(folder: Path) -> dict[str, Any]:
    files = {str(p.relative_to(folder)): file_sha256(p) for p in folder.rglob("*.parquet")}
    manifest = {k: v for k, v in read_manifest(folder).items() if k != "environment"}
    return {**files, "drops": (folder / "drops.jsonl").read_bytes(), "manifest": manifest}


def make_with_ray(out: Path) -> None:
    build(recipe(), out, programs=PROGRAMS, workers=2, engine="ray", progress=SilentProgress())


def children() -> dict[int, list[tuple[int, bytes]]]:
    """Processes with their command lines, by their parents."""
    found: dict[int, list[tuple[int, bytes]]] = {}
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            parent = int((folder / "stat").read_text().rpartition(")")[2].split()[1])
            line = (folder / "cmdline").read_bytes()
        except OSError:
            continue
        found.setdefault(parent, []).append((int(folder.name), line))
    return found


def below(pid: int, of: dict[int, list[tuple[int, bytes]]]) -> Iterator[tuple[int, bytes]]:
    """All that descend from a process."""
    for child, line in of.get(pid, ()):
        yield child, line
        yield from below(child, of)
