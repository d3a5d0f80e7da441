"""Reports of the manifest as Markdown, whatever they hold: nothing is told in words of our own."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from cards.rendering import cell_text

SHOWN_ROWS = 20
"""Most rows of a table; the manifest has all."""


def report_text(report: Mapping[str, Any]) -> str:
    """Markdown of a report: single values as a list, lists of records as tables."""
    single = {key: value for key, value in report.items() if not isinstance(value, list | Mapping)}
    parts = ["\n".join(f"- {_name(key)}: {cell_text(value)}" for key, value in single.items())]
    for key, value in report.items():
        if isinstance(value, Mapping):
            parts.append(f"{_name(key)}:\n\n{report_text(value)}" if value else _none(key))
        elif isinstance(value, list):
            parts.append(_listed(key, value))
    return "\n\n".join(part for part in parts if part)


def _listed(key: str, values: list[Any]) -> str:
    if not values:
        return _none(key)
    if not all(isinstance(value, Mapping) for value in values):
        return f"{_name(key)}: {', '.join(map(cell_text, values))}"
    columns = list(dict.fromkeys(column for value in values for column in value))
    lines = [
        f"{_name(key)} ({len(values):,}):\n",
        f"| {' | '.join(map(_name, columns))} |",
        f"|{'---|' * len(columns)}",
        *(
            f"| {' | '.join(cell_text(value.get(column)) for column in columns)} |"
            for value in values[:SHOWN_ROWS]
        ),
    ]
    if len(values) > SHOWN_ROWS:
        lines.append(f"\n… and {len(values) - SHOWN_ROWS:,} more in `manifest.json`.")
    return "\n".join(lines)


def _none(key: str) -> str:
    return f"{_name(key)}: none"


def _name(key: str) -> str:
    return cell_text(key.replace("_", " "))
