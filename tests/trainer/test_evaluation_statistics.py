"""Pass@k and its intervals against counting and simulation."""

from __future__ import annotations

import random
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tracer.interval import wilson
from trainer.evaluation.statistics import Counts, chosen_ks, pass_at_k, share_at_k


@given(n=st.integers(1, 8), data=st.data())
def test_pass_at_k_is_the_share_of_draws_with_a_right_one(n: int, data: st.DataObject) -> None:
    passes = data.draw(st.integers(0, n))
    k = data.draw(st.integers(1, n))
    replies = [place < passes for place in range(n)]
    draws = list(combinations(replies, k))
    assert pass_at_k(n, passes, k) == pytest.approx(sum(map(any, draws)) / len(draws))


@pytest.mark.parametrize(("n", "passes", "k"), [(3, 4, 1), (3, -1, 1), (3, 1, 4), (3, 1, 0)])
def test_numbers_that_mean_nothing_are_refused(n: int, passes: int, k: int) -> None:
    with pytest.raises(ValueError, match="pass@"):
        pass_at_k(n, passes, k)


def test_questions_that_stand_alone_have_wilsons_interval() -> None:
    counts = [Counts(str(place), 1, int(place < 30)) for place in range(100)]
    share = share_at_k(counts, 1)
    assert share is not None
    assert (share.value, share.questions, share.groups) == (0.3, 100, 100)
    assert (share.low, share.high) == wilson(30, 100)


def test_all_right_leaves_room_for_doubt() -> None:
    share = share_at_k([Counts(str(place // 4), 8, 8) for place in range(40)], 5)
    assert share is not None
    assert (share.value, share.high) == (1.0, 1.0)
    assert (share.low, share.high) == wilson(10, 10)


def test_fewer_replies_than_k_say_nothing() -> None:
    assert share_at_k([Counts("a", 3, 1), Counts("b", 0, 0)], 4) is None
    share = share_at_k([Counts("a", 3, 1), Counts("b", 0, 0)], 1)
    assert share is not None
    assert share.questions == 1


def test_the_interval_over_groups_holds_the_truth_nearly_always() -> None:
    """Groups of questions that are right together: 60 groups of 5, each with its own chance."""
    rng = random.Random(5)
    chances = [rng.betavariate(1, 2) for _ in range(20_000)]
    truth = sum(chances) / len(chances)
    held = 0
    for _ in range(40):
        counts = []
        for group in range(60):
            chance = rng.choice(chances)
            counts += [Counts(str(group), 4, sum(rng.random() < chance for _ in range(4)))] * 5
        share = share_at_k(counts, 1)
        assert share is not None
        held += share.low <= truth <= share.high
    assert held >= 34
    single = share_at_k([Counts(str(i), c.n, c.passes) for i, c in enumerate(counts)], 1)
    grouped = share_at_k(counts, 1)
    assert single is not None
    assert grouped is not None
    assert grouped.high - grouped.low > 1.5 * (single.high - single.low)


def test_the_interval_is_the_same_every_time() -> None:
    counts = [Counts(str(place // 3), 5, place % 5) for place in range(60)]
    assert share_at_k(counts, 2) == share_at_k(counts, 2)


def test_which_k_are_reported() -> None:
    assert chosen_ks(1) == (1,)
    assert chosen_ks(8) == (1, 5, 8)
    assert chosen_ks(200) == (1, 5, 10, 100, 200)
