"""``manifest.json``: what a dataset is, what was left out, and how to check it.

Everything outside ``environment`` is the same for the same recipe, seed and Python minor version.
"""

from __future__ import annotations

import json
import platform
import uuid
from collections.abc import Mapping
from dataclasses import asdict
from importlib import metadata
from pathlib import Path
from typing import Any

from factory.coverage import describe_coverage
from factory.decontamination import digest_benchmarks
from factory.errors import UserError
from factory.files import file_sha256, write_atomically
from factory.recipe import recipe_from_contents
from factory.recipe_records import Recipe
from factory.table import CONFIGS
from factory.tally import Tally
from factory.versions import Versions
from tracer.records import SCHEMA_VERSION

MANIFEST = "manifest.json"
DROPS = "drops.jsonl"
KEYS = (
    "schema_version",
    "recipe",
    "seed",
    "counts",
    "sizes",
    "drops",
    "grid",
    "writing",
    "diversity",
    "difficulty",
    "decontamination",
    "shortcuts",
    "checksums",
    "canary",
    "environment",
)
NOT_RUN = {"status": "not_run"}
_EXTRA_KEYS = ("name", "hash", "programs", "source_sha256", "benchmarks_sha256")
"""Keys of ``recipe`` beside the recipe's own contents."""


def make_manifest(
    recipe: Recipe,
    tally: Tally,
    drops: Mapping[str, Mapping[str, int]],
    decontamination: Mapping[str, Any],
    checksums: Mapping[str, str],
    environment: Mapping[str, Any],
    shortcuts: Mapping[str, Any] = NOT_RUN,
    model: str | None = None,
    writing: Mapping[str, Any] = NOT_RUN,
) -> dict[str, Any]:
    """The manifest of a finished build; ``model`` measured the difficulty, if any did."""
    return {
        "schema_version": SCHEMA_VERSION,
        "recipe": describe_recipe(recipe),
        "seed": recipe.seed,
        "counts": tally.counts(),
        "sizes": tally.sizes(),
        "drops": {stage: dict(sorted(drops[stage].items())) for stage in sorted(drops)},
        "grid": make_grid(recipe, tally),
        "writing": dict(writing),
        "diversity": tally.diversity.report(),
        "difficulty": make_difficulty(tally, model),
        "decontamination": dict(decontamination),
        "shortcuts": dict(shortcuts),
        "checksums": dict(sorted(checksums.items())),
        "canary": canary(recipe),
        "environment": dict(environment),
    }


def describe_recipe(recipe: Recipe) -> dict[str, Any]:
    """The recipe as the manifest holds it: its contents, name, hash, number and files' digests.

    In JSON's own types, so that it compares equal to what a manifest is read back as.
    """
    source = recipe.source.path
    described = {
        "name": recipe.name,
        "hash": recipe.hash,
        "programs": recipe.programs,
        "source_sha256": file_sha256(Path(source)) if source else None,
        "benchmarks_sha256": digest_benchmarks(recipe.decontamination),
        **recipe.contents(),
    }
    restored: dict[str, Any] = json.loads(json.dumps(described))
    return restored


def recipe_of(manifest: Mapping[str, Any], where: str) -> Recipe:
    """The recipe that a manifest describes.

    Raises:
        RecipeError: It is not a recipe of this version.
    """
    contents = {key: value for key, value in manifest["recipe"].items() if key not in _EXTRA_KEYS}
    return recipe_from_contents(contents, where=where, seed=manifest["seed"])


def canary(recipe: Recipe) -> str:
    """A line to search training data for; the same for every build of a recipe and seed."""
    name = f"tracefoundry/{recipe.hash}/{recipe.seed}"
    return f"tracefoundry canary GUID {uuid.uuid5(uuid.NAMESPACE_URL, name)}"


def make_grid(recipe: Recipe, tally: Tally) -> dict[str, Any]:
    """The manifest's ``grid``: which cells the recipe asks for and how they are filled."""
    if not recipe.source.drawn:
        return describe_coverage((), {}, ())
    from factory.grid import impossible_cells
    from factory.sources.templates import is_selected, selected_cells

    chosen = [cell for cell, _ in impossible_cells() if is_selected(cell, recipe.grid)]
    return describe_coverage(selected_cells(recipe.grid), tally.cells, chosen)


def make_difficulty(tally: Tally, model: str | None) -> dict[str, Any]:
    """The manifest's ``difficulty``: which model answered, and how many questions by passes."""
    if model is None:
        return dict(NOT_RUN)
    passes = {str(number): tally.passes[number] for number in sorted(tally.passes)}
    return {
        "status": "measured",
        "model": model,
        "questions": tally.passes.total(),
        "by_passes": passes,
    }


def describe_environment(
    versions: Versions,
    engine: str,
    workers: int,
    started: str,
    seconds: float,
    unmeasured: str | None = None,
    usage: Mapping[str, Mapping[str, float]] | None = None,
) -> dict[str, Any]:
    """Where and how a build ran: nothing here decides a row beside ``versions``.

    ``unmeasured`` says why a recipe that wants the difficulty measured got none; ``usage`` what
    models cost in this run, by their names.
    """
    from tracer.containment import probe_containment

    return {
        "versions": {
            **versions.as_dict(),
            "datasets": metadata.version("datasets"),
            "pyarrow": metadata.version("pyarrow"),
        },
        "python": platform.python_version(),
        "platform": f"{platform.system()} {platform.machine()}",
        "containment": asdict(probe_containment()),
        "engine": {"name": engine, "workers": workers},
        "started": started,
        "seconds": round(seconds, 2),
        "difficulty": unmeasured,
        "models": dict(usage or {}),
    }


def write_manifest(folder: Path, manifest: Mapping[str, Any]) -> None:
    """Write the manifest: the last file of a build."""
    text = json.dumps(manifest, indent=2, ensure_ascii=True)
    write_atomically(folder / MANIFEST, f"{text}\n".encode("ascii"))


def read_manifest(folder: Path) -> dict[str, Any]:
    """The manifest of a dataset folder.

    Raises:
        UserError: There is none, or it is broken.
    """
    path = folder / MANIFEST
    if not folder.is_dir():
        raise UserError(f"{folder}: no such folder")
    if not path.is_file():
        raise UserError(
            f"{folder}: no {MANIFEST} here, so no finished dataset; "
            "an interrupted build goes on when its command is run again"
        )
    try:
        manifest = json.loads(path.read_text("utf-8"))
    except (OSError, ValueError) as error:
        raise UserError(f"{path}: cannot be read: {error}") from error
    missing = _missing(manifest)
    if missing:
        raise UserError(f"{path}: not a manifest of ours: no key {', '.join(missing)}")
    return dict(manifest)


def _missing(manifest: Any) -> list[str]:
    """Dotted keys that every manifest has and this one has not."""
    needed = [
        *KEYS,
        *(f"counts.{config}.total" for config in CONFIGS),
        *(f"environment.versions.{name}" for name in Versions.__slots__),
        "recipe.hash",
    ]
    return [key for key in needed if not _holds(manifest, key.split("."))]


def _holds(place: Any, path: list[str]) -> bool:
    for key in path:
        if not isinstance(place, dict) or key not in place:
            return False
        place = place[key]
    return True
