"""What a model is paid before its first step: a few prompts answered, and a line about them.

Nothing is learned where every completion is paid alike, is cut off, or can't be judged; that is
seen here in a minute instead of after a night. The draws of the training itself are not touched.

Source: own.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from trainer.configs import GrpoConfig
from trainer.errors import TrainingError
from trainer.grpo import RewardFunction
from trainer.jobs import Job, Rows, Say
from trainer.reporting import CLIPPED, EQUAL, advise


@dataclass(frozen=True, slots=True)
class Floor:
    """What a few groups of completions were paid."""

    rewards: tuple[tuple[float | None, ...], ...]
    """A group for each prompt."""
    clipped: float
    """Share of completions that were cut off."""

    @property
    def judged(self) -> list[float]:
        """The rewards that there are."""
        return [value for group in self.rewards for value in group if value is not None]

    @property
    def equal(self) -> float:
        """Share of groups whose completions are all paid alike."""
        alike = [
            len({value for value in group if value is not None}) <= 1 for group in self.rewards
        ]
        return sum(alike) / len(alike)


def tell(floor: Floor) -> list[str]:
    """Lines about what was paid, with a warning where nothing can be learned from it.

    Raises:
        TrainingError: Not one completion could be judged.
    """
    paid = floor.judged
    if not paid:
        raise TrainingError(
            "not one completion could be judged before the first step: see `tracefoundry doctor` "
            "for what the sandbox lacks, and `tracefoundry audit` for the data"
        )
    count = sum(map(len, floor.rewards))
    mean = sum(paid) / len(paid)
    lines = [
        f"before the first step, {count} completions of {len(floor.rewards)} prompts are paid "
        f"{mean:.3g} on average ({min(paid):.3g} to {max(paid):.3g}), {floor.clipped:.0%} cut off, "
        f"{floor.equal:.0%} of the prompts paid alike throughout"
    ]
    if max(paid) == 0:
        lines.append(
            "warning: nothing is paid at all, so there may be nothing to learn from: train on sft "
            "first, or take easier prompts (--filter)"
        )
    shares = ((CLIPPED, floor.clipped), (EQUAL, floor.equal))
    return lines + [line for name, share in shares if (line := advise(name, share)) is not None]


def look(job: Job, trainer: Any, rows: Rows, reward: RewardFunction, say: Say) -> None:
    """Answer the first prompts as the training would, and tell what that is paid.

    Raises:
        TrainingError: Not one completion could be judged.
    """
    config = job.config
    assert isinstance(config, GrpoConfig)
    count = min(config.floor_prompts, len(rows.rows))
    if not count or trainer.is_deepspeed_enabled or trainer.is_fsdp_enabled:
        return  # weights that are spread over devices answer only within the training
    groups, clipped = [], 0
    for row in rows.rows.select(range(count)):
        replies, cut = _answer(trainer, row["prompt"], config)
        clipped += cut
        groups.append(tuple(reward(**_call(row, replies))))
    for line in tell(Floor(tuple(groups), clipped / (count * config.generations))):
        say(line)


def _call(row: Mapping[str, Any], replies: Sequence[str]) -> dict[str, Any]:
    """Arguments of a reward function, as the trainer gives them."""
    columns = {name: [value] * len(replies) for name, value in row.items() if name != "prompt"}
    chats = [[{"role": "assistant", "content": reply}] for reply in replies]
    return columns | {"prompts": [row["prompt"]] * len(replies), "completions": chats}


def _answer(trainer: Any, prompt: Any, config: GrpoConfig) -> tuple[list[str], int]:
    """Completions of one prompt, and how many of them were cut off."""
    import torch

    tokenizer, model = trainer.processing_class, trainer.model
    asked = tokenizer.apply_chat_template(
        prompt, add_generation_prompt=True, return_tensors="pt", return_dict=True
    ).to(model.device)
    training = model.training
    model.eval()
    try:
        with torch.random.fork_rng(), torch.inference_mode(), trainer.accelerator.autocast():
            torch.manual_seed(config.seed)
            made = model.generate(
                input_ids=asked["input_ids"],
                attention_mask=asked["attention_mask"],
                do_sample=True,
                temperature=config.temperature,
                top_k=0,
                top_p=1.0,
                num_return_sequences=config.generations,
                max_new_tokens=config.max_completion,
                pad_token_id=tokenizer.pad_token_id,
                eos_token_id=tokenizer.eos_token_id,
                use_cache=True,
            )
    finally:
        model.train(training)
    replies = made[:, asked["input_ids"].shape[1] :]
    cut = int((replies != tokenizer.eos_token_id).all(dim=1).sum())
    return list(tokenizer.batch_decode(replies, skip_special_tokens=True)), cut
