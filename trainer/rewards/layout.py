"""1 for a completion with the layout that the prompt asks for, else 0.

``<think>f adds one</think><answer>8</answer>`` has the layout ``think+answer``: exactly one
non-empty block each, in this order, nothing outside.

Source: own.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tracer.rewards import format_reward
from trainer.rewards.base import Completion, optional_column, text_of


def layout_reward(*, completions: Sequence[Completion], **columns: Any) -> list[float | None]:
    """Check the layout of each completion.

    Args:
        completions: Texts or chats.
        columns: ``layout`` where the dataset has it (``think+answer`` else); others are ignored.

    Raises:
        ValueError: The column has another length.
    """
    layouts = optional_column(columns, "layout", len(completions), "think+answer")
    return [
        format_reward(text_of(completion), layout).total
        for completion, layout in zip(completions, layouts, strict=True)
    ]
