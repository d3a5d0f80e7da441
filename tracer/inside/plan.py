"""What the recorder looks up by statement, made once for all calls of a program."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from tracer.inside.activations import CodeInfo
from tracer.inside.layout import BEGIN, NEXT, Layout, line_table, virtual_line
from tracer.inside.sites import Site
from tracer.inside.stillness import LOUD

Effects: TypeAlias = tuple[tuple[int, ...], int]
"""Places in its function's array of the variables that a statement may bind, and whether it can
change anything else: see :mod:`~.stillness`."""
SPECIAL_MARK = -(2**32)
"""What is not greater is the mark of a special statement."""


@dataclass(frozen=True, slots=True)
class Plan:
    """The facts of a program, by the number of a statement where nothing else is said."""

    codes: dict[int, CodeInfo]
    """The code objects whose frames are activations, by identity."""
    sites: tuple[Site, ...]
    lines: list[int]
    """For each virtual line the statement that begins, or a mark. ``SPECIAL_MARK - k`` stands for
    statement k where an end may have to be explained once it has begun."""
    effects: list[Effects]
    """What it may bind and change."""
    open_frames: bool
    """Whether the program can get at frames and namespaces other than by its own names."""


def make_plan(layout: Layout, codes: dict[int, CodeInfo]) -> Plan:
    """Return the plan for a program that was laid out and compiled."""
    sites = layout.sites
    effects: list[Effects] = [((), LOUD)] * len(sites)
    for info in codes.values():
        # Cells and globals are no targets.
        shared = {*info.global_names, *[info.slots.names[place] for place in info.slots.cells]}
        for stmt, places in info.targets.items():
            still = shared.isdisjoint(sites[stmt].binds)
            effects[stmt] = places, layout.still[stmt] if still else LOUD
    lines = line_table(layout)
    for site in sites:
        if site.reraises or site.swallows or (site.is_return and site.final_ranges):
            for line in (virtual_line(site.first, BEGIN), virtual_line(site.first, NEXT)):
                lines[line] = SPECIAL_MARK - site.first
    return Plan(codes, sites, lines, effects, layout.reaches_namespaces)
