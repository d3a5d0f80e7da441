"""Results of ``tracefoundry eval`` as lines of a model's card.

They are read from ``eval.json``, of which this takes name, kind, mode, ``k``, value, interval and
number of questions; results by level stay in the file.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from cards.model import Evaluation

RESULTS = "eval.json"
"""Name of the file."""
EVALUATED, BASE_EVALUATED = "eval", "eval-base"
"""Folders of a run with the results of its model, and of the one that the training began with."""


def parse_results(text: str | bytes, base: str | bytes | None = None) -> tuple[Evaluation, ...]:
    """The lines of a card's table.

    Args:
        text: ``eval.json`` of the model.
        base: That of the model before its training, where it was measured.

    Raises:
        ValueError: One of them is not what ``eval`` writes.
    """
    before = {} if base is None else {key: line["value"] for key, line in _lines(base)}
    return tuple(
        Evaluation(
            benchmark=name if kind == "all" else f"{name}: {kind}",
            metric=f"pass@{k}, {mode}",
            value=float(line["value"]),
            before=before.get((name, kind, mode, k)),
            tasks=int(line["questions"]),
            interval=(float(line["low"]), float(line["high"])),
        )
        for (name, kind, mode, k), line in _lines(text)
    )


def _lines(text: str | bytes) -> Iterator[tuple[tuple[str, str, str, int], Mapping[str, Any]]]:
    """Each result of all levels, by benchmark, kind, mode and k."""
    try:
        for benchmark in json.loads(text)["benchmarks"]:
            for line in benchmark["results"]:
                if line["level"] is None:
                    yield (benchmark["name"], line["kind"], line["mode"], line["k"]), line
    except (KeyError, TypeError) as error:
        raise ValueError(f"not as `tracefoundry eval` writes it: {error!r}") from error
