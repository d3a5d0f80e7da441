"""Reward functions as trainers call them; no trainer is needed to test them."""

from __future__ import annotations

import math
import statistics
import subprocess
import sys
import threading
from typing import Any

import pytest

from trainer.rewards import (
    REWARDS,
    execution_reward,
    layout_reward,
    stage1_reward,
    unit_test_outcome,
)
from trainer.rewards.single import NotJudged
from trainer.rewards.verifiers_rubric import right_answer
from trainer.rewards.verl_score import compute_score

SQUARE = "def f(x):\n    return x * x\n"


def chat(text: str) -> list[dict[str, Any]]:
    return [{"role": "assistant", "content": text}]


def test_texts_and_chats_with_unknown_columns() -> None:
    texts = ["<answer>4</answer>", "<answer>5</answer>"]
    columns: dict[str, Any] = {
        "prompts": ["a", "b"],
        "answer": ["4", "4"],
        "completion_ids": [[1, 2], [3]],
        "trainer_state": None,
        "unknown_column": [None, None],
    }
    parts = [[{"role": "assistant", "content": [{"type": "text", "text": t}]}] for t in texts]
    for completions in (texts, [chat(text) for text in texts], parts):
        rewards = execution_reward(completions=completions, **columns)
        assert rewards == [1.0, 0.0]
        assert all(type(reward) is float for reward in rewards)


def test_every_wrong_answer_is_a_finite_number() -> None:
    completions = ["<answer>4</answer>", "no tag at all", "", "<answer>4</answer>"]
    rewards = execution_reward(completions=completions, answer=["4"] * 4)
    assert rewards == [1.0, 0.0, 0.0, 1.0]
    finite = [reward for reward in rewards if reward is not None and math.isfinite(reward)]
    mean, spread = statistics.mean(finite), statistics.stdev(finite)
    advantages = [(reward - mean) / (spread + 1e-4) for reward in finite]
    assert advantages == pytest.approx([0.8659, -0.8659, -0.8659, 0.8659], abs=1e-4)


def test_no_reward_depends_on_the_batch() -> None:
    completions = [f"<answer>{number}</answer>" for number in (4, 5, 4, 4, 3, 4)]
    whole = execution_reward(completions=completions, answer=["4"] * 6)
    assert whole == [1, 0, 1, 1, 0, 1]
    for size in (1, 2, 3):
        parts = [
            execution_reward(completions=completions[at : at + size], answer=["4"] * size)
            for at in range(0, 6, size)
        ]
        assert [reward for part in parts for reward in part] == whole


@pytest.mark.parametrize(
    ("function", "columns", "name"),
    [
        (execution_reward, {"level": [1]}, "answer"),
        (stage1_reward, {"question_ids": [["q"]], "keys": [["1"]]}, "kinds"),
        (unit_test_outcome, {"entry_point": ["f"]}, "test_list"),
    ],
)
def test_a_missing_column_is_named(function: Any, columns: dict[str, Any], name: str) -> None:
    with pytest.raises(ValueError, match=name):
        function(completions=["4"], **columns)


def test_a_column_of_another_length_is_named() -> None:
    for columns in ({"answer": ["4", "4"]}, {"answer": "4"}, {"answer": ["4"], "kind": []}):
        with pytest.raises(ValueError, match="one value for each completion"):
            execution_reward(completions=["4"], **columns)


def test_inputs_are_run_and_failures_leave_the_row_out() -> None:
    rewards = execution_reward(
        completions=["f(-3)", "f(4)", "f(-3)", "assert True"],
        answer=["assert f(3) == 9"] * 4,
        kind=["input"] * 4,
        source=[SQUARE, SQUARE, None, SQUARE],
        entry_point=["f", "f", None, "f"],
    )
    assert rewards == [1.0, 0.0, None, 0.0]


BODIES = (
    "def f(x):\n    return x + 1",
    "def f(x):\n    raise SystemExit(0)",
    "def f(x):\n    while True:\n        pass",
    "import os\ndef f(x):\n    os.kill(os.getpid(), 9)",
    "def f(x):\n    return 1 + x",
)
TESTS: dict[str, Any] = {
    "entry_point": ["f"] * 5,
    "test_list": [["assert f(1) == 2", "assert f(-1) == 0"]] * 5,
}


def test_it_works_in_a_thread_and_one_bad_program_does_not_zero_the_batch() -> None:
    found: list[Any] = []

    def work() -> None:
        found.append(
            execution_reward(
                completions=["f(-3)"],
                answer=["assert f(3) == 9"],
                kind=["input"],
                source=[SQUARE],
                entry_point=["f"],
            )
        )
        found.append(unit_test_outcome(completions=BODIES, **TESTS))

    thread = threading.Thread(target=work)
    thread.start()
    thread.join(100)
    assert found == [[1.0], [1.0, 0.0, 0.0, 0.0, 1.0]]


STAGE1 = {
    "question_ids": ["q1", "q2", "q3"],
    "kinds": ["output", "next_statement", "next_statement"],
    "keys": ["9", "2", "terminates"],
}


@pytest.mark.parametrize(
    ("reply", "reward"),
    [
        ('<answer>{"q1": "9", "q2": "2", "q3": "terminates"}</answer>', 2.0),
        ('<answer>\n{"q3": "terminates",\n\n "q2": "3", "q1": "9"}\n</answer>', 1.5),
        ("<answer>9\n\n2\nterminates</answer>", 2.0),
        ("<answer>8\n2\nterminates</answer>", 1.0),
        ("<answer>2\nterminates</answer>", 0.0),
        ("9", 0.0),
    ],
)
def test_stage1(reply: str, reward: float) -> None:
    columns = {name: [value] for name, value in STAGE1.items()}
    assert stage1_reward(completions=[reply], **columns) == [reward]
    gated = stage1_reward(completions=[reply], **columns, stage1_gate=[True])
    assert gated == [reward if "9" in reply else 0.0]


def test_alpha_is_a_column_and_parts_are_logged() -> None:
    logged: dict[str, float] = {}
    columns = {name: [value] * 2 for name, value in STAGE1.items()}
    rewards = stage1_reward(
        completions=["9\n2\n7", "8\n2\nterminates"],
        **columns,
        alpha=[0.25, None],
        log_metric=logged.__setitem__,
    )
    assert rewards == [2 * (0.75 + 0.25 * 0.5), 1.0]
    assert logged == {
        "stage1/correct": pytest.approx(4 / 6),
        "stage1/unparsed": 0.0,
        "stage1/infrastructure": 0.0,
        "stage1/io": 0.5,
        "stage1/white": 0.75,
    }


def test_credit_for_a_share_of_the_tests() -> None:
    half = ["def f(x):\n    return 2"]
    assert unit_test_outcome(
        completions=half, entry_point=["f"], test_list=TESTS["test_list"][:1], credit=["fractional"]
    ) == [0.5]


def test_tests_that_cannot_be_used_leave_the_row_out() -> None:
    rewards = unit_test_outcome(
        completions=["def f(x):\n    return x"] * 2,
        entry_point=["f"] * 2,
        test_list=[["assert f(1) =="], ["assert f(1) == 1"]],
    )
    assert rewards == [None, 1.0]


def test_layouts() -> None:
    replies = ["<think>a</think><answer>7</answer>", "<think>a</think>7", "7"]
    assert layout_reward(completions=replies) == [1.0, 0.0, 0.0]
    assert layout_reward(completions=replies, layout=["think"] * 3) == [0.0, 1.0, 0.0]


def test_verl() -> None:
    row = {"kind": "input", "source": SQUARE, "entry_point": "f"}
    assert compute_score("d", "so <answer>4</answer>", "4")["score"] == 1.0
    assert compute_score("d", "f(-3)", "assert f(3) == 9", row)["score"] == 1.0
    wrong = compute_score("d", "f(2)", "assert f(3) == 9", row)
    assert (wrong["score"], wrong["verdict"]) == (0.0, "incorrect")
    assert "4" in wrong["reason"]
    code = {"kind": "code", "entry_point": "f", "test_list": ["assert f(2) == 4"]}
    assert compute_score("d", f"```python\n{SQUARE}```", "", code)["score"] == 1.0
    with pytest.raises(NotJudged):
        compute_score("d", "f(-3)", "assert f(3) == 9", {"kind": "input"})
    unjudged = compute_score("d", "f(-3)", "assert f(3) == 9", {"kind": "input"}, unjudged=0.5)
    assert (unjudged["score"], unjudged["verdict"]) == (0.5, "infrastructure")


def test_verifiers() -> None:
    assert right_answer(chat("<answer>4</answer>"), "4", state={}) == 1.0
    assert right_answer("5", "4", {"kind": "output"}) == 0.0


def test_every_reward_is_named_and_says_its_source() -> None:
    assert len({reward.__name__ for reward in REWARDS}) == len(REWARDS)
    for reward in REWARDS:
        assert "Source: " in (sys.modules[reward.__module__].__doc__ or "")
        assert reward(completions=[], answer=[], question_ids=[], kinds=[], keys=[], test=[]) == []


def test_no_trainer_is_imported() -> None:
    code = (
        "import sys, trainer.rewards, trainer.rewards.verl_score, trainer.rewards.verifiers_rubric;"
        "print({m.split('.')[0] for m in sys.modules} & {'trl', 'verl', 'verifiers', 'torch'})"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"
