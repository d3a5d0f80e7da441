"""How published rows differ from those that were made again."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from factory.audit_groups import Problem
from factory.identity import canonical_json

Row: TypeAlias = dict[str, Any]


@dataclass(frozen=True, slots=True)
class RowsOf:
    """Rows of one config that follow, in order, from one row of another."""

    config: str
    id_column: str
    parent: str
    """What they follow from: ``trace`` or ``program``."""


def compare(config: str, own_id: str, published: Row, expected: Row) -> Iterator[Problem]:
    """A problem for each column whose published value is not the expected one."""
    for column, value in expected.items():
        if not same(published[column], value):
            detail = f"published {_short(published[column])}, found {_short(value)}"
            yield Problem(config, own_id, column, detail)


def compare_rows(
    of: RowsOf, parent: str, published: Sequence[Row], expected: Sequence[Row]
) -> Iterator[Problem]:
    """Problems of the rows of one parent: missing, invented, changed, out of order."""
    wanted = {row[of.id_column]: row for row in expected}
    there = [row[of.id_column] for row in published]
    for row in published:
        own_id = row[of.id_column]
        if own_id in wanted:
            yield from compare(of.config, own_id, row, wanted[own_id])
        else:
            yield Problem(of.config, own_id, "", f"does not follow from {of.parent} {parent}")
    for own_id in wanted:
        if own_id not in there:
            yield Problem(of.config, own_id, "", f"of {of.parent} {parent}: not in the data")
    if set(there) == set(wanted) and there != list(wanted):
        detail = f"its {of.config} are repeated or out of order"
        yield Problem(f"{of.parent}s", parent, "", detail)


def same(one: object, other: object) -> bool:
    """Equality of two cells, in which ``1``, ``1.0`` and ``True`` are three values."""
    return canonical_json(one) == canonical_json(other)


def _short(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 120 else f"{text[:110]}… ({len(text)} characters)"
