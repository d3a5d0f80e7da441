"""Reward functions with TRL's signature, each a thin adapter over ``tracer``'s verdicts.

``f(prompts=..., completions=..., completion_ids=..., **columns)`` gives ``list[float | None]``;
completions are texts or chats, columns that a function does not know are ignored, and ``None``
leaves a row out because it could not be judged. Neither TRL nor any other trainer is imported. The
same verdicts for verl and ``verifiers``: :mod:`trainer.rewards.verl_score` and
:mod:`trainer.rewards.verifiers_rubric`.
"""

from __future__ import annotations

from trainer.rewards.base import RewardFunction
from trainer.rewards.execution import execution_reward
from trainer.rewards.layout import layout_reward
from trainer.rewards.stage1 import stage1_reward
from trainer.rewards.unit_tests import unit_test_outcome

__all__ = [
    "REWARDS",
    "RewardFunction",
    "execution_reward",
    "layout_reward",
    "stage1_reward",
    "unit_test_outcome",
]

REWARDS: tuple[RewardFunction, ...] = (
    execution_reward,
    stage1_reward,
    unit_test_outcome,
    layout_reward,
)
