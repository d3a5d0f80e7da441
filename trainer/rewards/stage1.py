"""Stage I: several questions about one run, answered in one completion.

Row ``{"question_ids": ["q1", "q2"], "kinds": ["output", "next_statement"], "keys": ["8", "3"]}``,
completion ``<answer>{"q1": "8", "q2": "4"}</answer>``: ``2 ((1 - 0.5) 1 + 0.5 * 0) = 1.0``.

In the config ``stage1`` the questions have short ids in the prompt: ``answer_ids``, beside the
``question_ids`` that point into the dataset.

ExecVerify matches answers by line and zeroes all of them when the output is wrong; here they are
keyed by id, and that gate is the option ``stage1_gate`` of a row.

Source: https://arxiv.org/abs/2603.11226
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tracer.judging import submissions_of
from tracer.rewards import ALPHA, Reward
from tracer.rewards import stage1_reward as combine
from trainer.rewards.base import (
    Completion,
    column,
    log_verdicts,
    optional_column,
    program_of,
    question_of,
    shared_judge,
    text_of,
)

NAME = "stage1"
IO_KINDS = frozenset({"output", "input"})


def stage1_reward(*, completions: Sequence[Completion], **columns: Any) -> list[float | None]:
    """Judge all questions of each row and combine the verdicts.

    Args:
        completions: Texts or chats.
        columns: ``answer_ids`` (or else ``question_ids``), ``kinds`` and ``keys`` (a list each per
            row), and where the dataset has them ``valids`` (a list of other right answers for each
            question), ``source``, ``entry_point``, ``layout``, ``alpha`` and ``stage1_gate``; all
            others are ignored.

    Returns:
        A reward in [0, 2] for each completion; ``None`` where it could not be judged.

    Raises:
        ValueError: A column is missing or has another length, or a kind is unknown.
    """
    count = len(completions)
    ids = "question_ids" if columns.get("answer_ids") is None else "answer_ids"
    asked = [
        {
            name: question_of(kind, key, valid)
            for name, kind, key, valid in zip(*row, others or [None] * len(row[0]), strict=True)
        }
        for *row, others in zip(
            column(columns, ids, count),
            column(columns, "kinds", count),
            column(columns, "keys", count),
            optional_column(columns, "valids", count),
            strict=True,
        )
    ]
    programs = map(
        program_of,
        optional_column(columns, "source", count),
        optional_column(columns, "entry_point", count),
    )
    layouts = optional_column(columns, "layout", count, "any")
    groups = [
        submissions_of(text_of(completion), questions, program, layout)
        for completion, questions, program, layout in zip(
            completions, asked, programs, layouts, strict=True
        )
    ]
    verdicts = shared_judge().judge([each for group in groups for each in group])
    log_verdicts(columns, NAME, verdicts)
    waiting = iter(verdicts)
    rewards: list[Reward] = []
    for group, alpha, gate in zip(
        groups,
        optional_column(columns, "alpha", count, ALPHA),
        optional_column(columns, "stage1_gate", count, False),
        strict=True,
    ):
        judged = [(each.question.kind in IO_KINDS, next(waiting)) for each in group]
        rewards.append(
            combine(
                [verdict for is_io, verdict in judged if is_io],
                [verdict for is_io, verdict in judged if not is_io],
                alpha=alpha,
                gate=bool(gate),
            )
        )
    _log_parts(columns, rewards)
    return [reward.total for reward in rewards]


def _log_parts(columns: dict[str, Any], rewards: Sequence[Reward]) -> None:
    log = columns.get("log_metric")
    if not callable(log):
        return
    for part in ("io", "white"):
        values = [value for reward in rewards if (value := reward.part(part)) is not None]
        if values:
            log(f"{NAME}/{part}", sum(values) / len(values))
