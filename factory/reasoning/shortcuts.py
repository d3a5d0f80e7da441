"""Classifiers that must fail: they see only the length, or only the words, of the two sides.

Trained on the pairs of some families of programs and asked about others, they should do hardly
better than a coin; where one does, the data teaches a shortcut instead of reasoning.

Source: own; the danger is described with ReCode (https://arxiv.org/abs/2508.05170).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

_WORD = re.compile(r"\w+|[^\w\s]")
_VOCABULARY = 2_000
_STEPS = 300
_DECAY = 1e-3
MIN_PAIRS = 20
"""Fewer held-out pairs say nothing."""
MAX_PAIRS = 1_000
"""Pairs of a group that are trained on, and as many that are asked: the first in draw order."""
LOUD = 0.6
"""Accuracy above which a build says so."""


@dataclass(frozen=True, slots=True)
class Sides:
    """A pair as the classifiers see it."""

    chosen: str
    rejected: str
    group: str
    """What they are reported by, such as ``execution/rigor/degraded``."""
    held_out: bool


@dataclass(frozen=True, slots=True)
class ShortcutReport:
    """Accuracy on held-out pairs; a half is a coin."""

    group: str
    pairs: int
    length: float | None
    words: float | None


class Sample:
    """Gathers the pairs of a build that are looked at, a bounded number."""

    def __init__(self) -> None:
        self._pairs: list[Sides] = []
        self._numbers = Counter[tuple[str, bool]]()

    def add(self, row: Mapping[str, Any]) -> None:
        """Take a row of ``crpl``; those outside the training split are held out."""
        group = f"{row['task']}/{row['dimension']}/{row['pair_kind']}"
        held_out = row["split"] != "train"
        if self._numbers[group, held_out] < MAX_PAIRS:
            self._numbers[group, held_out] += 1
            chosen, rejected = (row[side][0]["content"] for side in ("chosen", "rejected"))
            self._pairs.append(Sides(chosen, rejected, group, held_out))

    def report(self) -> dict[str, Any]:
        """The manifest's ``shortcuts``: how often each classifier picks the better side."""
        if not self._pairs:
            return {"status": "not_run"}
        groups = [
            {
                "group": each.group,
                "held_out_pairs": each.pairs,
                "length": _rounded(each.length),
                "words": _rounded(each.words),
            }
            for each in measure_shortcuts(self._pairs)
        ]
        return {"status": "measured", "most_pairs": MAX_PAIRS, "groups": groups}


def _rounded(accuracy: float | None) -> float | None:
    return None if accuracy is None else round(accuracy, 3)


def measure_shortcuts(pairs: Sequence[Sides]) -> tuple[ShortcutReport, ...]:
    """Train and ask both classifiers for every group, in the order of their names.

    Accuracies are ``None`` where fewer than :data:`MIN_PAIRS` pairs are to train on or held out.
    """
    groups: dict[str, list[Sides]] = {}
    for pair in pairs:
        groups.setdefault(pair.group, []).append(pair)
    return tuple(_report(group, groups[group]) for group in sorted(groups))


def _report(group: str, pairs: Sequence[Sides]) -> ShortcutReport:
    seen = [pair for pair in pairs if not pair.held_out]
    asked = [pair for pair in pairs if pair.held_out]
    if min(len(seen), len(asked)) < MIN_PAIRS:
        return ShortcutReport(group, len(asked), None, None)
    return ShortcutReport(group, len(asked), _by_length(seen, asked), _by_words(seen, asked))


def _by_length(seen: Sequence[Sides], asked: Sequence[Sides]) -> float:
    """Choose the longer side, or the shorter one, whichever is right more often."""

    def longer(pair: Sides) -> float:
        left, right = len(pair.chosen), len(pair.rejected)
        return 0.5 if left == right else float(left > right)

    choose_longer = sum(map(longer, seen)) * 2 >= len(seen)
    score = sum(map(longer, asked)) / len(asked)
    return score if choose_longer else 1 - score


def _by_words(seen: Sequence[Sides], asked: Sequence[Sides]) -> float:
    """Logistic regression on the difference of the two sides' word counts."""
    import numpy as np

    counts = Counter(word for pair in seen for word in _WORD.findall(pair.chosen + pair.rejected))
    words = [word for word, _ in sorted(counts.items(), key=lambda item: (-item[1], item[0]))]
    place = {word: number for number, word in enumerate(words[:_VOCABULARY])}

    def features(pairs: Sequence[Sides]) -> np.ndarray:
        rows = np.zeros((len(pairs), len(place)))
        for number, pair in enumerate(pairs):
            for side, sign in ((pair.chosen, 1.0), (pair.rejected, -1.0)):
                for word in _WORD.findall(side):
                    if word in place:
                        rows[number, place[word]] += sign
        return rows

    train, test = features(seen), features(asked)
    scale = np.maximum(np.abs(train).max(axis=0), 1.0)
    train, test = train / scale, test / scale
    weights = np.zeros(train.shape[1])
    for _ in range(_STEPS):
        chance = 1 / (1 + np.exp(np.clip(train @ weights, -30, 30)))
        weights += train.T @ chance / len(seen) - _DECAY * weights
    scores = test @ weights
    return float(((scores > 0) + 0.5 * (scores == 0)).mean())
