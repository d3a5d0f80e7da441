"""Models whose answers are known: they are told the keys, and how often to give them."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from random import Random
from typing import Any

from factory.models.base import Prompt

WRONG = "<answer>'planted: never right'</answer>"


def fingerprint(prompt: Prompt) -> str:
    return json.dumps([dict(message) for message in prompt], sort_keys=True)


class PlantedModel:
    """Right with a given probability, drawn for each reply from the prompt and the seed."""

    def __init__(self, name: str, keys: dict[str, str], share: float) -> None:
        self.name = name
        self.keys = keys
        self.share = share
        self.calls: list[int] = []

    def complete(
        self, prompts: Sequence[Prompt], *, n: int, temperature: float, max_tokens: int, seed: int
    ) -> list[list[str]]:
        self.calls.append(len(prompts))
        return [self._replies(prompt, n, seed) for prompt in prompts]

    def _replies(self, prompt: Prompt, n: int, seed: int) -> list[str]:
        text = fingerprint(prompt)
        rng = Random(hashlib.sha256(f"{seed} {text}".encode()).digest())
        right = f"I see.\n<answer>\n{self.keys[text]}\n</answer>"
        return [right if rng.random() < self.share else WRONG for _ in range(n)]


model: Any = None
"""What :func:`load` gives."""


def load(name: str, revision: str | None) -> Any:
    assert model is not None
    return model
