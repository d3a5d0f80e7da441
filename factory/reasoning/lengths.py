"""How long texts are, in tokens that need no tokenizer.

Counted are words, single digits and single other signs: what a subword tokenizer can hardly make
less of, so that two texts of equal count are of about equal length to any model.

Source: own; single digits as in the tokenizers of Llama and Qwen.
"""

from __future__ import annotations

import re
from collections import Counter

_TOKEN = re.compile(r"[^\W\d_]+|\d|[^\w\s]|_")


def count_tokens(text: str) -> int:
    """Words, digits and other signs of a text."""
    return len(_TOKEN.findall(text))


QUANTILES = (5, 25, 50, 75, 95)
"""Percent of pairs that are shorter; in words of the manifest ``p5``, ``p25``, …"""


class PairLengths:
    """How long the sides of pairs are, and by how much the chosen one is longer."""

    def __init__(self) -> None:
        self._chosen = Counter[int]()
        self._rejected = Counter[int]()
        self._difference = Counter[int]()

    def add(self, chosen: int, rejected: int) -> None:
        """Take the tokens of a pair's sides."""
        self._chosen[chosen] += 1
        self._rejected[rejected] += 1
        self._difference[chosen - rejected] += 1

    def report(self) -> dict[str, dict[str, int]]:
        """Quantiles of both sides and of the difference; empty without pairs."""
        if not self._chosen:
            return {}
        return {
            "chosen": _quantiles(self._chosen),
            "rejected": _quantiles(self._rejected),
            "chosen_minus_rejected": _quantiles(self._difference),
        }


def _quantiles(counts: Counter[int]) -> dict[str, int]:
    lengths = sorted(counts)
    found: dict[str, int] = {}
    for percent in QUANTILES:
        wanted, seen = counts.total() * percent / 100, 0
        for length in lengths:
            seen += counts[length]
            if seen >= wanted:
                found[f"p{percent}"] = length
                break
    return found
