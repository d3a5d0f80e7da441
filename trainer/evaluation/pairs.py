"""How often a reward model ranks the better of two replies first.

Rows ``{"prompt": ..., "chosen": ..., "rejected": ...}``, texts or chats: the config ``crpl`` of a
dataset, or any file of preference pairs. A side is read as in the training of the reward model: its
``<think>`` block, or all of it where it has none. Equal scores count as wrong.

Source: https://arxiv.org/abs/2508.05170 (the pairs by dimension)
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Sequence
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from tracer.interval import wilson
from tracer.reward_pairs import FIELDS, pair_of
from trainer.errors import TrainingError
from trainer.evaluation.fields import name_of, readable
from trainer.evaluation.records import Evaluated, Result, Row
from trainer.evaluation.rows import read_rows

if TYPE_CHECKING:
    from trainer.evaluation.progress import Progress
    from trainer.evaluation.run import Plan
    from trainer.scorer import Scorer

CONFIG = "crpl"
SPLIT = "test"


def read_pairs(places: Sequence[str], limit: int | None) -> tuple[list[Row], list[tuple[str, str]]]:
    """The pairs of some places, and the rows that are none.

    Raises:
        TrainingError: There are none, or a place can't be read.
    """

    def rows() -> Iterable[Row]:
        for place in places:
            yield from read_rows(place, CONFIG, SPLIT)

    found, left_out = readable(rows(), _pair)
    if not found:
        raise TrainingError(f"pairs: {', '.join(places)} has no row with prompt, chosen, rejected")
    return list(islice(found, limit)), left_out


def _pair(row: Row, place: int) -> Row:
    pair = pair_of(row)
    return {
        "id": name_of(row, place),
        "prompt": list(pair.prompt),
        "chosen": pair.chosen,
        "rejected": pair.rejected,
        "dimension": row.get("dimension"),
        "pair_kind": row.get("pair_kind"),
    }


def evaluate_pairs(plan: Plan, folder: Path, progress: Progress) -> list[Evaluated]:
    """Have a reward model rank the pairs of a plan.

    Args:
        plan: Says where the pairs are.
        folder: A model of ``tracefoundry train reward``.
        progress: Hears what is done.

    Raises:
        TrainingError: There are no pairs, or no such model.
    """
    from trainer.scorer import load_scorer, read_scale

    if plan.pairs is None:
        return []
    places = plan.pairs.places
    scorer = load_scorer(folder, read_scale(folder).max_length)
    pairs, left_out = read_pairs(places, plan.limit)
    progress.say(f"pairs: ranking {len(pairs)}")
    return [rank_pairs(places, pairs, left_out, scorer)]


def rank_pairs(
    places: Sequence[str], pairs: Sequence[Row], left_out: Iterable[tuple[str, str]], scorer: Scorer
) -> Evaluated:
    """The share of pairs that are ranked right: of all, by dimension, by kind of pair."""
    from trainer.reward import pair_accuracy

    results = []
    for kind, (count, share) in pair_accuracy(pairs, scorer).items():
        low, high = wilson(round(share * count), count)
        results.append(
            Result(
                kind=kind,
                level=None,
                mode="scored",
                k=1,
                value=round(share, 6),
                low=low,
                high=high,
                questions=count,
                groups=count,
                unparsed=0.0,
                infrastructure=0,
                reasoning_tokens=None,
            )
        )
    digest = hashlib.sha256()
    for row in pairs:
        content = [row[name] for name in ("id", *FIELDS)]
        digest.update(json.dumps(content, sort_keys=True).encode("ascii"))
    return Evaluated(
        "pairs",
        tuple(places),
        len(pairs),
        len(pairs),
        tuple(left_out),
        digest.hexdigest(),
        tuple(results),
    )
