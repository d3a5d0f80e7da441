"""Makes a model that a recipe names ready: loaded, and its replies kept on disk."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from factory.models.backends import load_model
from factory.models.base import ModelPlan
from factory.models.cache import CachedModel, open_cache


@contextmanager
def open_model(plan: ModelPlan, where: str) -> Iterator[CachedModel]:
    """The model of a plan; what it has answered before is not asked again.

    Args:
        plan: Names it.
        where: Key of the recipe, for messages.

    Raises:
        MissingExtra: The backend's libraries are not installed.
        UserError: The model cannot be loaded, or there is no place for its replies.
    """
    model = load_model(plan.backend, plan.model, plan.revision, plan.settings, where)
    with open_cache() as cache:
        yield CachedModel(model, cache)
