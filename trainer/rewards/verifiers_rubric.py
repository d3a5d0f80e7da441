"""A reward function for a ``verifiers`` rubric over the same verdicts.

``vf.Rubric(funcs=[right_answer])``: ``answer`` is the key; ``info`` may hold ``kind``, ``valid``,
``source``, ``entry_point`` and ``layout``, as the columns of :mod:`trainer.rewards.execution`.

Source: own.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from trainer.rewards.base import Completion, text_of
from trainer.rewards.single import judge_one


def right_answer(
    completion: Completion, answer: str, info: Mapping[str, Any] | None = None, **_: Any
) -> float:
    """1.0 for a right answer, else 0.0.

    Args:
        completion: A text or a chat.
        answer: The answer key.
        info: What else the row holds.

    Raises:
        NotJudged: The sandbox failed, more than once; a rubric can't leave a row out.
        ValueError: The kind of question is unknown.
    """
    return judge_one(text_of(completion), answer, info)[1]
