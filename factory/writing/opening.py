"""Makes the model that writes programs ready for the workers of a build."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from factory.models.base import find_plan
from factory.models.sharing import ModelService, ServedModel
from factory.recipe_records import Recipe


@dataclass(frozen=True, slots=True)
class OpenedWriter:
    """What writes the programs of a build."""

    service: ModelService | None

    @property
    def address(self) -> ServedModel | None:
        """What workers take along."""
        return None if self.service is None else self.service.address

    @property
    def model(self) -> str | None:
        """Name of the model, if there is one."""
        return None if self.service is None else self.service.address.name

    @property
    def usage(self) -> dict[str, float]:
        """What the model has cost in this run."""
        return {} if self.service is None else self.service.usage


@contextmanager
def open_writer(recipe: Recipe) -> Iterator[OpenedWriter]:
    """Load the model that the recipe's key ``writer`` names, if programs are to be written.

    Raises:
        MissingExtra: The backend's libraries are not installed.
        UserError: The model cannot be loaded.
    """
    plan = find_plan(recipe.writer, recipe.models) if recipe.source.written else None
    if plan is None:
        yield OpenedWriter(None)
        return
    with ModelService(plan, "writer.model") as service:
        yield OpenedWriter(service)
