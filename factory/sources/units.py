"""Cuts the endless sequence of draws, or the rows of a file, into units of work.

A unit is what one worker does at a time and what one checkpoint holds.  Where it begins and ends
depends on nothing but its number.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count, islice
from pathlib import Path

from factory.recipe_records import Recipe
from factory.sources.records import RawRecord, read_raw

UNIT_DRAWS = 16
"""Draws, or rows of a file, in a unit."""


@dataclass(frozen=True, slots=True)
class Unit:
    """Consecutive draws, or consecutive rows."""

    index: int
    first: int
    """Number of the unit's first draw, from 0."""
    rows: tuple[RawRecord, ...] | None
    """The rows to read; ``None`` for draws from templates."""


def check_source(recipe: Recipe) -> None:
    """See that the recipe's file can be read, before anything else is done.

    Raises:
        UserError: It cannot.
    """
    if recipe.source.path is not None:
        next(read_raw(Path(recipe.source.path)), None)


def units(recipe: Recipe, programs: int | None) -> Iterator[Unit]:
    """The units in order: endless for templates; for a file those of its first ``programs`` rows.

    Raises:
        UserError: The source file cannot be read.
    """
    if recipe.source.path is None:
        yield from (Unit(index, index * UNIT_DRAWS, None) for index in count())
        return
    rows = islice(read_raw(Path(recipe.source.path)), programs)
    for index in count():
        batch = tuple(islice(rows, UNIT_DRAWS))
        if not batch:
            return
        yield Unit(index, index * UNIT_DRAWS, batch)
