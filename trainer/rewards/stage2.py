"""Stage II: format, outcome, and the quality of the reasoning where the outcome is right.

``R_fmt + R_out + 1[R_out = 1] w R_proc`` is one function, because TRL only adds several up. The
process reward is asked for where it counts alone. A reply whose reasoning is not told apart by one
``<think>`` block is paid none.

Source: https://arxiv.org/abs/2508.05170 (CG-GRPO)
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from tracer.answers import Layout
from tracer.records import Verdict
from tracer.rewards import Reward, answer_reward, format_reward, gated_reward
from trainer.reasoning import reasoning_of
from trainer.rewards.base import Completion, RewardFunction, optional_column, text_of
from trainer.rewards.outcomes import judge_outcomes

NAME = "stage2"
LAYOUT: Layout = "think+answer"
WALL_S = 300.0

Process = Callable[[Sequence[Any], Sequence[str]], Sequence[float | None]]
"""R_proc of reasonings, each with its prompt before it; ``None`` where there is no number."""


def make_stage2_reward(
    process: Process | None, *, weight: float = 1.0, gated: bool = True, wall_s: float = WALL_S
) -> RewardFunction:
    """The reward function of stage II.

    Args:
        process: Scores reasoning; not needed when the weight is 0.
        weight: Of the process reward.
        gated: Whether the process reward is paid only where the outcome is right.
        wall_s: Seconds by the clock for judging the outcomes of one call.

    Raises:
        ValueError: The process reward counts, but there is nothing that scores it.
    """
    if process is None and weight > 0:
        raise ValueError("a process reward that counts needs a model that scores it")

    def stage2_reward(*, completions: Sequence[Completion], **columns: Any) -> list[float | None]:
        """Judge each completion.

        Args:
            completions: Texts or chats.
            columns: ``prompts``, and what the verifier of the row needs (``verifier``, see
                :mod:`trainer.rewards.outcomes`); ``layout`` where the outcome is only looked for in
                one; all others are ignored.

        Returns:
            A reward in [0, 2 + weight] for each completion; ``None`` where it could not be judged.

        Raises:
            ValueError: A column is missing or has another length.
        """
        count = len(completions)
        replies = list(map(text_of, completions))
        rows = _rows(columns, count)
        verdicts = judge_outcomes(replies, rows, wall_s=wall_s)
        outcomes = [answer_reward(verdict).total for verdict in verdicts]
        prompts = optional_column(columns, "prompts", count, "")
        processes = _processes(prompts, replies, [out == 1.0 or not gated for out in outcomes])
        rewards = [
            gated_reward(
                float(format_reward(reply, LAYOUT).total or 0.0),
                out,
                proc,
                weight=weight,
                gated=gated,
            )
            for reply, out, proc in zip(replies, outcomes, processes, strict=True)
        ]
        _log(columns, verdicts, rewards)
        return [reward.total for reward in rewards]

    def _processes(
        prompts: Sequence[Any], replies: Sequence[str], counts: Sequence[bool]
    ) -> list[float | None]:
        if process is None or weight == 0.0:
            return [None] * len(replies)
        found: list[float | None] = [0.0] * len(replies)
        texts = {
            place: text
            for place, reply in enumerate(replies)
            if counts[place] and (text := reasoning_of(reply)) is not None
        }
        scores = process([prompts[place] for place in texts], list(texts.values()))
        for place, score in zip(texts, scores, strict=True):
            found[place] = score
        return found

    return stage2_reward


def _rows(columns: Mapping[str, Any], count: int) -> list[dict[str, Any]]:
    """The dataset's columns as rows."""
    named = {
        name: values
        for name, values in columns.items()
        if isinstance(values, list | tuple) and len(values) == count
    }
    return [{name: values[row] for name, values in named.items()} for row in range(count)]


def _log(
    columns: Mapping[str, Any], verdicts: Sequence[Verdict], rewards: Sequence[Reward]
) -> None:
    """Tell the trainer the components: their means as metrics, each as a column of completions."""
    parts: dict[str, list[float | None]] = {
        "format": [reward.part("format") for reward in rewards],
        "outcome": [reward.part("outcome") for reward in rewards],
        "process": [reward.part("process") if reward.part("gate") else None for reward in rewards],
        "gate": [reward.part("gate") for reward in rewards],
        "unparsed": [float(v.status in ("unparsed", "no_answer")) for v in verdicts],
        "infrastructure": [float(v.status == "infrastructure") for v in verdicts],
    }
    metric, extra = columns.get("log_metric"), columns.get("log_extra")
    for name, values in parts.items():
        known = [value for value in values if value is not None]
        if callable(metric) and known:
            metric(f"{NAME}/{name}", sum(known) / len(known))
    if callable(extra):
        for name in ("format", "outcome", "process"):
            extra(name, parts[name])
        extra("verdict", [verdict.reason for verdict in verdicts])
