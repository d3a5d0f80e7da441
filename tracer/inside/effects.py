"""What the recorder looks up by statement as it begins and as it ends, made once a program."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeAlias

from tracer.inside.activations import CodeInfo
from tracer.inside.layout import BEGIN, NEXT, Layout, line_table, virtual_line
from tracer.inside.stillness import LOUD

Effects: TypeAlias = tuple[tuple[int, ...], int]
"""Places in its function's array of the variables that a statement may bind, and whether it can
change anything else: see :mod:`~.stillness`."""
SPECIAL_MARK = -(2**32)
"""What is not greater is the mark of a special statement."""


def effects_of(layout: Layout, infos: Iterable[CodeInfo]) -> list[Effects]:
    """Return the effects of every statement of a program that was laid out and compiled."""
    effects: list[Effects] = [((), LOUD)] * len(layout.sites)
    for info in infos:
        # Cells and globals are no targets.
        shared = {*info.global_names, *[info.slots.names[place] for place in info.slots.cells]}
        for stmt, places in info.targets.items():
            still = shared.isdisjoint(layout.sites[stmt].binds)
            effects[stmt] = places, layout.still[stmt] if still else LOUD
    return effects


def mark_lines(layout: Layout) -> list[int]:
    """Return the line table of a program with the marks of its special statements.

    ``SPECIAL_MARK - k`` stands for statement k where, once it has begun, an end may have to be
    explained.
    """
    lines = line_table(layout)
    for site in layout.sites:
        if site.reraises or site.swallows or (site.is_return and site.final_ranges):
            for line in (virtual_line(site.first, BEGIN), virtual_line(site.first, NEXT)):
                lines[line] = SPECIAL_MARK - site.first
    return lines
