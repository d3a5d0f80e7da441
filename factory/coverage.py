"""How the grid of type, method and level is filled: in numbers and in a line."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from factory.constraints.catalogue import TYPES, target_methods
from factory.grid import LEVELS, Cell, impossible_cells

Key = tuple[str, str, int]
_IMPOSSIBLE, _LEFT_OUT = "-", "."


def describe_coverage(
    possible: Iterable[Cell], programs: Mapping[Key, int], chosen: Iterable[Cell]
) -> dict[str, Any]:
    """The manifest's ``grid``.

    Args:
        possible: Cells that the recipe asks for and a program can fill.
        programs: Number of programs by type, method and level.
        chosen: Impossible cells that the recipe asks for.

    Returns:
        ``possible`` and ``filled``, numbers of cells; ``fewest`` and ``most``, programs in one
        possible cell; ``by_type``; ``cells``, one word a level (programs, ``-`` for impossible,
        ``.`` for not asked for) by type and method; ``impossible``, one entry a reason.
    """
    wanted = tuple(possible)
    numbers = [programs.get((cell.type, cell.method, cell.level), 0) for cell in wanted]
    by_type: dict[str, Counter[str]] = {}
    for cell, number in zip(wanted, numbers, strict=True):
        count = by_type.setdefault(cell.type, Counter())
        count.update(possible=1, filled=int(number > 0), programs=number)
    return {
        "possible": len(wanted),
        "filled": sum(number > 0 for number in numbers),
        "fewest": min(numbers, default=0),
        "most": max(numbers, default=0),
        "by_type": {type_: dict(by_type[type_]) for type_ in TYPES if type_ in by_type},
        "cells": _table(wanted, programs, chosen),
        "impossible": _reasons(chosen),
    }


def _table(
    wanted: Iterable[Cell], programs: Mapping[Key, int], chosen: Iterable[Cell]
) -> dict[str, dict[str, str]]:
    words = {cell: str(programs.get((cell.type, cell.method, cell.level), 0)) for cell in wanted}
    words |= dict.fromkeys(chosen, _IMPOSSIBLE)
    table: dict[str, dict[str, str]] = {}
    for type_ in TYPES:
        for method in target_methods(type_):
            row = [words.get(Cell(type_, method, level), _LEFT_OUT) for level in LEVELS]
            if set(row) - {_IMPOSSIBLE, _LEFT_OUT}:
                table.setdefault(type_, {})[method] = " ".join(row)
    return table


def _reasons(chosen: Iterable[Cell]) -> list[dict[str, Any]]:
    """Impossible cells by reason: the targets, and the levels at which they are impossible."""
    wanted = set(chosen)
    levels: dict[tuple[str, str], list[int]] = {}
    for cell, reason in impossible_cells():
        if cell in wanted:
            levels.setdefault((reason, f"{cell.type}.{cell.method}"), []).append(cell.level)
    groups: dict[tuple[str, tuple[int, ...]], list[str]] = {}
    for (reason, target), at in levels.items():
        groups.setdefault((reason, tuple(sorted(at))), []).append(target)
    return [
        {"reason": reason, "levels": list(at), "targets": sorted(targets)}
        for (reason, at), targets in sorted(groups.items())
    ]


def coverage_line(grid: Mapping[str, Any], worst: int = 3) -> str:
    """One line for people: how many cells are filled, and where it is emptiest."""
    possible, filled = grid["possible"], grid["filled"]
    if not possible:
        return "grid: none, the programs come from a file"
    share = 100 * filled / possible
    line = f"grid: {filled:,} of {possible:,} possible cells filled ({share:.1f} %)"
    line += f", {grid['fewest']} to {grid['most']} programs in a cell"
    empty = sorted(
        (count["filled"] / count["possible"], type_) for type_, count in grid["by_type"].items()
    )
    listed = [f"{type_} {100 * share:.0f} %" for share, type_ in empty[:worst] if share < 1]
    return f"{line}; emptiest: {', '.join(listed)}" if listed else line
