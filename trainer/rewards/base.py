"""What the reward functions share: texts of completions, columns, and one judge a process.

Source: own.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, Protocol, TypeAlias

from tracer.judging import Judge
from tracer.records import Program, Question, Verdict

Completion: TypeAlias = "str | Sequence[Mapping[str, Any]]"
"""A text, or a chat whose last message is the reply."""


class RewardFunction(Protocol):
    """A reward function as TRL calls it."""

    __name__: str

    def __call__(self, *, completions: Sequence[Completion], **columns: Any) -> list[float | None]:
        """One reward per completion, in their order.

        Raises:
            ValueError: A column that the function needs is missing or has another length.
        """


@cache
def shared_judge() -> Judge:
    """The judge of this process; its sandboxes start when they are first needed."""
    return Judge()


def text_of(completion: Completion) -> str:
    """What the model wrote: the text itself, or the content of the chat's last message."""
    if isinstance(completion, str):
        return completion
    content = completion[-1].get("content") if completion else ""
    if isinstance(content, str):
        return content
    parts = content or ()  # a list of parts, of which the texts count
    return "".join(str(part.get("text", "")) for part in parts if isinstance(part, Mapping))


def column(columns: Mapping[str, Any], name: str, count: int) -> Sequence[Any]:
    """A column that must be there.

    Raises:
        ValueError: It is missing, or has another number of rows than there are completions.
    """
    values = columns.get(name)
    if values is None:
        there = ", ".join(sorted(columns)) or "none"
        raise ValueError(f"the column {name!r} is missing from the dataset; there are: {there}")
    if isinstance(values, str) or len(values) != count:
        raise ValueError(f"the column {name!r} does not have one value for each completion")
    return values  # type: ignore[no-any-return]


def optional_column(
    columns: Mapping[str, Any], name: str, count: int, default: Any = None
) -> Sequence[Any]:
    """A column that may be missing; ``None`` in it stands for the default.

    Raises:
        ValueError: It has another number of rows than there are completions.
    """
    if columns.get(name) is None:
        return [default] * count
    return [default if value is None else value for value in column(columns, name, count)]


def program_of(source: str | None, entry_point: str | None) -> Program | None:
    """The program asked about, when the row has one."""
    return None if source is None else Program(source, entry_point)


def question_of(kind: str, key: str, valid: Sequence[str] | None = None) -> Question:
    """A question as far as checking needs it."""
    return Question(kind, "", key, tuple(valid or ()))


def log_verdicts(columns: Mapping[str, Any], name: str, verdicts: Sequence[Verdict]) -> None:
    """Tell the trainer, where it listens, how many answers could not be read or judged."""
    log = columns.get("log_metric")
    if not callable(log) or not verdicts:
        return
    for metric, statuses in (
        ("correct", ("correct",)),
        ("unparsed", ("unparsed", "no_answer")),
        ("infrastructure", ("infrastructure",)),
    ):
        share = sum(verdict.status in statuses for verdict in verdicts) / len(verdicts)
        log(f"{name}/{metric}", share)
