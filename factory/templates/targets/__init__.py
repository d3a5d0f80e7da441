"""How to use each target of the grid, nested: from the catalogue's forms, or by hand."""

from __future__ import annotations

from factory.constraints.catalogue import targets
from factory.templates.nodes import Expr
from factory.templates.targets import mappings, numbers, sets, text, tuples
from factory.templates.targets.building import build
from factory.templates.targets.wrapping import Builder
from factory.templates.writer import Writer

BUILDERS: dict[str, dict[str, Builder]] = {
    "str": text.BUILDERS,
    "dict": mappings.BUILDERS,
    "set": sets.BUILDERS,
    "tuple": tuples.BUILDERS,
    "int": numbers.BUILDERS,
}
"""Nests written by hand, by type and label: they read better than what forms give."""
_BY_HAND = 0.6


def call_target(w: Writer) -> Expr:
    """Emits the uses of the cell's target; the expression depends on its result.

    Raises:
        Unwritable: the signature has no room for what the call needs.
    """
    cell = w.cell
    by_hand = BUILDERS.get(cell.type, {}).get(cell.method)
    if by_hand is not None and w.chance(_BY_HAND):
        return by_hand(w, w.depth)
    return build(w, targets(cell.type)[cell.method], w.depth)
