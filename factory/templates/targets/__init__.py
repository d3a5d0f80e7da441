"""How to call each target of the grid, nested; one file per type."""

from __future__ import annotations

from factory.templates.nodes import Expr
from factory.templates.targets import lists, mappings, numbers, sets, text, tuples
from factory.templates.targets.wrapping import Builder
from factory.templates.writer import Writer

BUILDERS: dict[str, dict[str, Builder]] = {
    "str": text.BUILDERS,
    "list": lists.BUILDERS,
    "dict": mappings.BUILDERS,
    "set": sets.BUILDERS,
    "tuple": tuples.BUILDERS,
    "int": numbers.BUILDERS,
}
"""By type and label; the same keys as :mod:`factory.constraints.catalogue`."""


def call_target(w: Writer) -> Expr:
    """Emits the nested call of the cell's target; the expression depends on its result.

    Raises:
        Unwritable: the signature has no room for what the call needs.
    """
    return BUILDERS[w.cell.type][w.cell.method](w, w.depth)
