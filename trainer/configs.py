"""One frozen config a stage; what is not set is the number of the paper.

Sources: ExecVerify, https://arxiv.org/abs/2603.11226 (both stages; its release runs GRPO on 8
devices with 8 completions each). Settings that the paper does not give are marked as ours.
"""

from __future__ import annotations

import difflib
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any, ClassVar, Literal, TypeAlias, TypeVar

import yaml

from trainer.errors import TrainingError

Precision: TypeAlias = Literal["bf16", "fp32"]
Stage: TypeAlias = Literal["sft", "stage1"]
T = TypeVar("T")

_MAY_BE_ZERO = frozenset({"warmup", "weight_decay", "lora_rank", "seed", "beta"})


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
    schedule: Literal["constant", "linear", "cosine"] = "constant"
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
class SftConfig(StageConfig):
    """The warm-up on written reasoning. Source: ExecVerify (the numbers)."""

    learning_rate: float = 1e-5
    epochs: float = 2
    schedule: Literal["constant", "linear", "cosine"] = "cosine"
    warmup: float = 0.1
    batch: int = 16
    """Conversations of one update, on all devices together."""
    per_device_batch: int = 2
    max_length: int = 4096
    """Tokens of a conversation; longer ones are left out and counted."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Stage1Config(StageConfig):
    """White-box GRPO. Source: ExecVerify, stage I (the numbers)."""

    learning_rate: float = 1e-6
    epochs: float = 4
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

    def __post_init__(self) -> None:
        # zero-argument super() does not know the class that slots=True makes
        super(Stage1Config, self).__post_init__()
        if self.generations < 2:
            raise ValueError("generations: completions are compared, so at least 2")
        if self.prompts_per_step % self.mini_batch:
            raise ValueError(
                f"prompts_per_step ({self.prompts_per_step}) is no multiple of mini_batch "
                f"({self.mini_batch})"
            )


CONFIGS: dict[Stage, type[StageConfig]] = {"sft": SftConfig, "stage1": Stage1Config}
"""The stages and their configs."""


def load_config(stage: Stage, file: Path | None, settings: Sequence[str]) -> StageConfig:
    """The config of a stage.

    Args:
        stage: Which stage.
        file: YAML with keys of the config, or nothing.
        settings: ``key=value`` each, the value as in YAML; they win over the file.

    Raises:
        TrainingError: The file can't be read, or a key or value is not known.
    """
    kind = CONFIGS[stage]
    given: dict[str, Any] = {}
    if file is not None:
        for key, value in _read(file).items():
            _check_key(kind, str(key), f"{file}")
            given[str(key)] = value
    for setting in settings:
        key, equals, text = setting.partition("=")
        if not equals:
            raise TrainingError(f"--set {setting}: write key=value")
        _check_key(kind, key.strip(), "--set")
        try:
            given[key.strip()] = yaml.safe_load(text)
        except yaml.YAMLError as error:
            raise TrainingError(f"--set {setting}: the value is no YAML ({error})") from error
    return _validate(kind, given)


def describe(config: StageConfig) -> dict[str, Any]:
    """The config as plain data, in the order of its fields."""
    return {
        name: list(value) if isinstance(value, tuple) else value
        for name, value in asdict(config).items()
    }


def _read(file: Path) -> Mapping[Any, Any]:
    try:
        found = yaml.safe_load(file.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, yaml.YAMLError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        raise TrainingError(f"{file}: can't be read as YAML: {reason}") from error
    if found is None:
        return {}
    if not isinstance(found, dict):
        raise TrainingError(f"{file}: not keys and values, as `learning_rate: 1e-6`")
    return found


def _check_key(kind: type[StageConfig], key: str, where: str) -> None:
    names = [field.name for field in fields(kind)]
    if key in names:
        return
    near = difflib.get_close_matches(key, names, 1)
    there = f"did you mean {near[0]!r}?" if near else f"there are: {', '.join(names)}"
    raise TrainingError(f"{where}: no key {key!r}; {there}")


def _validate(kind: type[T], given: Mapping[str, Any]) -> T:
    from pydantic import TypeAdapter, ValidationError

    try:
        return TypeAdapter(kind).validate_python(given)
    except ValidationError as error:
        first = error.errors()[0]
        key = ".".join(map(str, first["loc"]))
        reason = first["msg"].removeprefix("Value error, ")
        raise TrainingError(f"config: {key + ': ' if key else ''}{reason}") from error
