"""What the first page of a site tells: the manifest's numbers, plots and tables."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import cards
from factory.recipe_records import SPLITS
from factory.table import CONFIGS

Table = dict[str, Any]


def describe_overview(manifest: Mapping[str, Any], note: str) -> dict[str, Any]:
    """The values of ``page.html.jinja``'s overview.

    Args:
        manifest: The dataset's.
        note: What of the dataset the site leaves out; may be empty.
    """
    from markupsafe import Markup

    counts = manifest["counts"]
    versions = manifest["environment"]["versions"]
    return {
        "lead": (
            "Small Python programs, every statement of their runs, and questions whose answers "
            f"were seen. Made by tracefoundry {versions['tracefoundry']} on Python "
            f"{versions['python']}; recipe {manifest['recipe']['hash']}, seed {manifest['seed']}."
        ),
        "numbers": [(config, counts[config]["total"]) for config in CONFIGS],
        "note": note,
        "plots": [
            Markup(plot.as_element())  # noqa: S704 (its texts are escaped)
            for plot in cards.plots(manifest)
        ],
        "tables": [
            _table("Splits", ("rows of", *SPLITS), _splits(counts)),
            _table("Left out", ("stage and reason", "times"), _drops(manifest["drops"])),
        ],
    }


def _table(title: str, columns: tuple[str, ...], rows: list[tuple[str, ...]]) -> Table:
    return {"title": title, "columns": columns, "rows": rows}


def _splits(counts: Mapping[str, Any]) -> list[tuple[str, ...]]:
    return [
        (config, *(f"{counts[config]['by_split'][split]:,}" for split in SPLITS))
        for config in CONFIGS
    ]


def _drops(drops: Mapping[str, Mapping[str, int]]) -> list[tuple[str, ...]]:
    rows: list[tuple[str, ...]] = [
        (f"{stage}: {reason.replace('_', ' ')}", f"{number:,}")
        for stage, reasons in drops.items()
        for reason, number in reasons.items()
    ]
    return rows or [("nothing", "0")]
