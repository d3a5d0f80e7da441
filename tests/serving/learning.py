"""A small model that learns some conversations by heart, to be run by vLLM on a CPU."""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import torch
from transformers import AutoModelForCausalLM, AutoTokenizer

from trainer.models.scratch import make_model

MOST_STEPS = 2_000
BATCH = 4
LEARNING_RATE = 3e-3
ENOUGH = 0.01
"""Mean loss of the replies' tokens at which all are known."""
_IGNORED = -100


def learn_by_heart(folder: Path, talks: Sequence[tuple[list[dict[str, str]], str]]) -> None:
    """Make a model that gives the reply of each conversation.

    Args:
        folder: Where to.
        talks: Prompts with their replies.

    Raises:
        RuntimeError: It could not learn them.
    """
    texts = [json.dumps(prompt) + reply for prompt, reply in talks]
    make_model(folder, texts, seed=0, vocabulary=1_500, hidden=128, layers=2, positions=2_048)
    tokenizer = AutoTokenizer.from_pretrained(folder)
    model = AutoModelForCausalLM.from_pretrained(folder)
    examples = [_encode(tokenizer, *talk) for talk in talks]
    optimiser = torch.optim.AdamW(model.parameters(), lr=LEARNING_RATE, weight_decay=0.0)
    schedule = torch.optim.lr_scheduler.LambdaLR(optimiser, lambda step: min(1.0, step / 50))
    rng = random.Random(0)
    torch.manual_seed(0)
    recent: list[float] = []
    for _ in range(MOST_STEPS):
        batch = rng.sample(examples, min(BATCH, len(examples)))
        inputs, labels = _padded(batch, tokenizer.pad_token_id)
        loss = model(
            input_ids=inputs, attention_mask=inputs != tokenizer.pad_token_id, labels=labels
        ).loss
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimiser.step()
        schedule.step()
        optimiser.zero_grad()
        recent = [*recent[-2 * len(examples) :], loss.item()]
        if len(recent) > 2 * len(examples) and max(recent) < ENOUGH:
            model.save_pretrained(folder)
            return
    raise RuntimeError(f"the conversations were not learned: loss {max(recent):.3f}")


def _encode(tokenizer: Any, prompt: list[dict[str, str]], reply: str) -> tuple[list[int], int]:
    """Tokens of a conversation, and how many of them are the prompt's."""
    text = tokenizer.apply_chat_template(prompt, add_generation_prompt=True, tokenize=False)
    before = tokenizer(text)["input_ids"]
    after = [*tokenizer(reply)["input_ids"], tokenizer.eos_token_id]
    return [*before, *after], len(before)


def _padded(batch: list[tuple[list[int], int]], pad: int) -> tuple[torch.Tensor, torch.Tensor]:
    longest = max(len(ids) for ids, _ in batch)
    inputs = [ids + [pad] * (longest - len(ids)) for ids, _ in batch]
    labels = [
        [_IGNORED] * own + ids[own:] + [_IGNORED] * (longest - len(ids)) for ids, own in batch
    ]
    return torch.tensor(inputs), torch.tensor(labels)
