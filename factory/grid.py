"""The grid that template programs fill: type × method × level."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cache, partial
from hashlib import sha256

from factory.constraints.catalogue import TYPES, impossible_targets, nest_reason, target_methods

PAPER_LEVELS = (1, 2, 3, 4, 5, 6)
"""The six settings of ExecVerify (arXiv 2603.11226): 1 nested calls, 2 with other methods, 3 to 5
with one to three nested control statements, 6 with a helper chain as well."""

FEATURES = {
    7: "comprehensions",
    8: "aliasing",
    9: "recursion",
    10: "exceptions",
    11: "closures",
    12: "generators",
    13: "classes",
}
"""Levels beyond the paper: nested calls and other methods together with one more feature."""

LEVELS = (*PAPER_LEVELS, *FEATURES)
"""All levels."""

FEATURE_TYPES = ("str", "int", "list", "tuple", "dict", "set")
"""Rows that features are crossed with: what most programs are made of."""


@dataclass(frozen=True, slots=True)
class Cell:
    """One cell of the grid."""

    type: str
    """Built-in type of the target."""
    method: str
    """Label of the target (see :mod:`factory.constraints.signatures`)."""
    level: int

    def __str__(self) -> str:
        """``str.replace@3``."""
        return f"{self.type}.{self.method}@{self.level}"


@cache
def cells() -> tuple[Cell, ...]:
    """Every possible cell; the types are spread evenly, so any prefix is mixed."""
    places: list[tuple[Fraction, int, Cell]] = []
    for row, type_ in enumerate(TYPES):
        mine = _cells_of(type_, row)
        places += [
            (Fraction(2 * number + 1, 2 * len(mine)), row, cell) for number, cell in enumerate(mine)
        ]
    return tuple(cell for _, _, cell in sorted(places, key=lambda each: each[:2]))


def _cells_of(type_: str, row: int) -> list[Cell]:
    """The cells of a type: every target once, each at another level, before any comes again."""
    methods = sorted(target_methods(type_), key=partial(_mixed, type_))
    levels = _levels_of(type_)
    return [
        cell
        for turn in range(len(levels))
        for place, method in enumerate(methods)
        for cell in [Cell(type_, method, levels[(turn + place + row) % len(levels)])]
        if cell.level in PAPER_LEVELS[1:] or nest_reason(type_, method) is None
    ]


def _levels_of(type_: str) -> tuple[int, ...]:
    """The levels of a row of the grid."""
    return LEVELS if type_ in FEATURE_TYPES else PAPER_LEVELS


def _mixed(type_: str, method: str) -> bytes:
    """A sort key that mixes methods, operators and functions."""
    return sha256(f"{type_}.{method}".encode()).digest()


@cache
def impossible_cells() -> tuple[tuple[Cell, str], ...]:
    """Cells that no program can fill, each with the reason."""
    whole = [
        (Cell(type_, method, level), reason)
        for type_, method, reason in impossible_targets()
        for level in _levels_of(type_)
    ]
    nests = [
        (Cell(type_, method, level), reason)
        for type_ in TYPES
        for method in target_methods(type_)
        for reason in [nest_reason(type_, method)]
        if reason is not None
        for level in _levels_of(type_)
        if level not in PAPER_LEVELS[1:]
    ]
    return (*whole, *nests)
