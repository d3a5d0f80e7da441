"""One frozen config a stage; what is not set is the number of the paper.

Sources: ExecVerify, https://arxiv.org/abs/2603.11226 (warm-up and both reinforcement stages; its
release runs GRPO on 8 devices with 8 completions each); ReCode, https://arxiv.org/abs/2508.05170
(the sum that is gated, with weight 1); DAPO, https://arxiv.org/abs/2503.14476 (the upper end of a
range that is clipped higher). Settings that they do not give are marked as ours.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, fields
from typing import Any, ClassVar, Literal, TypeAlias

Precision: TypeAlias = Literal["bf16", "fp32"]
Schedule: TypeAlias = Literal["constant", "linear", "cosine"]
Rollouts: TypeAlias = Literal["off", "colocate", "server"]
Stage: TypeAlias = Literal["sft", "stage1", "reward", "stage2"]

_MAY_BE_ZERO = frozenset(
    {"warmup", "weight_decay", "lora_rank", "seed", "beta", "floor_prompts", "alpha", "weight"}
)


@dataclass(frozen=True, slots=True, kw_only=True)
class StageConfig:
    """What every stage has.

    Raises:
        ValueError: A number is negative, or zero where that means nothing.
    """

    __pydantic_config__: ClassVar[dict[str, Any]] = {"extra": "forbid"}

    learning_rate: float
    epochs: float
    per_device_batch: int
    """Sequences that one device holds at a time; memory decides (ours)."""
    schedule: Schedule = "constant"
    """How the learning rate goes."""
    warmup: float = 0.0
    """Share of the steps in which the learning rate rises."""
    weight_decay: float = 0.0
    max_steps: int | None = None
    """Updates after which to stop, whatever the epochs (ours)."""
    precision: Precision = "bf16"
    """Of the computation; the weights that are trained stay in 32 bits, LoRA's base excepted."""
    gradient_checkpointing: bool = True
    """Compute activations twice and keep few (ours)."""
    lora_rank: int = 0
    """Rank of a LoRA on all linear layers; 0 trains all weights."""
    save_steps: int = 50
    """Updates between checkpoints (ours)."""
    keep_checkpoints: int = 2
    log_steps: int = 1
    report_to: tuple[str, ...] = ()
    """Trackers to report to as well: ``tensorboard``, ``wandb``, ``trackio`` (ours: none)."""
    revision: str | None = None
    """Of the model, where it is a repository."""
    pad_token: str | None = None
    """A token of the vocabulary to pad with, where the tokenizer has none of its own."""
    seed: int = 0

    def __post_init__(self) -> None:
        for field in fields(self):
            value = getattr(self, field.name)
            if isinstance(value, bool) or not isinstance(value, int | float):
                continue
            if not 0 <= value < float("inf") or (value == 0 and field.name not in _MAY_BE_ZERO):
                raise ValueError(f"{field.name} can't be {value}")
        if self.warmup >= 1:
            raise ValueError(f"warmup is a share of the steps, below 1, not {self.warmup}")


@dataclass(frozen=True, slots=True, kw_only=True)
class BatchConfig(StageConfig):
    """What the stages have that learn from written rows."""

    batch: int
    """Rows of one update, on all devices together."""
    max_length: int
    """Tokens of a row (of either side of a pair); longer ones are left out and counted."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SftConfig(BatchConfig):
    """The warm-up on written reasoning. Source: ExecVerify (the numbers)."""

    learning_rate: float = 1e-5
    epochs: float = 2
    schedule: Schedule = "cosine"
    warmup: float = 0.1
    batch: int = 16
    per_device_batch: int = 2
    max_length: int = 4096


@dataclass(frozen=True, slots=True, kw_only=True)
class RewardConfig(BatchConfig):
    """The Bradley-Terry model of how good a reasoning is. Source: ReCode; the numbers are ours."""

    learning_rate: float = 1e-5
    epochs: float = 1
    schedule: Schedule = "cosine"
    warmup: float = 0.1
    batch: int = 64
    per_device_batch: int = 4
    max_length: int = 6144
    """Tokens of prompt and reasoning: the longest of the other stages together."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GrpoConfig(StageConfig):
    """What both reinforcement stages have. Source: ExecVerify (the numbers)."""

    learning_rate: float = 1e-6
    prompts_per_step: int = 128
    """Prompts whose completions are drawn at once, on all devices together."""
    mini_batch: int = 64
    """Prompts of one update; a divisor of ``prompts_per_step``."""
    per_device_batch: int = 8
    generations: int = 8
    """Completions of a prompt, compared with one another."""
    max_prompt: int = 2048
    """Tokens of a prompt; longer ones are left out and counted."""
    max_completion: int = 4096
    """Tokens of a completion."""
    temperature: float = 1.0
    beta: float = 0.0
    """Weight of the divergence from the first model; 0: none."""
    epsilon: float = 0.2
    epsilon_high: float | None = None
    """Upper end of the clipped range, where it is another than ``epsilon``."""
    floor_prompts: int = 4
    """Prompts that are answered before the first step, to see what they are paid (ours)."""
    vllm: Rollouts = "off"
    """Who draws completions: the trained model (``off``), vLLM beside it on the same devices
    (``colocate``), or a vLLM server on others (``server``). Ours; the release: ``colocate``."""
    vllm_url: str | None = None
    """Where the server is, as ``http://host:8000``."""
    vllm_memory: float = 0.3
    """Share of a device's memory for vLLM beside the training (TRL's default)."""
    vllm_tensor_parallel: int = 1
    """Devices over which vLLM cuts up the model (ours; the release: 4)."""

    def __post_init__(self) -> None:
        # zero-argument super() does not know the class that slots=True makes
        super(GrpoConfig, self).__post_init__()
        if self.generations < 2:
            raise ValueError("generations: completions are compared, so at least 2")
        if self.prompts_per_step % self.mini_batch:
            raise ValueError(
                f"prompts_per_step ({self.prompts_per_step}) is no multiple of mini_batch "
                f"({self.mini_batch})"
            )
        if (self.vllm == "server") != (self.vllm_url is not None):
            raise ValueError("vllm_url: say where the server is with vllm=server, and only then")
        if self.vllm_memory > 1:
            raise ValueError(f"vllm_memory is a share, at most 1, not {self.vllm_memory}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Stage1Config(GrpoConfig):
    """White-box GRPO. Source: ExecVerify, stage I (the numbers)."""

    epochs: float = 4
    alpha: float | None = None
    """Weight of the white-box questions, in place of that of the rows; 0: none (an ablation)."""

    def __post_init__(self) -> None:
        super(Stage1Config, self).__post_init__()
        if self.alpha is not None and self.alpha > 1:
            raise ValueError(f"alpha is a share, at most 1, not {self.alpha}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Stage2Config(GrpoConfig):
    """Consistency-gated GRPO. Source: ExecVerify, stage II (the numbers), ReCode, DAPO."""

    epochs: float = 5
    epsilon_high: float | None = 0.28
    weight: float = 1.0
    """Of the process reward; 0: tests alone decide, and no reward model is needed."""
    gated: bool = True
    """Pay the process reward only where all tests pass; false is an ablation."""
    tests_wall_s: float = 300.0
    """Seconds by the clock for the tests of one drawing on each device; what is not begun by then
    counts as a failure of ours (ours: below the 10 minutes after which devices give up waiting)."""


CONFIGS: dict[Stage, type[StageConfig]] = {
    "sft": SftConfig,
    "stage1": Stage1Config,
    "reward": RewardConfig,
    "stage2": Stage2Config,
}
"""The stages, in the order in which they follow one another, and their configs."""


def describe(config: StageConfig) -> dict[str, Any]:
    """The config as plain data, in the order of its fields."""
    return {
        name: list(value) if isinstance(value, tuple) else value
        for name, value in asdict(config).items()
    }
