"""verl's ``compute_score`` over the same verdicts.

In a verl config: ``custom_reward_function.path`` is this file and ``name`` is ``compute_score``.
``ground_truth`` is the answer key; ``extra_info`` may hold ``kind``, ``valid``, ``source``,
``entry_point`` and ``layout``, as the columns of :mod:`trainer.rewards.execution`.

Source: own.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from trainer.rewards.single import judge_one


def compute_score(
    data_source: str,
    solution_str: str,
    ground_truth: str,
    extra_info: Mapping[str, Any] | None = None,
    *,
    unjudged: float | None = None,
    **_: Any,
) -> dict[str, Any]:
    """Judge one reply.

    Args:
        data_source: Name of the dataset; not used.
        solution_str: All that the model wrote.
        ground_truth: The answer key.
        extra_info: What else the row holds.
        unjudged: Score of a reply that could not be judged, since verl can't leave a row out.

    Returns:
        ``score`` (1.0 or 0.0), ``verdict`` and ``reason``.

    Raises:
        NotJudged: The sandbox failed, more than once, and ``unjudged`` is not given.
        ValueError: The kind of question is unknown.
    """
    verdict, score = judge_one(solution_str, ground_truth, extra_info, unjudged)
    return {"score": score, "verdict": verdict.status, "reason": verdict.reason}
