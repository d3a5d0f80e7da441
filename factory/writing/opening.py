"""Makes the model that writes programs ready for the workers of a build."""

from __future__ import annotations

from factory.models.base import find_plan
from factory.models.sharing import ModelAddress, Models
from factory.recipe_records import Recipe


def find_writer(recipe: Recipe, models: Models) -> ModelAddress | None:
    """The model that the recipe's key ``writer`` names; ``None`` when no program is written.

    Raises:
        MissingExtra: The backend's libraries are not installed.
        UserError: The model cannot be loaded.
    """
    plan = find_plan(recipe.writer, recipe.models) if recipe.source.written else None
    return None if plan is None else models.address(plan, "writer.model")
