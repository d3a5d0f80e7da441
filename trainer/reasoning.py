"""Reasoning as the reward model reads it: one rendering for training, for μ and σ, for stage II.

A reply's ``<think>`` block alone is read, after the prompt that it answers; what follows it, code
or answer, is not.

Source: https://arxiv.org/abs/2508.05170 (a model of the reasoning's quality alone)
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from typing import Any

_BLOCK = re.compile(r"<think>(.*?)</think>", re.DOTALL)


def reasoning_of(reply: str) -> str | None:
    """The text of a reply's one ``<think>`` block; ``None`` when there is none, or several.

    An empty block is none.
    """
    blocks = _BLOCK.findall(reply)
    if len(blocks) != 1 or reply.count("<think>") != 1 or reply.count("</think>") != 1:
        return None
    return blocks[0].strip() or None


def render(prompt: Sequence[Mapping[str, str]] | str, reasoning: str, tokenizer: Any) -> str:
    """What the reward model reads: the prompt, the reasoning, the end token.

    The score is read where the text ends.
    """
    asked = (
        prompt
        if isinstance(prompt, str)
        else tokenizer.apply_chat_template(
            [dict(message) for message in prompt], add_generation_prompt=True, tokenize=False
        )
    )
    return f"{asked}<think>\n{reasoning.strip()}\n</think>{tokenizer.eos_token}"


def encode(texts: Sequence[str], tokenizer: Any) -> list[list[int]]:
    """Tokens of rendered texts."""
    if not texts:
        return []
    found: list[list[int]] = tokenizer(list(texts), add_special_tokens=False)["input_ids"]
    return found


def process_reward(score: float, mean: float, deviation: float) -> float | None:
    """``sigmoid((score - mean) / deviation)``, in (0, 1); ``None`` for a score that is no number.

    Args:
        score: Of the reward model.
        mean: Of its scores of base reasonings.
        deviation: Their standard deviation, above 0.

    Source: https://arxiv.org/abs/2508.05170 (R_proc)
    """
    if not math.isfinite(score):
        return None
    distance = (score - mean) / deviation
    if distance >= 0:
        return 1.0 / (1.0 + math.exp(-distance))
    power = math.exp(distance)
    return power / (1.0 + power)
