"""What both reinforcement stages share, over TRL's ``GRPOTrainer``: prompts, arguments, logs."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from trainer.arguments import assemble, common_arguments
from trainer.configs import GrpoConfig
from trainer.errors import TrainingError
from trainer.jobs import Job, Rows, Say, config_of, count_devices
from trainer.preflight import check_columns, plan_grpo
from trainer.preparation import Shape, check_template, in_chunks

if TYPE_CHECKING:
    from datasets import Dataset

ORDER = ("phase", "place")
"""Columns of the curriculum: rows are trained on in their order, then by id, where there are."""
SEEN = (
    "frac_reward_zero_std",
    "completions/mean_length",
    "completions/clipped_ratio",
    "loss",
)
"""What the trainer logs of every stage, beside the rewards."""

RewardFunction = Callable[..., Sequence[float | None]]


def shape_of(config: str, identity: str, wanted: Sequence[str]) -> Shape:
    """How a stage reads prompts.

    Args:
        config: Config of the dataset.
        identity: Its column of ids, the last key of the order.
        wanted: Columns that must be there.
    """

    def read(job: Job, rows: Dataset, tokenizer: Any, say: Say) -> Dataset:
        check_template(job, tokenizer, "prompts")
        check_columns(rows.column_names, wanted)
        return in_order(rows, (*ORDER, identity))

    room = ("max_prompt", "max_completion")
    return Shape(config, "prompts", "max_prompt", room, "prompts_per_step", read, _lengths)


def in_order(rows: Dataset, columns: Sequence[str]) -> Dataset:
    """The rows in the order of some columns; as they stand where one of them is missing."""
    if any(name not in rows.column_names for name in columns):
        return rows
    keys = list(zip(*(rows[name][:] for name in columns), strict=True))
    return rows.select(sorted(range(len(keys)), key=keys.__getitem__))


def _lengths(rows: Dataset, tokenizer: Any) -> list[int]:
    """Tokens of each prompt."""
    lengths: list[int] = []
    for batch in in_chunks(rows, ["prompt"]):
        texts = [
            tokenizer.apply_chat_template(chat, add_generation_prompt=True, tokenize=False)
            for chat in batch["prompt"]
        ]
        lengths.extend(map(len, tokenizer(texts, add_special_tokens=False)["input_ids"]))
    return lengths


def grpo_arguments(job: Job) -> dict[str, Any]:
    """Arguments of TRL's ``GRPOConfig`` for a job, whose config is a ``GrpoConfig``."""
    config = config_of(job, GrpoConfig)
    layout = plan_grpo(config, count_devices())
    return {
        **common_arguments(job),
        "gradient_accumulation_steps": layout.accumulation,
        "steps_per_generation": layout.passes,
        "num_generations": config.generations,
        "max_completion_length": config.max_completion,
        "temperature": config.temperature,
        "beta": config.beta,
        "epsilon": config.epsilon,
        "epsilon_high": config.epsilon_high,
        "shuffle_dataset": False,
        "log_completions": True,
        "num_completions_to_print": 0,
        **_rollouts(config),
    }


def _rollouts(config: GrpoConfig) -> dict[str, Any]:
    """Who draws completions."""
    if config.vllm == "off":
        return {}
    arguments = {"use_vllm": True, "vllm_mode": config.vllm}
    if config.vllm == "server":
        return arguments | {"vllm_server_base_url": config.vllm_url}
    return arguments | {
        "vllm_gpu_memory_utilization": config.vllm_memory,
        "vllm_tensor_parallel_size": config.vllm_tensor_parallel,
        "vllm_max_model_length": config.max_prompt + config.max_completion,
    }


def require_vllm(job: Job) -> None:
    """See that vLLM is there where the config wants it: its server is talked to through it as well.

    Raises:
        TrainingError: It is not installed.
    """
    config = config_of(job, GrpoConfig)
    if config.vllm != "off" and importlib.util.find_spec("vllm") is None:
        raise TrainingError(
            f"vllm={config.vllm} needs vllm, which is not installed: "
            "pip install 'tracefoundry[vllm]'"
        )


def make_trainer(
    job: Job, tokenizer: Any, rows: Rows, reward: RewardFunction, parts: Sequence[str], say: Say
) -> Any:
    """TRL's trainer for a job, with one reward function.

    Args:
        job: Its config is a ``GrpoConfig``.
        tokenizer: The model's.
        rows: Prompts, in the order in which they are trained on.
        reward: What completions are paid.
        parts: What the reward logs, to be told of.
        say: Told of every log.

    Raises:
        TrainingError: Completions are to be drawn by vLLM, which is not installed.
    """
    require_vllm(job)
    from trl import GRPOConfig, GRPOTrainer

    tokenizer.padding_side = "left"
    arguments = GRPOConfig(**grpo_arguments(job))
    logs = ("reward", "reward_std", *parts, *SEEN)
    return assemble(GRPOTrainer, job, tokenizer, rows, arguments, say, logs, reward_funcs=[reward])
