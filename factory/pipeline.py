"""The stages in order: draws or rows -> executed examples -> rows -> shards and manifest."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import cards
from factory.checkpoints import Checkpoints
from factory.decontamination import digest_benchmarks, read_index
from factory.difficulty.measuring import Measurer
from factory.difficulty.opening import open_measurer
from factory.drafting import BuildJob
from factory.engine import Engine
from factory.engines import DEFAULT_ENGINE, check_engine, open_engine, open_models
from factory.entries import read_unit
from factory.errors import UserError
from factory.files import file_sha256, replacing, write_atomically
from factory.manifest import (
    DROPS,
    MANIFEST,
    NOT_RUN,
    describe_environment,
    make_manifest,
    write_manifest,
)
from factory.merging import Merger
from factory.output_folder import (
    claim_folder,
    finished_manifest,
    hold_folder,
    remove_strangers,
)
from factory.progress import Progress
from factory.recipe_records import Recipe
from factory.rows import Context
from factory.sources.units import check_source, units
from factory.table import COLUMNS
from factory.teaching.opening import Staff, open_staff
from factory.versions import current_versions
from factory.writing.opening import find_writer

DEFAULT_PROGRAMS = 100


@dataclass(frozen=True, slots=True)
class BuildReport:
    """What a build made."""

    out: Path
    manifest: dict[str, Any]
    seconds: float
    reused: bool
    """Whether the folder already held exactly this build, so that nothing was done."""
    resumed_units: int
    """Units of work that an interrupted run had left."""

    @property
    def programs(self) -> int:
        """Programs in the dataset."""
        return int(self.manifest["counts"]["programs"]["total"])

    @property
    def dropped(self) -> int:
        """Everything that was left out."""
        return sum(sum(reasons.values()) for reasons in self.manifest["drops"].values())


def build(
    recipe: Recipe,
    out: Path,
    *,
    programs: int | None = None,
    seed: int | None = None,
    workers: int = 1,
    engine: str = DEFAULT_ENGINE,
    progress: Progress,
) -> BuildReport:
    """Build the dataset of ``recipe`` in the folder ``out``, or go on with an interrupted build.

    The files depend on recipe, seed, number of programs and Python minor version alone.

    Args:
        recipe: What to build.
        out: Folder for the dataset; made when it is not there.
        programs: Programs to accept (rows to read of a file) instead of the recipe's number.
        seed: Instead of the recipe's.
        workers: Processes that run programs.
        engine: One of :data:`factory.engines.ENGINES`.
        progress: Told of finished programs.

    Raises:
        UserError: The folder holds something else, or the source cannot be read.
        InfrastructureError: Sandbox or workers failed again and again; run it again to go on.
    """
    if workers < 1:
        raise UserError(f"workers must be at least 1, not {workers}")
    check_engine(engine)
    recipe = _settled(recipe, programs, seed)
    check_source(recipe)
    digest_benchmarks(recipe.decontamination)
    claim_folder(out, recipe)
    with hold_folder(out):
        return _build(recipe, out, workers, engine, progress)


def _build(
    recipe: Recipe, out: Path, workers: int, engine_name: str, progress: Progress
) -> BuildReport:
    """Build in a folder that is ours."""
    started, clock = datetime.now(UTC), time.monotonic()
    versions = current_versions()
    benchmarks = digest_benchmarks(recipe.decontamination)
    checkpoints = Checkpoints(out, recipe, versions, benchmarks)
    finished = finished_manifest(out, recipe, versions)
    if finished is not None:
        checkpoints.remove()
        return BuildReport(out, finished, 0.0, reused=True, resumed_units=0)
    (out / MANIFEST).unlink(missing_ok=True)
    resumed = checkpoints.count()
    index = read_index(recipe.decontamination)
    with (
        open_models(engine_name, workers) as models,
        open_measurer(recipe, models) as opened,
        open_staff(recipe, models) as staff,
    ):
        writer = find_writer(recipe, models)
        job = BuildJob(Context(recipe, versions), index, writer)
        with open_engine(engine_name, job, workers) as engine:
            merger = _merge(recipe, out, engine, checkpoints, progress, opened.measurer, staff)
    checksums = {path: file_sha256(out / path) for path in (*merger.written, DROPS)}
    seconds = time.monotonic() - clock
    environment = describe_environment(
        versions,
        engine_name,
        workers,
        started.isoformat(timespec="seconds"),
        seconds,
        opened.unmeasured,
        models.usage,
    )
    decontamination = NOT_RUN if index is None else index.report(merger.hits)
    manifest = make_manifest(
        recipe,
        merger.tally,
        merger.drops,
        decontamination,
        checksums,
        environment,
        merger.shortcuts.report(),
        opened.model,
        merger.writing.report(None if writer is None else writer.name),
    )
    for path, content in cards.card_files(manifest, COLUMNS).items():
        write_atomically(out / path, content)
    remove_strangers(out, checksums)
    write_manifest(out, manifest)
    checkpoints.remove()
    return BuildReport(out, manifest, seconds, reused=False, resumed_units=resumed)


def _settled(recipe: Recipe, programs: int | None, seed: int | None) -> Recipe:
    number = recipe.programs if programs is None else programs
    if number is None and recipe.source.drawn:
        number = full_grid(recipe) or DEFAULT_PROGRAMS
    try:
        return replace(recipe, programs=number, seed=recipe.seed if seed is None else seed)
    except ValueError as error:
        raise UserError(str(error)) from error


def full_grid(recipe: Recipe) -> int | None:
    """Programs of a grid whose cells all have as many as the recipe allows."""
    if recipe.grid.per_cell is None:
        return None
    from factory.sources.templates import selected_cells

    return recipe.grid.per_cell * len(selected_cells(recipe.grid))


def _merge(
    recipe: Recipe,
    out: Path,
    engine: Engine,
    checkpoints: Checkpoints,
    progress: Progress,
    measurer: Measurer | None,
    staff: Staff,
) -> Merger:
    """Take the units in order and write shards and drops."""
    stage = "programs" if recipe.source.drawn else "rows"
    with (
        replacing(out / DROPS) as path,
        path.open("w", encoding="ascii") as file,
        Merger(recipe, out, file, measurer, staff) as merger,
    ):
        for content in _in_order(recipe, engine, checkpoints, merger):
            merger.add(read_unit(content))
            progress.advance(stage, merger.progress, recipe.programs)
            if merger.done:
                break
        merger.close()
    return merger


def _in_order(
    recipe: Recipe, engine: Engine, checkpoints: Checkpoints, merger: Merger
) -> Iterator[bytes]:
    """Contents of the units in order; a few units ahead of the merger are under way."""
    coming = units(recipe, recipe.programs)
    under_way: deque[int] = deque()
    while True:
        ahead = min(engine.ahead * engine.workers, merger.units_wanted)
        while len(under_way) < max(1, ahead) and (unit := next(coming, None)) is not None:
            if not checkpoints.has(unit.index):
                engine.submit(unit.index, unit)
            under_way.append(unit.index)
        if not under_way:
            return
        while not checkpoints.has(under_way[0]):
            checkpoints.save(*engine.take())
        yield checkpoints.load(under_way.popleft())
