"""Draws from the templates: which cells, in which order, with which seeds."""

from __future__ import annotations

import random
from collections.abc import Iterable
from dataclasses import replace

from factory.errors import RecipeError
from factory.grid import Cell, cells
from factory.recipe_records import Grid
from factory.records import Dropped
from factory.sources.base import Drafted

MAX_ATTEMPTS = 8
"""Draws of one cell before its turn is given up."""


def selected_cells(grid: Grid) -> tuple[Cell, ...]:
    """The possible cells that a recipe asks for, in the grid's fixed order."""
    return tuple(cell for cell in cells() if is_selected(cell, grid))


def is_selected(cell: Cell, grid: Grid) -> bool:
    """Whether the recipe's grid keys let ``cell`` through."""
    return (
        (grid.types is None or cell.type in grid.types)
        and (
            grid.methods is None
            or cell.method in grid.methods
            or f"{cell.type}.{cell.method}" in grid.methods
        )
        and (grid.levels is None or cell.level in grid.levels)
    )


def check_grid(grid: Grid, where: str) -> None:
    """Refuse grid keys that name nothing.

    Raises:
        RecipeError: A type, method or level is in no possible cell, or no cell is left.
    """
    every = cells()
    methods = {cell.method for cell in every} | {f"{cell.type}.{cell.method}" for cell in every}
    _check_names(grid.types, {cell.type for cell in every}, f"{where}: grid.types")
    _check_names(grid.methods, methods, f"{where}: grid.methods")
    _check_names(grid.levels, {cell.level for cell in every}, f"{where}: grid.levels")
    if not selected_cells(grid):
        raise RecipeError(f"{where}: grid: no cell has such a type, method and level together")


def _check_names(given: Iterable[str | int] | None, known: Iterable[str | int], key: str) -> None:
    names = {str(name) for name in known}
    for name in given or ():
        if str(name) not in names:
            raise RecipeError(f"{key}: {name!r} is unknown; known: {', '.join(sorted(names))}")


def draw_seed(seed: int, number: int, attempt: int) -> str:
    """Seed text of one draw; the first attempt's holds no attempt number."""
    return f"{seed}:{number}" if attempt == 0 else f"{seed}:{number}:{attempt}"


def draw_place(cell: Cell, number: int, attempt: int) -> str:
    """How drops name a draw: ``draw:17.2 str.join/3``."""
    return f"draw:{number}.{attempt} {cell.type}.{cell.method}/{cell.level}"


def draw(cell: Cell, seed: str, where: str, licence: str | None) -> Drafted:
    """Draw one program of ``cell``; the same seed gives the same program."""
    from factory.templates import draw_draft

    drawn = draw_draft(cell, random.Random(seed))
    if isinstance(drawn, Dropped):
        return Drafted(None, (Dropped(drawn.stage, drawn.reason, where, drawn.detail),))
    return Drafted(replace(drawn, origin=replace(drawn.origin, licence=licence)))
