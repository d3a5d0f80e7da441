"""White-box GRPO, over TRL's ``GRPOTrainer``: the config ``stage1`` in the order of its curriculum.

The reward is :func:`trainer.rewards.stage1_reward`, which logs its components.

Source: https://arxiv.org/abs/2603.11226 (stage I and its numbers)
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from trainer.configs import Stage1Config
from trainer.floor import look
from trainer.grpo import SEEN, make_trainer, shape_of
from trainer.jobs import Job, Rows, Say, Stage, config_of
from trainer.preflight import Layout, plan_grpo
from trainer.preparation import prepare as prepare_rows
from trainer.rewards import stage1_reward

SHAPE = shape_of("stage1", "stage1_id", ("prompt", "kinds", "keys"))
PARTS = (
    "stage1/io",
    "stage1/white",
    "stage1/correct",
    "stage1/unparsed",
    "stage1/infrastructure",
)


def plan(job: Job, devices: int) -> Layout:
    """See :func:`plan_grpo`."""
    return plan_grpo(config_of(job, Stage1Config), devices)


def prepare(job: Job, tokenizer: Any, say: Say) -> Rows:
    """The prompts, in the order of the curriculum, weighed as the config says.

    Raises:
        TrainingError: The data, the tokenizer or the model can't be used.
    """
    found = prepare_rows(job, SHAPE, tokenizer, say)
    alpha = config_of(job, Stage1Config).alpha
    if alpha is None:
        return found
    rows = found.rows
    if "alpha" in rows.column_names:
        rows = rows.remove_columns("alpha")
    return replace(found, rows=rows.add_column("alpha", [alpha] * len(rows)))


def build(job: Job, tokenizer: Any, rows: Rows, say: Say) -> Any:
    """TRL's trainer for a job."""
    return make_trainer(job, tokenizer, rows, stage1_reward, PARTS, say)


def begin(job: Job, trainer: Any, rows: Rows, say: Say) -> None:
    """See what the model is paid before its first step."""
    look(job, trainer, rows, stage1_reward, say)


STAGE = Stage(
    config=SHAPE.config,
    plan=plan,
    prepare=prepare,
    build=build,
    begin=begin,
    curves=("reward", "reward_std", *PARTS, *SEEN),
)
