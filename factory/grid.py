"""The grid that template programs fill: type × method × level."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from factory.constraints.catalogue import TYPES, impossible_targets, target_methods

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
    """Every possible cell; neighbours differ in type and level, so any prefix is mixed."""
    longest = max(len(target_methods(type_)) for type_ in TYPES)
    found: list[Cell] = []
    for turn in range(longest * len(LEVELS)):
        for place, type_ in enumerate(TYPES):
            methods = target_methods(type_)
            round_, position = divmod(turn, len(methods))
            if round_ < len(LEVELS):
                level = LEVELS[(round_ + 5 * position + 2 * place) % len(LEVELS)]
                found.append(Cell(type_, methods[position], level))
    return tuple(found)


@cache
def impossible_cells() -> tuple[tuple[Cell, str], ...]:
    """Cells that no program can fill, each with the reason."""
    return tuple(
        (Cell(type_, method, level), reason)
        for type_, method, reason in impossible_targets()
        for level in LEVELS
    )
