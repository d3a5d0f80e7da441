"""Makes a recipe's measurer ready: the model, the cache of its replies, and the judge."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass

from factory.difficulty.measuring import Measurer
from factory.errors import MissingExtra
from factory.models.base import find_plan
from factory.models.sharing import Models
from factory.recipe_records import Recipe
from tracer.judging import Judge


@dataclass(frozen=True, slots=True)
class Opened:
    """What measures the difficulty of a build."""

    measurer: Measurer | None
    unmeasured: str | None = None
    """Why nothing does although the recipe wants it."""

    @property
    def model(self) -> str | None:
        """Name of the model, if there is one."""
        return None if self.measurer is None else self.measurer.model


@contextmanager
def open_measurer(recipe: Recipe, models: Models) -> Iterator[Opened]:
    """Make the model ready that the recipe's key ``difficulty`` names, if it names one.

    Raises:
        MissingExtra: The backend's libraries are not installed, and ``optional`` is not set.
        UserError: The model cannot be loaded.
    """
    plan = recipe.difficulty
    named = find_plan(plan, recipe.models)
    if named is None:
        yield Opened(None)
        return
    with ExitStack() as stack:
        try:
            model = stack.enter_context(models.address(named, "difficulty.model").open())
        except MissingExtra as error:
            if not plan.optional:
                raise
            yield Opened(None, error.message)
            return
        judge = stack.enter_context(Judge())
        yield Opened(Measurer(plan, model, recipe.seed, judge, named.revision))
