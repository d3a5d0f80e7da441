"""1 for a right answer to one question about a program's execution, else 0.

Row ``{"prompt": ..., "answer": "4"}``, completion ``<answer>4</answer>``: 1.0. With the columns
``kind`` (default ``output``), ``source`` and ``entry_point`` every question kind can be judged;
``input`` answers run in the sandbox, many to a process.

Source: own.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from tracer.judging import Submission
from tracer.records import Verdict
from tracer.rewards import answer_reward
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

NAME = "execution"


def execution_reward(*, completions: Sequence[Completion], **columns: Any) -> list[float | None]:
    """Judge one question per row.

    Args:
        completions: Texts or chats.
        columns: ``answer`` (the key), and where the dataset has them ``kind``, ``valid``,
            ``source``, ``entry_point`` and ``layout``; all others are ignored.

    Returns:
        1.0 or 0.0 for each completion; ``None`` where it could not be judged.

    Raises:
        ValueError: ``answer`` is missing, a column has another length, or a kind is unknown.
    """
    count = len(completions)
    rows = zip(
        completions,
        column(columns, "answer", count),
        optional_column(columns, "kind", count, "output"),
        optional_column(columns, "valid", count),
        optional_column(columns, "source", count),
        optional_column(columns, "entry_point", count),
        optional_column(columns, "layout", count, "any"),
        strict=True,
    )
    submissions = [
        Submission(question_of(kind, key, valid), text_of(reply), program_of(source, entry), layout)
        for reply, key, kind, valid, source, entry, layout in rows
    ]
    verdicts = shared_judge().judge(submissions)
    log_verdicts(columns, NAME, verdicts)
    return [answer_reward(verdict).total for verdict in verdicts]


def answer_outcome(
    replies: Sequence[str], rows: Sequence[Mapping[str, Any]], *, wall_s: float
) -> list[Verdict]:
    """The verdict on the literal that each reply answers: the outcome ``answer`` of stage II.

    Values are compared strictly (``3`` is not ``3.0``), and nothing is run.

    Args:
        replies: What the model wrote.
        rows: A row of the dataset for each; ``answer`` is the key.
        wall_s: Not needed: literals are read at once.

    Raises:
        ValueError: A row has no key.
    """
    missing = [row for row in rows if not isinstance(row.get("answer"), str)]
    if missing:
        raise ValueError("the column 'answer' is missing, or null in some row")
    verdicts = shared_judge().judge(
        [
            Submission(question_of("output", row["answer"]), reply)
            for reply, row in zip(replies, rows, strict=True)
        ]
    )
    return list(verdicts)
