from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from factory.identity import content_id
from factory.recipe_records import Shares
from factory.splits import choose_split

FAMILIES = [content_id(number) for number in range(4_000)]


@pytest.mark.parametrize(
    "shares", [Shares(), Shares(0.5, 0.3, 0.2), Shares(1.0, 0.0, 0.0), Shares(0.0, 0.0, 1.0)]
)
def test_shares_are_kept(shares: Shares) -> None:
    counts = Counter(choose_split(family, shares) for family in FAMILIES)
    for split in ("train", "validation", "test"):
        share = getattr(shares, split)
        assert counts[split] / len(FAMILIES) == pytest.approx(share, abs=0.02)
        assert share or not counts[split]


@given(st.text("0123456789abcdef", min_size=16, max_size=16))
def test_a_larger_training_share_moves_nobody_out_of_it(family: str) -> None:
    before = choose_split(family, Shares(0.8, 0.1, 0.1))
    after = choose_split(family, Shares(0.9, 0.05, 0.05))
    assert before != "train" or after == "train"


def test_known_families_stay_where_they_are() -> None:
    """A change here would move published rows to other splits."""
    known = [choose_split(family, Shares()) for family in FAMILIES[:60]]
    assert Counter(known) == {"train": 52, "validation": 5, "test": 3}
