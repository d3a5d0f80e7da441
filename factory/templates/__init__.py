"""Templates: programs written as libcst trees, one file per way to write one.

This package needs libcst and is imported inside functions. A new template is one file with a
``TEMPLATE`` and one line in :data:`TEMPLATES`.
"""

from __future__ import annotations

import random

from factory.grid import Cell
from factory.records import Draft, Dropped
from factory.templates import (
    accumulate,
    adjust,
    alternate,
    best,
    chart,
    checksum,
    collect,
    compose,
    contrast,
    exchange,
    group,
    history,
    journal,
    lineup,
    lookup,
    pipeline,
    report,
    spend,
    summary,
    survey,
    tally,
    two_counters,
    unique,
    verdict,
    window,
)
from factory.templates.base import Template
from factory.templates.draft import draw

TEMPLATES: tuple[Template, ...] = (
    accumulate.TEMPLATE,
    adjust.TEMPLATE,
    alternate.TEMPLATE,
    best.TEMPLATE,
    chart.TEMPLATE,
    checksum.TEMPLATE,
    collect.TEMPLATE,
    compose.TEMPLATE,
    contrast.TEMPLATE,
    exchange.TEMPLATE,
    group.TEMPLATE,
    history.TEMPLATE,
    journal.TEMPLATE,
    lineup.TEMPLATE,
    lookup.TEMPLATE,
    pipeline.TEMPLATE,
    report.TEMPLATE,
    spend.TEMPLATE,
    summary.TEMPLATE,
    survey.TEMPLATE,
    tally.TEMPLATE,
    two_counters.TEMPLATE,
    unique.TEMPLATE,
    verdict.TEMPLATE,
    window.TEMPLATE,
)

__all__ = ["TEMPLATES", "Template", "draw_draft"]


def draw_draft(cell: Cell, rng: random.Random) -> Draft | Dropped:
    """A program for ``cell`` with three seed calls, its constraint proved on its text.

    A pure function of the cell and the state of ``rng``.
    """
    return draw(cell, TEMPLATES, rng)
