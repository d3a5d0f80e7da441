"""Rewards are total, bounded, blind to the batch, and open to no failure of ours."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tracer.records import Verdict
from tracer.rewards import (
    Reward,
    answer_reward,
    format_reward,
    gated_reward,
    reverse_reward,
    stage1_reward,
    unit_test_reward,
)

STATUSES = ("correct", "incorrect", "unparsed", "no_answer", "infrastructure")
RIGHT, WRONG, UNREAD, NONE, BROKEN = (Verdict(status, f"it is {status}") for status in STATUSES)  # type: ignore[arg-type]

verdicts = st.sampled_from((RIGHT, WRONG, UNREAD, NONE, BROKEN))
judged = st.sampled_from((RIGHT, WRONG, UNREAD, NONE))
shares = st.floats(0, 1)


@pytest.mark.parametrize(
    ("verdict", "total"), [(RIGHT, 1.0), (WRONG, 0.0), (UNREAD, 0.0), (NONE, 0.0), (BROKEN, None)]
)
def test_answers_and_reverse_prompts(verdict: Verdict, total: float | None) -> None:
    assert answer_reward(verdict).total == total
    assert reverse_reward(verdict).total == (None if total is None else 2 * total)
    assert bool(answer_reward(verdict).reason) is (total is None)


@pytest.mark.parametrize(
    ("io", "white", "alpha", "gate", "total"),
    [
        ([RIGHT], [RIGHT, RIGHT], 0.5, False, 2.0),
        ([RIGHT], [RIGHT, WRONG], 0.5, False, 1.5),
        ([RIGHT], [WRONG, NONE], 0.5, False, 1.0),
        ([WRONG], [RIGHT, RIGHT], 0.5, False, 1.0),
        ([WRONG], [RIGHT, RIGHT], 0.5, True, 0.0),
        ([RIGHT], [RIGHT, UNREAD], 0.5, True, 1.5),
        ([RIGHT], [RIGHT, WRONG, WRONG, WRONG], 0.25, False, 2 * (0.75 + 0.25 * 0.25)),
        ([RIGHT], [WRONG], 0.0, False, 2.0),
        ([RIGHT], [WRONG], 1.0, False, 0.0),
        ([RIGHT], [], 0.5, False, 2.0),
        ([WRONG], [], 0.5, False, 0.0),
        ([], [RIGHT, WRONG], 0.5, False, 1.0),
        ([], [], 0.5, False, None),
        ([RIGHT], [RIGHT, BROKEN], 0.5, False, None),
        ([BROKEN], [WRONG], 0.5, True, None),
    ],
)
def test_stage1(
    io: list[Verdict], white: list[Verdict], alpha: float, gate: bool, total: float | None
) -> None:
    reward = stage1_reward(io, white, alpha=alpha, gate=gate)
    assert reward.total == pytest.approx(total)
    assert bool(reward.reason) is (total is None)


@given(st.lists(judged, min_size=1), st.lists(judged), shares, st.booleans())
def test_stage1_is_bounded_and_gains_with_every_right_answer(
    io: list[Verdict], white: list[Verdict], alpha: float, gate: bool
) -> None:
    total = stage1_reward(io, white, alpha=alpha, gate=gate).total
    assert total is not None
    assert 0.0 <= total <= 2.0 + 1e-9
    for place in range(len(white)):
        better = [*white[:place], RIGHT, *white[place + 1 :]]
        more = stage1_reward(io, better, alpha=alpha, gate=gate).total
        assert more is not None
        assert more >= total - 1e-9


@pytest.mark.parametrize("alpha", [-0.1, 1.1, math.nan, math.inf])
def test_alpha_is_a_share(alpha: float) -> None:
    with pytest.raises(ValueError, match="alpha"):
        stage1_reward([RIGHT], [RIGHT], alpha=alpha)


@pytest.mark.parametrize(
    ("passed", "strict", "fractional"),
    [
        ([True, True], 1.0, 1.0),
        ([True, False, True, True], 0.0, 0.75),
        ([False], 0.0, 0.0),
        ([], None, None),
        ([True, None], None, None),
        ([False, None], 0.0, None),
    ],
)
def test_unit_tests(
    passed: list[bool | None], strict: float | None, fractional: float | None
) -> None:
    assert unit_test_reward(passed).total == strict
    assert unit_test_reward(passed, "fractional").total == fractional


@pytest.mark.parametrize(
    ("reply", "both", "think"),
    [
        ("<think>a</think><answer>7</answer>", 1.0, 0.0),
        ("<think>\n1. a\n2. b\n</think>\n\n<answer>\n[0, 1, 4]\n</answer>", 1.0, 0.0),
        ("<think>x becomes 7</think>\n\n7", 0.0, 1.0),
        ("<think></think><answer></answer>", 0.0, 0.0),
        ("<think> </think><answer>7</answer>", 0.0, 0.0),
        ("<think>a</think><answer>\n```\n```\n</answer>", 0.0, 0.0),
        ("<think>a</think><answer>7</answer><answer>7</answer>", 0.0, 0.0),
        ("<think>a</think>so<answer>7</answer>", 0.0, 0.0),
        ("<answer>7</answer><think>a</think>", 0.0, 0.0),
        ("", 0.0, 0.0),
    ],
)
def test_formats(reply: str, both: float, think: float) -> None:
    assert format_reward(reply).total == both
    assert format_reward(reply, "think").total == think


TOKENS = ("<think>", "</think>", "<answer>", "</answer>", "a", " ", "\n")


@given(st.lists(st.sampled_from(TOKENS), max_size=9))
def test_format_is_one_block_each_in_order_and_nothing_outside(tokens: list[str]) -> None:
    tags = [token for token in tokens if token.startswith("<")]
    paid = False
    if tags == list(TOKENS[:4]):
        opening, closing, start, end = (tokens.index(tag) for tag in tags)
        inside = (tokens[opening:closing], tokens[start:end])
        outside = tokens[:opening] + tokens[closing:start] + tokens[end:]
        paid = all("a" in part for part in inside) and "a" not in outside
    assert format_reward("".join(tokens)).total == float(paid)


@pytest.mark.parametrize(
    ("fmt", "out", "proc", "total"),
    [
        (1.0, 1.0, 0.5, 2.5),
        (1.0, 0.0, 0.9, 1.0),
        (1.0, 0.99, 0.9, 1.99),
        (0.0, 1.0, 7.0, 2.0),
        (0.0, 1.0, -7.0, 1.0),
        (1.0, 0.0, None, 1.0),
        (1.0, 1.0, None, None),
        (1.0, 1.0, math.nan, None),
        (1.0, 1.0, math.inf, None),
        (1.0, 0.0, math.nan, 1.0),
        (1.0, None, 0.5, None),
    ],
)
def test_gate(fmt: float, out: float | None, proc: float | None, total: float | None) -> None:
    assert gated_reward(fmt, out, proc).total == total


@given(shares, shares, st.floats() | st.none(), st.floats(0, 10))
def test_the_gate_pays_no_process_reward_where_a_test_failed(
    fmt: float, out: float, proc: float | None, weight: float
) -> None:
    reward = gated_reward(fmt, out, proc, weight=weight)
    if out != 1.0:
        assert reward.total == fmt + out
    elif reward.total is not None:
        assert fmt + out <= reward.total <= fmt + out + weight


@pytest.mark.parametrize(
    "arguments",
    [(1.5, 1.0, 0.5), (1.0, -1.0, 0.5), (1.0, math.nan, 0.5), (math.nan, 1.0, 0.5)],
)
def test_rewards_out_of_range_are_refused(arguments: tuple[float, float, float]) -> None:
    with pytest.raises(ValueError, match="must be in"):
        gated_reward(*arguments)


@pytest.mark.parametrize("weight", [-1.0, math.nan, math.inf])
def test_weights_out_of_range_are_refused(weight: float) -> None:
    with pytest.raises(ValueError, match="weight"):
        gated_reward(1.0, 1.0, 0.5, weight=weight)


def test_parts_are_named() -> None:
    reward = gated_reward(1.0, 1.0, 0.25)
    assert {name: reward.part(name) for name, _ in reward.parts} == {
        "format": 1.0,
        "outcome": 1.0,
        "process": 0.25,
        "gate": 1.0,
    }
    assert reward == Reward(2.25, reward.parts)
    with pytest.raises(KeyError):
        reward.part("length")
