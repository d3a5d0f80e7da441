"""Makes the model that writes programs ready for the workers of a build."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from factory.models.base import find_plan
from factory.models.sharing import ModelAddress, ModelService, OwnModel
from factory.recipe_records import Recipe

WHERE = "writer.model"


IN_PROCESS = ("vllm", "transformers")
"""Backends that take GPUs of the process that has the model."""


@dataclass(frozen=True, slots=True)
class OpenedWriter:
    """What writes the programs of a build."""

    address: ModelAddress | None = None
    """What workers take along; ``None``: nothing writes."""
    model: str | None = None
    """Name of the model; of one that every worker opens itself, as the recipe has it."""
    service: ModelService | None = None
    """What serves the model here."""
    gpus: float = 0.0
    """GPUs that a worker needs to open the model itself."""

    @property
    def usage(self) -> dict[str, float]:
        """What the model has cost in this run, as far as it is here."""
        return {} if self.service is None else self.service.usage


@contextmanager
def open_writer(recipe: Recipe, *, shared: bool) -> Iterator[OpenedWriter]:
    """Make the model ready that the recipe's key ``writer`` names, if programs are to be written.

    Args:
        recipe: Names it.
        shared: Whether all workers are on this machine and share one model; else each opens it.

    Raises:
        MissingExtra: The backend's libraries are not installed.
        UserError: The model cannot be loaded.
    """
    plan = find_plan(recipe.writer, recipe.models) if recipe.source.written else None
    if plan is None:
        yield OpenedWriter()
    elif shared:
        with ModelService(plan, WHERE) as service:
            yield OpenedWriter(service.address, service.address.name, service)
    else:
        parallel = float((plan.settings or {}).get("tensor_parallel") or 1)
        gpus = parallel if plan.backend in IN_PROCESS else 0.0
        yield OpenedWriter(OwnModel(plan, WHERE), plan.model, gpus=gpus)
