"""Consistency-gated GRPO on code generation, over TRL's ``GRPOTrainer``: the config ``problems``.

The reward is :func:`trainer.rewards.stage2.make_stage2_reward`, which logs its components.

Sources: https://arxiv.org/abs/2508.05170 (the gate), https://arxiv.org/abs/2603.11226 (the numbers)
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from trainer.configs import Stage2Config
from trainer.errors import TrainingError
from trainer.floor import look
from trainer.grpo import SEEN, make_trainer, shape_of
from trainer.jobs import Job, Rows, Say, Stage, config_of
from trainer.preflight import Layout, check_columns, plan_grpo
from trainer.preparation import prepare as prepare_rows
from trainer.rewards.outcomes import find_outcome
from trainer.rewards.stage2 import make_stage2_reward
from trainer.scorer import ProcessReward, read_scale

if TYPE_CHECKING:
    from datasets import Dataset

SHAPE = shape_of("problems", "problem_id", ("prompt",))
PARTS = tuple(
    f"stage2/{part}"
    for part in ("format", "outcome", "process", "gate", "unparsed", "infrastructure")
)


def plan(job: Job, devices: int) -> Layout:
    """See :func:`plan_grpo`.

    Raises:
        TrainingError: As there, or no reward model is named, but one is needed.
    """
    config = config_of(job, Stage2Config)
    if config.weight > 0 and job.reward_model is None:
        raise TrainingError(
            "stage2 needs a reward model: --reward-model DIR of a run of `train reward`, or "
            "--set weight=0 to train on outcomes alone"
        )
    return plan_grpo(config, devices)


def prepare(job: Job, tokenizer: Any, say: Say) -> Rows:
    """The problems, in their order.

    Raises:
        TrainingError: The data, the tokenizer, the model or the reward model can't be used.
    """
    if config_of(job, Stage2Config).weight > 0:
        assert job.reward_model is not None, "checked by plan"
        read_scale(Path(job.reward_model))
    found = prepare_rows(job, SHAPE, tokenizer, say)
    check_verifiers(found.rows)
    return found


def check_verifiers(rows: Dataset) -> None:
    """See that each row names a verifier that there is, or has tests.

    Raises:
        TrainingError: One does not.
    """
    if "verifier" not in rows.column_names:
        check_columns(rows.column_names, ("tests",))
        return
    for name in sorted({name for name in rows["verifier"] if name}):
        try:
            find_outcome(name)
        except ValueError as error:
            raise TrainingError(f"config {SHAPE.config!r}: {error}") from error


def build(job: Job, tokenizer: Any, rows: Rows, say: Say) -> Any:
    """TRL's trainer for a job."""
    return make_trainer(job, tokenizer, rows, reward_of(job), PARTS, say)


@cache
def reward_of(job: Job) -> Any:
    """The reward function of a job; its model is loaded once."""
    config = config_of(job, Stage2Config)
    process = None
    if config.weight > 0:
        assert job.reward_model is not None, "checked by prepare"
        process = ProcessReward(Path(job.reward_model))
    return make_stage2_reward(
        process, weight=config.weight, gated=config.gated, wall_s=config.tests_wall_s
    )


def begin(job: Job, trainer: Any, rows: Rows, say: Say) -> None:
    """See what the model is paid before its first step."""
    look(job, trainer, rows, reward_of(job), say)


STAGE = Stage(
    config=SHAPE.config,
    plan=plan,
    prepare=prepare,
    build=build,
    begin=begin,
    curves=("reward", "reward_std", *PARTS, *SEEN),
)
