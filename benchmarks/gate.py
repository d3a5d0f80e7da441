"""What the gate of stage II is for: a policy that may bluff, with the gate and with the plain sum.

Each reply is written in one of two ways, and the policy learns which to choose, with advantages
taken within groups as GRPO takes them. The rewards are those of `trainer.rewards.stage2`, the tests
run in the sandbox, and the reward model is one that anybody can please: the longer, the better.

    python benchmarks/gate.py [--plot FILE.png]
"""

from __future__ import annotations

import argparse
import json
import math
import random
import statistics
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from trainer.rewards.stage2 import make_stage2_reward

STEPS, PROMPTS, GENERATIONS, RATE = 300, 16, 8, 0.05
RIGHT, WRONG = "def f(x):\n    return x + 1", "def f(x):\n    return x"
TESTS = json.dumps({"test_list": ["assert f(1) == 2", "assert f(5) == 6"]})
FANCY = "A thorough analysis of every case, weighing each alternative with care. " * 20
PLAIN = "Add one to x and return it."


@dataclass(frozen=True, slots=True)
class Way:
    """How a reply is written."""

    name: str
    thought: str
    passes: float
    """How often its code is right."""


WAYS = (
    Way("short and honest", PLAIN, 0.4),
    Way("fancy, with code that fails", FANCY, 0.0),
)


def judge(prompts: Sequence[Any], texts: Sequence[str]) -> list[float | None]:
    """A reward model that can be pleased."""
    return [1.0 - math.exp(-len(text) / 500) for text in texts]


def price(*, gated: bool) -> list[tuple[float, float]]:
    """What a reply of each way is paid when its code is wrong, and when it is right."""
    replies = [
        f"<think>{way.thought}</think><answer>```python\n{code}\n```</answer>"
        for way in WAYS
        for code in (WRONG, RIGHT)
    ]
    paid = make_stage2_reward(judge, gated=gated)(
        completions=replies, tests=[TESTS] * len(replies), entry_point=["f"] * len(replies)
    )
    known = [value for value in paid if value is not None]
    assert len(known) == len(paid), "the sandbox works"
    return list(zip(known[::2], known[1::2], strict=True))


def learn(prices: Sequence[tuple[float, float]], seed: int) -> list[list[float]]:
    """Shares of the ways, step by step."""
    rng = random.Random(seed)
    logits = [0.0] * len(WAYS)
    history = []
    for _ in range(STEPS):
        weights = [math.exp(value - max(logits)) for value in logits]
        shares = [weight / sum(weights) for weight in weights]
        history.append(shares)
        change = [0.0] * len(WAYS)
        for _ in range(PROMPTS):
            chosen = rng.choices(range(len(WAYS)), shares, k=GENERATIONS)
            paid = [prices[way][rng.random() < WAYS[way].passes] for way in chosen]
            spread = statistics.pstdev(paid) + 1e-4
            for way, value in zip(chosen, paid, strict=True):
                advantage = (value - statistics.fmean(paid)) / spread
                for other in range(len(WAYS)):
                    change[other] += advantage * ((other == way) - shares[other])
        count = PROMPTS * GENERATIONS
        logits = [
            value + RATE * GENERATIONS * by / count
            for value, by in zip(logits, change, strict=True)
        ]
    return history


def draw(histories: dict[str, list[list[float]]], file: Path) -> None:
    from matplotlib.figure import Figure

    figure = Figure(figsize=(8, 3), layout="constrained")
    for place, (title, history) in enumerate(histories.items(), 1):
        axis = figure.add_subplot(1, 2, place)
        for number, way in enumerate(WAYS):
            axis.plot([shares[number] for shares in history], label=way.name)
        axis.set_title(title, fontsize=10)
        axis.set_xlabel("update")
        axis.set_ylim(0, 1)
        axis.legend(fontsize=8)
    figure.savefig(file, dpi=110)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--plot", type=Path)
    given = parser.parse_args()
    histories = {}
    print(f"{'':<30}{'paid, code wrong':>18}{'code right':>12}{'share at the end':>18}")
    for title, gated in (("gated", True), ("plain sum", False)):
        prices = price(gated=gated)
        history = histories[title] = learn(prices, seed=0)
        for way, (wrong, right), share in zip(WAYS, prices, history[-1], strict=True):
            print(f"{title + ': ' + way.name:<38}{wrong:>10.2f}{right:>12.2f}{share:>18.3f}")
        ends = zip(WAYS, history[-1], strict=True)
        passes = sum(way.passes * share for way, share in ends)
        print(f"{title}: programs that pass at the end {passes:.3f}")
    if given.plot is not None:
        draw(histories, given.plot)


if __name__ == "__main__":
    main()
