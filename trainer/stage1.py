"""White-box GRPO, over TRL's ``GRPOTrainer``: the config ``stage1`` in the order of its curriculum.

The reward is :func:`trainer.rewards.stage1_reward`, which logs its components.

Source: https://arxiv.org/abs/2603.11226 (stage I and its numbers)
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from trainer.configs import Stage1Config
from trainer.errors import TrainingError
from trainer.jobs import (
    Job,
    Rows,
    Say,
    adapter,
    choose_rows,
    common_arguments,
    count_devices,
    count_positions,
    listen,
    run_job,
)
from trainer.preflight import (
    check_columns,
    check_count,
    check_padding,
    check_room,
    fitting,
    plan_stage1,
)
from trainer.rewards import stage1_reward

if TYPE_CHECKING:
    from datasets import Dataset

CONFIG = "stage1"
WANTED = ("prompt", "kinds", "keys")
ORDER = ("phase", "place", "stage1_id")
"""Columns of the curriculum: rows are trained on in their order, where there are all three."""
PARTS = (
    "reward",
    "reward_std",
    "stage1/io",
    "stage1/white",
    "stage1/correct",
    "stage1/unparsed",
    "stage1/infrastructure",
    "frac_reward_zero_std",
    "completions/mean_length",
    "completions/clipped_ratio",
    "loss",
)
_CHUNK = 1_000


def train_stage1(job: Job, say: Say) -> None:
    """Run the stage.

    Raises:
        TrainingError: Something can't be used; nothing was trained.
    """
    plan_stage1(config_of(job), count_devices())
    run_job(job, prepare, lambda job, tokenizer, rows: build(job, tokenizer, rows, say), say, PARTS)


def config_of(job: Job) -> Stage1Config:
    """The job's config."""
    assert isinstance(job.config, Stage1Config)
    return job.config


def prepare(job: Job, tokenizer: Any, say: Say) -> Rows:
    """The prompts, in the order of the curriculum.

    Raises:
        TrainingError: The data, the tokenizer or the model can't be used.
    """
    config = config_of(job)
    check_padding(tokenizer.pad_token, tokenizer.eos_token)
    if tokenizer.chat_template is None:
        raise TrainingError(
            f"--model {job.model}: its tokenizer has no chat template, and the prompts are chats"
        )
    room = config.max_prompt + config.max_completion
    check_room(count_positions(job), room, "max_prompt + max_completion")
    rows = choose_rows(job, CONFIG)
    check_columns(rows.column_names, WANTED)
    rows = in_order(rows)
    kept = fitting(_lengths(rows, tokenizer), config.max_prompt)
    left_out = len(rows) - len(kept)
    if left_out:
        say(f"{left_out} of {len(rows)} prompts are longer than {config.max_prompt} tokens")
    check_count(len(kept), config.prompts_per_step, "prompts_per_step")
    return Rows(rows.select(kept), (("longer_than_max_prompt", left_out),))


def in_order(rows: Dataset) -> Dataset:
    """The rows in the order of their curriculum; as they stand where they have none."""
    if any(name not in rows.column_names for name in ORDER):
        return rows
    keys = list(zip(*(rows[name][:] for name in ORDER), strict=True))
    return rows.select(sorted(range(len(keys)), key=keys.__getitem__))


def _lengths(rows: Dataset, tokenizer: Any) -> list[int]:
    """Tokens of each prompt."""
    lengths: list[int] = []
    for batch in rows.select_columns(["prompt"]).iter(_CHUNK):
        texts = [
            tokenizer.apply_chat_template(chat, add_generation_prompt=True, tokenize=False)
            for chat in batch["prompt"]
        ]
        lengths.extend(map(len, tokenizer(texts, add_special_tokens=False)["input_ids"]))
    return lengths


def build(job: Job, tokenizer: Any, rows: Rows, say: Say) -> Any:
    """TRL's trainer for a job."""
    from trl import GRPOConfig, GRPOTrainer

    config = config_of(job)
    layout = plan_stage1(config, count_devices())
    arguments = GRPOConfig(
        **common_arguments(job),
        gradient_accumulation_steps=layout.accumulation,
        steps_per_generation=layout.passes,
        num_generations=config.generations,
        max_completion_length=config.max_completion,
        temperature=config.temperature,
        beta=config.beta,
        epsilon=config.epsilon,
        epsilon_high=config.epsilon_high,
        shuffle_dataset=False,
        log_completions=True,
        num_completions_to_print=0,
    )
    tokenizer.padding_side = "left"
    trainer = GRPOTrainer(
        model=job.model,
        reward_funcs=[stage1_reward],
        args=arguments,
        train_dataset=rows.rows,
        processing_class=tokenizer,
        peft_config=adapter(config),
    )
    return listen(trainer, say, PARTS)
