"""Supervised warm-up on written reasoning, over TRL's ``SFTTrainer``.

Rows are conversations (``messages``), of which the last message is learned, or ``prompt`` and
``completion``.

Source: https://arxiv.org/abs/2603.11226 (the warm-up and its numbers)
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from trainer.arguments import assemble, batch_arguments
from trainer.configs import SftConfig
from trainer.errors import TrainingError
from trainer.jobs import Job, Rows, Say, Stage, config_of
from trainer.preflight import plan_batches
from trainer.preparation import Shape, check_template, prepare

if TYPE_CHECKING:
    from datasets import Dataset

PARTS = ("loss", "mean_token_accuracy", "learning_rate", "grad_norm")


def read(job: Job, rows: Dataset, tokenizer: Any, say: Say) -> Dataset:
    """The conversations that are learned, as prompt and completion.

    Raises:
        TrainingError: The rows or the tokenizer can't be used.
    """
    pairs = rows.map(split_row, remove_columns=rows.column_names)
    if pairs and isinstance(pairs[0]["prompt"], list):
        check_template(job, tokenizer, "rows")
    if pairs and not ends_with(pairs[0], tokenizer):
        say(
            f"warning: the chat template does not end a reply with {tokenizer.eos_token!r}, so the "
            "model does not learn to stop"
        )
    return pairs


def split_row(row: Mapping[str, Any]) -> dict[str, Any]:
    """A row as prompt and completion.

    Raises:
        TrainingError: It is neither a conversation nor has these columns.
    """
    messages = row.get("messages")
    if messages is not None:
        if len(messages) < 2 or messages[-1].get("role") != "assistant":
            raise TrainingError(
                "the data have a conversation that does not end with a reply of the assistant"
            )
        return {"prompt": messages[:-1], "completion": messages[-1:]}
    if "prompt" in row and "completion" in row:
        return {"prompt": row["prompt"], "completion": row["completion"]}
    raise TrainingError(
        "the data have neither the column 'messages' nor 'prompt' and 'completion'; there are: "
        f"{', '.join(sorted(row))}"
    )


def ends_with(row: Mapping[str, Any], tokenizer: Any) -> bool:
    """Whether the reply, as it is learned, ends with the tokenizer's end token."""
    if isinstance(row["completion"], str):
        return True  # the trainer adds the token to plain text
    return _whole(row, tokenizer).rstrip().endswith(str(tokenizer.eos_token))


def _whole(row: Mapping[str, Any], tokenizer: Any) -> str:
    whole = row["prompt"] + row["completion"]
    return str(
        whole if isinstance(whole, str) else tokenizer.apply_chat_template(whole, tokenize=False)
    )


def _lengths(rows: Dataset, tokenizer: Any) -> list[int]:
    texts = (_whole(row, tokenizer) for row in rows)
    return [len(tokenizer(text, add_special_tokens=False)["input_ids"]) for text in texts]


def build(job: Job, tokenizer: Any, rows: Rows, say: Say) -> Any:
    """TRL's trainer for a job."""
    from trl import SFTConfig as Arguments
    from trl import SFTTrainer

    arguments = Arguments(**batch_arguments(job), completion_only_loss=True)
    return assemble(SFTTrainer, job, tokenizer, rows, arguments, say, PARTS)


SHAPE = Shape("sft", "conversations", "max_length", ("max_length",), "batch", read, _lengths)
STAGE = Stage(
    config=SHAPE.config,
    plan=lambda job, devices: plan_batches(config_of(job, SftConfig), devices),
    prepare=lambda job, tokenizer, say: prepare(job, SHAPE, tokenizer, say),
    build=build,
    curves=PARTS,
)
