"""What is checked before the first step: pure functions, each error one line with the mend.

Source: own; the traps are those of TRL 1.16, read from its code.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from trainer.configs import BatchConfig, GrpoConfig
from trainer.errors import TrainingError

RESERVED = frozenset(
    {
        "completion",
        "completion_ids",
        "completions",
        "environments",
        "log_extra",
        "log_metric",
        "prompts",
        "trainer_state",
    }
)
"""Columns that the GRPO trainer drops, overwrites or stumbles over without a word."""


@dataclass(frozen=True, slots=True)
class Layout:
    """How the batches of a config fall on devices."""

    accumulation: int
    """Backward passes of one update on each device."""
    passes: int
    """Backward passes on each device until completions are drawn anew."""

    @property
    def updates(self) -> int:
        """Updates from one drawing of completions to the next."""
        return self.passes // self.accumulation


def check_columns(names: Sequence[str], wanted: Sequence[str]) -> None:
    """See that no column has a reserved name, and none that is needed is missing.

    Raises:
        TrainingError: The columns can't be trained on.
    """
    reserved = sorted(RESERVED & set(names))
    if reserved:
        raise TrainingError(
            f"the data have the column {reserved[0]!r}, a name that the trainer keeps for itself: "
            "rename it"
        )
    missing = [name for name in wanted if name not in names]
    if missing:
        raise TrainingError(
            f"the data have no column {missing[0]!r}; there are: {', '.join(sorted(names))}"
        )


def plan_grpo(config: GrpoConfig, devices: int) -> Layout:
    """Steps that draw and learn exactly as many prompts as the config says.

    Raises:
        TrainingError: The numbers do not divide, or checkpoints would fall between two drawings,
            from which a run can't be resumed to the same weights.
    """
    at_once = config.per_device_batch * devices
    update = config.mini_batch * config.generations
    if update % at_once:
        fits = [n for n in range(1, config.per_device_batch) if not update % (n * devices)]
        mend = (
            f"per_device_batch={fits[-1]}" if fits else f"mini_batch={config.mini_batch * devices}"
        )
        raise TrainingError(
            f"an update takes mini_batch × generations = {update} completions, which "
            f"per_device_batch × {devices} devices = {at_once} does not divide: --set {mend}"
        )
    if config.vllm == "colocate" and devices % config.vllm_tensor_parallel:
        raise TrainingError(
            f"vllm_tensor_parallel={config.vllm_tensor_parallel} does not divide {devices} "
            "devices: each copy of vLLM takes so many of them"
        )
    drawn = config.prompts_per_step * config.generations
    layout = Layout(accumulation=update // at_once, passes=drawn // at_once)
    if config.save_steps % layout.updates:
        nearest = max(1, round(config.save_steps / layout.updates)) * layout.updates
        raise TrainingError(
            f"save_steps={config.save_steps} is no multiple of {layout.updates}, the updates for "
            "which completions are drawn at once, so a resumed run would go another way: "
            f"--set save_steps={nearest}"
        )
    return layout


def plan_batches(config: BatchConfig, devices: int) -> Layout:
    """Steps that learn exactly as many rows as the config says.

    Raises:
        TrainingError: The numbers do not divide.
    """
    at_once = config.per_device_batch * devices
    if config.batch % at_once:
        raise TrainingError(
            f"batch={config.batch} is no multiple of per_device_batch × {devices} devices = "
            f"{at_once}: --set batch={max(1, config.batch // at_once) * at_once}"
        )
    return Layout(accumulation=config.batch // at_once, passes=config.batch // at_once)


def fitting(lengths: Sequence[int], limit: int) -> list[int]:
    """Places of what is no longer than the limit, in order."""
    return [place for place, length in enumerate(lengths) if length <= limit]


def check_count(rows: int, least: int, key: str) -> None:
    """See that there is at least one whole batch; the trainer would end after no step.

    Raises:
        TrainingError: There is not.
    """
    if rows < least:
        raise TrainingError(
            f"{rows} rows are fewer than one batch of {least} ({key}): take more data, a wider "
            f"--filter, or a smaller {key}"
        )


def check_room(positions: int | None, wanted: int, keys: str) -> None:
    """See that the model has a position for each token.

    Raises:
        TrainingError: It has not.
    """
    if positions is not None and wanted > positions:
        raise TrainingError(
            f"{keys} = {wanted} tokens, but the model has {positions} positions: "
            "--set a smaller one"
        )


def check_padding(pad: str | None, end: str | None) -> None:
    """See that the tokenizer pads with a token of its own.

    Padding with the end token hides where a reply ends.

    Raises:
        TrainingError: It does not.
    """
    if pad is None or pad == end:
        reason = "has no token to pad with" if pad is None else f"pads with its end token {pad!r}"
        raise TrainingError(
            f"the tokenizer {reason}: name another token of its vocabulary, as "
            "--set 'pad_token=<|pad|>'"
        )
