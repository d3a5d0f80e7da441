"""The benchmark of reward models: which replies make a pair, and files of its shape."""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from factory.models.base import Prompt, Sampling
from factory.reasoning.plans.injuries import BY_NAME
from factory.reasoning.plans.outline import plan_of
from factory.reasoning.plans.telling import plan_text, tell_plan
from factory.teaching.asking import Asker
from factory.teaching.reward_benchmark import Task, judge_reply, make_benchmark, tasks_of
from tracer import Call, Program, Runner
from tracer.reward_pairs import pair_of
from tracer.unit_tests import UnitTester

DATA = Path(__file__).parent.parent / "data"
SOURCE = """\
def f(prices, limit):
    total = 0
    for price in prices:
        if price > limit:
            total = total + price
    return total - limit
"""
WRONG = SOURCE.replace("total - limit", "total + limit")


@pytest.fixture(scope="module")
def task() -> Task:
    with Runner() as runner:
        traces = [runner.run(Program(SOURCE, "f"), Call("[5, 9, 2], 4"))]
    plan = plan_of(SOURCE, "f", traces)
    assert plan is not None
    problem = {
        "problem_id": "p1",
        "prompt": [{"role": "user", "content": "Write `f`; `f([5, 9, 2], 4)` returns `10`."}],
        "starter": "def f(prices, limit):\n",
        "entry_point": "f",
        "tests": json.dumps({"test_list": ["assert f([7], 3) == 4", "assert f([], 1) == -1"]}),
    }
    return Task(problem, plan)


def reply(plan: str, code: str) -> str:
    return f"<think>\n{plan}\n</think>\n<answer>\n```python\n{code}```\n</answer>"


def plans(task: Task) -> tuple[str, str]:
    told = tell_plan(task.plan, random.Random(1))
    assert told is not None
    spoilt = BY_NAME["operands_of_value"].change(told, random.Random(2), False)
    assert spoilt is not None
    return plan_text(told), plan_text(spoilt)


def test_a_reply_counts_when_its_plan_and_its_code_agree(task: Task) -> None:
    good, bad = plans(task)
    with UnitTester() as tester:
        found = [
            judge_reply(text, task, tester)
            for text in (
                reply(good, SOURCE),
                reply(bad, WRONG),
                reply(bad, SOURCE),
                reply(good, WRONG),
                reply("It is easy.", SOURCE),
                "no code",
            )
        ]
    assert found == ["good", "bad", "disagreeing", "disagreeing", "unread", "unread"]


class Alternating:
    """Gives each prompt the same replies."""

    name = "alternating"

    def __init__(self, replies: Sequence[str]) -> None:
        self.replies = list(replies)
        self.prompts: list[str] = []

    def complete(
        self, prompts: Sequence[Prompt], *, n: int, temperature: float, max_tokens: int, seed: int
    ) -> list[list[str]]:
        self.prompts += [prompt[-1]["content"] for prompt in prompts]
        return [(self.replies * n)[:n] for _ in prompts]


def test_a_problem_with_a_good_and_a_bad_reply_gives_a_pair(task: Task) -> None:
    good, bad = plans(task)
    model = Alternating([reply(good, SOURCE), reply(bad, WRONG), reply(good, WRONG)])
    with UnitTester() as tester:
        asker = Asker(model, None, Sampling(1.0, 99, 0))
        found = make_benchmark([task], asker, 3, tester)
        none = make_benchmark([task], asker, 1, tester)
    assert found.replies == {"good": 1, "bad": 1, "unread": 0, "disagreeing": 1}
    (pair,) = found.pairs
    read = pair_of(pair)
    assert (read.chosen, read.rejected) == (reply(good, SOURCE), reply(bad, WRONG))
    assert read.prompt == tuple(task.problem["prompt"])
    assert none.pairs == ()
    assert "- Set `NAME` to `TEXT`." in model.prompts[0]


def test_the_problems_of_a_dataset_have_plans(drawn_dataset: Path) -> None:
    from factory.load import read_rows

    programs = {row["program_id"]: row for row in read_rows(drawn_dataset, "programs")}
    traces: dict[str, list[dict[str, Any]]] = {}
    for row in read_rows(drawn_dataset, "traces"):
        traces.setdefault(row["program_id"], []).append(row)
    problems = list(read_rows(drawn_dataset, "problems"))
    tasks = list(tasks_of(problems, programs, traces))
    assert len(tasks) > len(problems) / 2
    assert all(task.plan.examples for task in tasks)


def test_a_file_of_the_published_shape_is_read() -> None:
    lines = (DATA / "problems/reward_pairs.jsonl").read_text().splitlines()
    pairs = [pair_of(json.loads(line)) for line in lines]
    assert len(pairs) == 5
    assert pairs[3].prompt[0]["role"] == "system"
    assert all(pair.chosen.startswith("<think>") for pair in pairs)


@pytest.mark.parametrize(
    ("record", "said"),
    [
        ({"prompt": "p", "chosen": "a"}, "no field 'rejected'"),
        ({"prompt": "p", "chosen": "a", "rejected": "a"}, "are the same"),
        ({"prompt": 3, "chosen": "a", "rejected": "b"}, "'prompt' is neither text nor"),
        ({"prompt": "p", "chosen": [{"role": "user"}], "rejected": "b"}, "has no role or no"),
    ],
)
def test_other_records_are_refused(record: dict[str, Any], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        pair_of(record)
