"""Checks a dataset folder: every row is made again, every file and number compared."""

from __future__ import annotations

import json
import random
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from factory.audit_groups import (
    LooseProblem,
    Problem,
    ProgramRows,
    by_program,
    loose_problems,
)
from factory.audit_rows import AuditJob, read_problems
from factory.engine import LocalEngine
from factory.errors import UserError
from factory.files import file_sha256
from factory.load import Shard, find_shards, read_file
from factory.manifest import (
    DROPS,
    canary,
    make_difficulty,
    make_grid,
    read_manifest,
    recipe_of,
)
from factory.progress import Progress
from factory.recipe_records import Recipe
from factory.rows import Context, Row
from factory.table import CONFIGS
from factory.tally import Tally
from factory.versions import Versions, current_versions
from tracer.records import SCHEMA_VERSION

BATCH_PROGRAMS = 8
SAMPLE_SEED = "audit"

__all__ = ["AuditReport", "Problem", "audit"]


@dataclass(frozen=True, slots=True)
class AuditReport:
    """What an audit found."""

    path: Path
    programs: int
    """Programs run again, with all their traces and questions."""
    traces: int
    questions: int
    problems: tuple[Problem, ...]
    """Rows that do not reproduce; files and manifest keys that do not fit."""
    changed: tuple[Problem, ...]
    """Rows that differ although nothing is wrong with them: see ``differences``."""
    differences: tuple[str, ...]
    """How what made the data differs from what audits them: Python, release, schema."""
    seconds: float

    @property
    def ok(self) -> bool:
        """Whether every row that was looked at reproduces, and everything else fits."""
        return not self.problems and not self.changed and self.comparable

    @property
    def comparable(self) -> bool:
        """Whether the data have this release's schema; if not, nothing was run."""
        return not any(text.startswith("schema") for text in self.differences)


@dataclass(slots=True)
class _Findings:
    """What is gathered while the shards are read."""

    problems: list[Problem] = field(default_factory=list)
    rows: list[Problem] = field(default_factory=list)
    seen: set[str] = field(default_factory=set)
    checked: Counter[str] = field(default_factory=Counter)


def audit(
    path: Path, sample: int | None = None, progress: Progress | None = None, *, workers: int = 1
) -> AuditReport:
    """Run every program of a dataset folder again and compare every value of every config.

    Args:
        path: Folder with ``manifest.json``.
        sample: Number of programs to run again, chosen the same way each time; ``None``: all.
            Files, counts and ids are always checked.
        progress: Told of checked programs.
        workers: Processes that run programs.

    Raises:
        UserError: There is no dataset in the folder.
        InfrastructureError: Sandbox or workers failed again and again.
    """
    clock = time.monotonic()
    manifest = read_manifest(path)
    differences = tuple(find_differences(manifest))
    findings = _Findings()
    if manifest["schema_version"] == SCHEMA_VERSION:
        recipe = recipe_of(manifest, f"{path / 'manifest.json'}: recipe")
        versions = Versions(
            **{
                key: manifest["environment"]["versions"][key]
                for key in current_versions().as_dict()
            }
        )
        findings.problems.extend(check_files(path, manifest))
        tally = Tally()
        chosen = _choose(manifest["counts"]["programs"]["total"], sample)
        busy = max(1, min(workers, -(-len(chosen) // BATCH_PROGRAMS)))
        context = Context(recipe, versions, manifest["difficulty"].get("model"))
        with LocalEngine(AuditJob(context), busy) as engine:
            batches = _batches(path, tally, findings, chosen)
            _run(engine, batches, findings, progress, len(chosen))
        findings.problems.extend(check_manifest(path, manifest, recipe, tally))
    return AuditReport(
        path=path,
        programs=findings.checked["programs"],
        traces=findings.checked["traces"],
        questions=findings.checked["questions"],
        problems=(*findings.problems, *(() if differences else findings.rows)),
        changed=tuple(findings.rows) if differences else (),
        differences=differences,
        seconds=time.monotonic() - clock,
    )


def find_differences(manifest: dict[str, Any]) -> Iterator[str]:
    """How the data's maker differs from this process in what decides rows."""
    if manifest["schema_version"] != SCHEMA_VERSION:
        yield (
            f"schema {manifest['schema_version']}, this release reads {SCHEMA_VERSION}: "
            f"audit it with tracefoundry {manifest['environment']['versions']['tracefoundry']}"
        )
    here = current_versions().as_dict()
    made = manifest["environment"]["versions"]
    for key, name in (("python", "Python"), ("tracefoundry", "tracefoundry")):
        if made[key] != here[key]:
            yield f"made with {name} {made[key]}, audited with {here[key]}: rows may differ"


def check_files(path: Path, manifest: dict[str, Any]) -> Iterator[Problem]:
    """Files that are missing, changed, or not of this dataset."""
    for name, digest in manifest["checksums"].items():
        if not (path / name).is_file():
            yield Problem("file", name, "", "missing")
        elif file_sha256(path / name) != digest:
            yield Problem("file", name, "", "its bytes are not those of the manifest's checksum")
    for config in CONFIGS:
        for file in sorted((path / config).glob("*.parquet")):
            if f"{config}/{file.name}" not in manifest["checksums"]:
                yield Problem("file", f"{config}/{file.name}", "", "the manifest does not know it")


def check_manifest(
    path: Path, manifest: dict[str, Any], recipe: Recipe, tally: Tally
) -> Iterator[Problem]:
    """Numbers and texts of the manifest that do not follow from the files."""
    found = {
        "counts": tally.counts(),
        "drops": count_drops(path / DROPS),
        "grid": make_grid(recipe, tally),
        "difficulty": make_difficulty(tally, manifest["difficulty"].get("model")),
        "canary": canary(recipe),
    }
    for key, value in found.items():
        if manifest[key] != value:
            yield Problem("manifest", key, "", "not what the files give")
    if manifest["recipe"]["hash"] != recipe.hash:
        yield Problem("manifest", "recipe", "hash", "not the hash of the recipe's contents")


def count_drops(path: Path) -> dict[str, dict[str, int]] | None:
    """Lines of ``drops.jsonl`` by stage and reason; ``None`` when it cannot be read."""
    drops: dict[str, dict[str, int]] = {}
    try:
        for line in path.read_text("ascii").splitlines():
            drop = json.loads(line)
            of_stage = drops.setdefault(drop["stage"], {})
            of_stage[drop["reason"]] = of_stage.get(drop["reason"], 0) + 1
    except (OSError, ValueError, KeyError, TypeError):
        return None
    return drops


def _choose(total: int, sample: int | None) -> frozenset[int]:
    """Numbers of the programs to run again, in file order."""
    if sample is None or sample >= total:
        return frozenset(range(total))
    return frozenset(random.Random(SAMPLE_SEED).sample(range(total), sample))


def _batches(
    path: Path, tally: Tally, findings: _Findings, chosen: frozenset[int]
) -> Iterator[Sequence[ProgramRows | LooseProblem]]:
    """The chosen programs with their rows; everything is counted on the way."""
    batch: list[ProgramRows | LooseProblem] = []
    number = 0
    for shard in find_shards(path):
        tables = _read_shard(path, shard, findings)
        if tables is None:
            continue
        for config in CONFIGS:
            tally.count(config, tables[config])
        for rows in by_program(shard.split, shard.path, tables, findings.rows, findings.seen):
            if number in chosen:
                batch.append(rows)
            number += 1
            if len(batch) == BATCH_PROGRAMS:
                yield batch
                batch = []
        loose = loose_problems(tables["problems"])
        for start in range(0, len(loose), BATCH_PROGRAMS):
            yield loose[start : start + BATCH_PROGRAMS]
    if batch:
        yield batch


def _read_shard(path: Path, shard: Shard, findings: _Findings) -> dict[str, list[Row]] | None:
    try:
        return {
            config: read_file(path / shard.path(config), config).to_pylist() for config in CONFIGS
        }
    except UserError as error:
        findings.problems.append(Problem("file", shard.path("*"), "", error.message))
        return None


def _run(
    engine: LocalEngine,
    batches: Iterable[Sequence[ProgramRows | LooseProblem]],
    findings: _Findings,
    progress: Progress | None,
    total: int,
) -> None:
    """Check batches, a few ahead of the results."""
    found: dict[int, tuple[Problem, ...]] = {}
    sizes: dict[int, int] = {}
    done = 0
    for index, batch in enumerate(batches):
        engine.submit(index, tuple(batch))
        sizes[index] = len(batch)
        findings.checked["programs"] += sum(isinstance(rows, ProgramRows) for rows in batch)
        findings.checked["traces"] += sum(len(rows.traces) for rows in batch)
        findings.checked["questions"] += sum(len(rows.questions) for rows in batch)
        if len(sizes) > 2 * engine.workers:
            done += _take(engine, found, sizes, progress, done, total)
    while sizes:
        done += _take(engine, found, sizes, progress, done, total)
    for index in sorted(found):
        findings.rows.extend(found[index])


def _take(
    engine: LocalEngine,
    found: dict[int, tuple[Problem, ...]],
    sizes: dict[int, int],
    progress: Progress | None,
    done: int,
    total: int,
) -> int:
    """Take one result; the number of programs in it."""
    index, content = engine.take()
    found[index] = read_problems(content)
    size = sizes.pop(index)
    if progress is not None:
        progress.advance("audit", done + size, max(total, done + size))
    return size
