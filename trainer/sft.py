"""Supervised warm-up on written reasoning, over TRL's ``SFTTrainer``.

Rows are conversations (``messages``), of which the last message is learned, or ``prompt`` and
``completion``.

Source: https://arxiv.org/abs/2603.11226 (the warm-up and its numbers)
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from trainer.configs import SftConfig
from trainer.errors import TrainingError
from trainer.jobs import (
    Job,
    Rows,
    Say,
    adapter,
    choose_rows,
    common_arguments,
    count_devices,
    count_positions,
    listen,
    run_job,
)
from trainer.preflight import check_count, check_padding, check_room, fitting, plan_sft

CONFIG = "sft"
PARTS = ("loss", "mean_token_accuracy", "learning_rate", "grad_norm")


def train_sft(job: Job, say: Say) -> None:
    """Run the stage.

    Raises:
        TrainingError: Something can't be used; nothing was trained.
    """
    plan_sft(config_of(job), count_devices())
    run_job(job, prepare, lambda job, tokenizer, rows: build(job, tokenizer, rows, say), say, PARTS)


def config_of(job: Job) -> SftConfig:
    """The job's config."""
    assert isinstance(job.config, SftConfig)
    return job.config


def prepare(job: Job, tokenizer: Any, say: Say) -> Rows:
    """The conversations that are learned, as prompt and completion.

    Raises:
        TrainingError: The data, the tokenizer or the model can't be used.
    """
    config = config_of(job)
    check_padding(tokenizer.pad_token, tokenizer.eos_token)
    check_room(count_positions(job), config.max_length, "max_length")
    rows = choose_rows(job, CONFIG)
    pairs = rows.map(split_row, remove_columns=rows.column_names)
    if pairs and isinstance(pairs[0]["prompt"], list) and tokenizer.chat_template is None:
        raise TrainingError(
            f"--model {job.model}: its tokenizer has no chat template, and the rows are chats"
        )
    if pairs and not ends_with(pairs[0], tokenizer):
        say(
            f"warning: the chat template does not end a reply with {tokenizer.eos_token!r}, so the "
            "model does not learn to stop"
        )
    kept = fitting([_length(row, tokenizer) for row in pairs], config.max_length)
    left_out = len(pairs) - len(kept)
    if left_out:
        say(f"{left_out} of {len(pairs)} conversations are longer than {config.max_length} tokens")
    check_count(len(kept), config.batch, "batch")
    return Rows(pairs.select(kept), (("longer_than_max_length", left_out),))


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


def _length(row: Mapping[str, Any], tokenizer: Any) -> int:
    return len(tokenizer(_whole(row, tokenizer), add_special_tokens=False)["input_ids"])


def build(job: Job, tokenizer: Any, rows: Rows, say: Say) -> Any:
    """TRL's trainer for a job."""
    from trl import SFTConfig as Arguments
    from trl import SFTTrainer

    config = config_of(job)
    arguments = Arguments(
        **common_arguments(job),
        gradient_accumulation_steps=plan_sft(config, count_devices()).accumulation,
        max_length=config.max_length,
        completion_only_loss=True,
    )
    trainer = SFTTrainer(
        model=job.model,
        args=arguments,
        train_dataset=rows.rows,
        processing_class=tokenizer,
        peft_config=adapter(config),
    )
    return listen(trainer, say, PARTS)
