"""Rows of a dataset as a stage trains on them: chosen, shaped, and no longer than they may be."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from trainer.conditions import parse_condition
from trainer.errors import TrainingError
from trainer.jobs import Job, Rows, Say
from trainer.places import load_rows
from trainer.preflight import check_count, check_padding, check_room, fitting

if TYPE_CHECKING:
    from datasets import Dataset

_CHUNK = 1_000


@dataclass(frozen=True, slots=True)
class Shape:
    """What a stage makes of the data."""

    config: str
    """Config of the dataset."""
    noun: str
    """What its rows are, in the plural."""
    limit: str
    """Key of the stage's config: tokens of a row."""
    room: tuple[str, ...]
    """Keys whose sum the model needs positions for."""
    batch: str
    """Key: rows of the smallest whole batch."""
    read: Callable[[Job, Dataset, Any, Say], Dataset]
    """Rows as the trainer takes them, for a job, rows and a tokenizer."""
    lengths: Callable[[Dataset, Any], Sequence[int]]
    """Tokens of each row, for such rows and a tokenizer."""


def prepare(job: Job, shape: Shape, tokenizer: Any, say: Say) -> Rows:
    """The rows to train on, in their order.

    Raises:
        TrainingError: The data, the tokenizer or the model can't be used.
    """
    check_padding(tokenizer.pad_token, tokenizer.eos_token)
    wanted = sum(getattr(job.config, key) for key in shape.room)
    check_room(count_positions(job), wanted, " + ".join(shape.room))
    rows = shape.read(job, choose_rows(job, shape.config), tokenizer, say)
    limit = getattr(job.config, shape.limit)
    kept = fitting(shape.lengths(rows, tokenizer), limit)
    left_out = len(rows) - len(kept)
    if left_out:
        say(f"{left_out} of {len(rows)} {shape.noun} are longer than {limit} tokens")
    check_count(len(kept), getattr(job.config, shape.batch), shape.batch)
    return Rows(rows.select(kept), ((f"longer_than_{shape.limit}", left_out),))


def check_template(job: Job, tokenizer: Any, noun: str) -> None:
    """See that the tokenizer can write chats.

    Raises:
        TrainingError: It can't.
    """
    if tokenizer.chat_template is None:
        raise TrainingError(
            f"--model {job.model}: its tokenizer has no chat template, and the {noun} are chats"
        )


def in_chunks(rows: Dataset, columns: Sequence[str]) -> Iterable[dict[str, list[Any]]]:
    """Some columns of the rows, a thousand rows at a time."""
    return rows.select_columns(list(columns)).iter(_CHUNK)  # type: ignore[no-any-return]


def count_positions(job: Job) -> int | None:
    """Tokens that the model has positions for; ``None`` when its config does not say."""
    from transformers import AutoConfig

    try:
        config = AutoConfig.from_pretrained(job.source, revision=job.config.revision)
    except (OSError, ValueError) as error:
        reason = str(error).strip().split("\n", 1)[0]
        raise TrainingError(f"--model {job.model}: can't be loaded: {reason}") from error
    found = getattr(config.get_text_config(), "max_position_embeddings", None)
    return None if found is None else int(found)


def choose_rows(job: Job, config_name: str) -> Dataset:
    """The training rows that meet the job's condition.

    Raises:
        TrainingError: They can't be read, or the condition does not fit.
    """
    rows = load_rows(job.data, config_name)
    if job.condition is None:
        return rows
    condition = parse_condition(job.condition, rows.column_names)
    read = rows.select_columns(list(condition.columns))
    return rows.select([place for place, row in enumerate(read) if condition.holds(row)])
