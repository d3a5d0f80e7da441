"""The reward of stage II: what is paid for reasoning, and what never is."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from importlib import metadata
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tracer.records import Verdict
from trainer.reasoning import process_reward, reasoning_of
from trainer.rewards.outcomes import OUTCOMES, find_outcome, judge_outcomes, outcome_names
from trainer.rewards.stage2 import make_stage2_reward

RIGHT, WRONG = "def f(x):\n    return x + 1", "def f(x):\n    return x"
TESTS = json.dumps({"test_list": ["assert f(1) == 2", "assert f(5) == 6"]})
PROMPT = [{"role": "user", "content": "Add one."}]


def reply(thought: str, code: str) -> str:
    return f"<think>{thought}</think><answer>```python\n{code}\n```</answer>"


def by_length(prompts: Sequence[Any], texts: Sequence[str]) -> list[float | None]:
    """A reward model that anybody can please: the longer, the better."""
    return [1.0 - 1.0 / (1.0 + len(text)) for text in texts]


def pay(replies: Sequence[str], *, gated: bool = True, **columns: Any) -> list[float | None]:
    reward = make_stage2_reward(by_length, gated=gated)
    rows = {"tests": [TESTS] * len(replies), "prompts": [PROMPT] * len(replies)}
    return reward(completions=replies, **(rows | columns))


def test_reasoning_is_paid_where_the_code_is_right() -> None:
    thought = "one more"
    found = pay(
        [
            reply(thought, RIGHT),
            reply(thought, WRONG),
            f"```python\n{RIGHT}\n```",
            "no code at all",
            f"<think>{thought}</think><answer>```python\n    return x + 1\n```</answer>",
        ],
        starter=['def f(x):\n    """Add one."""\n'] * 5,
        entry_point=["f"] * 5,
    )
    process = by_length([], [thought])[0]
    assert found == pytest.approx([2 + process, 1, 1, 0, 2 + process])


@given(
    st.lists(
        st.tuples(
            st.sampled_from(["", "short", "a long and fancy thought " * 20]),
            st.sampled_from(["7", "8", "'7'", "f(7)", ""]),
            st.booleans(),
        ),
        min_size=1,
        max_size=12,
    ),
    st.floats(0, 3),
)
def test_reasoning_is_never_paid_where_the_outcome_is_not_right(
    attempts: list[tuple[str, str, bool]], weight: float
) -> None:
    replies = [
        f"<think>{thought}</think><answer>{answer}</answer>{'!' if spoilt else ''}"
        for thought, answer, spoilt in attempts
    ]
    asked: list[str] = []

    def process(prompts: Sequence[Any], texts: Sequence[str]) -> list[float | None]:
        asked.extend(texts)
        return by_length(prompts, texts)

    columns: dict[str, Any] = {
        "verifier": ["answer"] * len(replies),
        "answer": ["7"] * len(replies),
    }
    reward = make_stage2_reward(process, weight=weight)
    plain = make_stage2_reward(None, weight=0.0)
    paid, floor = reward(completions=replies, **columns), plain(completions=replies, **columns)
    for value, least, (thought, answer, _) in zip(paid, floor, attempts, strict=True):
        assert value is not None
        assert least is not None
        if answer != "7":
            assert value == least <= 1
        else:
            assert least <= value <= least + weight
            assert (value > least) <= bool(thought)
    assert len(asked) <= sum(answer == "7" for _, answer, _ in attempts)


def test_fancy_reasoning_gains_nothing_under_the_gate_and_gains_under_the_sum() -> None:
    fancy = "a thorough and careful analysis of every case " * 50
    honest, bluff = reply("add one", RIGHT), reply(fancy, WRONG)
    plain_bluff = reply("hm", WRONG)
    gated = pay([honest, bluff, plain_bluff])
    assert gated[1] == gated[2] == 1.0 < (gated[0] or 0)
    summed = pay([honest, bluff, plain_bluff], gated=False)
    assert (summed[1] or 0) - (summed[2] or 0) > 0.2


def test_what_cannot_be_judged_is_left_out() -> None:
    logged: dict[str, float] = {}
    extra: dict[str, list[Any]] = {}
    found = pay(
        [reply("a", RIGHT), reply("a", RIGHT), reply("a", WRONG)],
        tests=[TESTS, "[]", TESTS],
        log_metric=logged.__setitem__,
        log_extra=extra.__setitem__,
    )
    assert found[1] is None
    assert found[2] == 1.0
    assert logged["stage2/infrastructure"] == pytest.approx(1 / 3)
    assert logged["stage2/outcome"] == logged["stage2/gate"] + 1 / 6 == 0.5
    assert logged["stage2/process"] == by_length([], ["a"])[0]
    assert logged["stage2/unparsed"] == 0.0
    assert extra["outcome"] == [1.0, None, 0.0]
    assert extra["process"][1:] == [None, None]
    assert extra["verdict"][0] == "all 2 tests pass"


def test_the_time_for_all_tests_of_a_call_is_bounded() -> None:
    reward = make_stage2_reward(None, weight=0.0, wall_s=1e-9)
    assert reward(completions=[reply("a", RIGHT)] * 3, tests=[TESTS] * 3) == [None] * 3


def test_a_score_that_is_no_number_leaves_out_only_where_it_counts() -> None:
    reward = make_stage2_reward(lambda prompts, texts: [None] * len(texts))
    found = reward(completions=[reply("a", RIGHT), reply("a", WRONG)], tests=[TESTS] * 2)
    assert found == [None, 1.0]
    with pytest.raises(ValueError, match="needs a model that scores it"):
        make_stage2_reward(None)


def test_verifiers_are_found_by_name_and_rows_name_theirs(monkeypatch: pytest.MonkeyPatch) -> None:
    entry = metadata.EntryPoint("even", "trainer.rewards.outcomes:judge_outcomes", "x")
    broken = metadata.EntryPoint("broken", "nowhere.at_all:judge", "x")

    def entry_points(*, group: str, name: str | None = None) -> list[metadata.EntryPoint]:
        assert group == "tracefoundry.outcomes"
        return [each for each in (entry, broken) if name in (None, each.name)]

    monkeypatch.setattr(metadata, "entry_points", entry_points)
    assert outcome_names() == (*OUTCOMES, "broken", "even")
    assert find_outcome("even") is judge_outcomes
    with pytest.raises(ValueError, match="'broken' can't be imported"):
        find_outcome("broken")
    with pytest.raises(ValueError, match="no verifier 'odd'; there are: code, answer, broken"):
        find_outcome("odd")
    found = judge_outcomes(
        ["7", reply("a", RIGHT), "<answer>8</answer>"],
        [
            {"verifier": "answer", "answer": "7"},
            {"tests": TESTS},
            {"verifier": "answer", "answer": "7"},
        ],
        wall_s=60,
    )
    assert [verdict.status for verdict in found] == ["correct", "correct", "incorrect"]
    assert isinstance(found[0], Verdict)
    with pytest.raises(ValueError, match="the column 'answer' is missing"):
        find_outcome("answer")(["7"], [{}], wall_s=1)


@pytest.mark.parametrize(
    ("text", "thought"),
    [
        ("<think> a\nb </think><answer>1</answer>", "a\nb"),
        ("<think></think>1", None),
        ("<think>a</think><think>b</think>", None),
        ("<think>a<think>b</think>", None),
        ("a</think>b", None),
        ("no tags", None),
    ],
)
def test_reasoning_is_the_text_of_the_one_block(text: str, thought: str | None) -> None:
    assert reasoning_of(text) == thought


@given(st.floats(), st.floats(-1e6, 1e6), st.floats(1e-3, 1e6))
def test_the_process_reward_is_a_share_and_half_at_the_mean(
    score: float, mean: float, deviation: float
) -> None:
    found = process_reward(score, mean, deviation)
    if not math.isfinite(score):
        assert found is None
        return
    assert found is not None
    assert 0 <= found <= 1
    assert process_reward(mean, mean, deviation) == 0.5
    assert (found > 0.5) <= (score > mean)
    higher = process_reward(score + deviation, mean, deviation)
    assert higher is None or higher >= found
