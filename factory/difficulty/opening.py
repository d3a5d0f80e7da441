"""Makes a recipe's measurer ready: the model, the cache of its replies, and the judge."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from factory.difficulty.cache import CachedModel, open_cache
from factory.difficulty.measuring import Measurer
from factory.difficulty.models import load_model
from factory.errors import MissingExtra
from factory.training_records import Difficulty
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
def open_measurer(plan: Difficulty, seed: int) -> Iterator[Opened]:
    """Load the model that a recipe names, if it names one.

    Args:
        plan: The recipe's key ``difficulty``.
        seed: The recipe's seed.

    Raises:
        MissingExtra: The backend's libraries are not installed, and the plan is not ``optional``.
        UserError: The model cannot be loaded.
    """
    if plan.backend is None or plan.model is None:
        yield Opened(None)
        return
    try:
        model = load_model(plan.backend, plan.model, plan.revision)
    except MissingExtra as error:
        if not plan.optional:
            raise
        yield Opened(None, error.message)
        return
    with open_cache() as cache, Judge() as judge:
        yield Opened(Measurer(plan, CachedModel(model, cache), seed, judge))
