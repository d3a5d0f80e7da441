"""What a model is to the factory, and what a row says about the model that made it."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeAlias

from factory.identity import canonical_json
from factory.records import Generation

Prompt: TypeAlias = Sequence[Mapping[str, str]]
"""The messages of a chat, each with ``role`` and ``content``."""

Setting: TypeAlias = str | int | float | bool | None
"""A value of :attr:`ModelPlan.settings`."""


class Model(Protocol):
    """A model that completes prompts."""

    @property
    def name(self) -> str:
        """What it is, its version included: equal names mean equal answers."""

    def complete(
        self,
        prompts: Sequence[Prompt],
        *,
        n: int,
        temperature: float,
        max_tokens: int,
        seed: int,
    ) -> list[list[str]]:
        """``n`` replies to each prompt, in their order.

        The replies to a prompt depend on it, the numbers and the seed alone, never on the other
        prompts of the call. A prompt that is too long for the model has empty replies.

        Args:
            prompts: Chats whose next message is wanted.
            n: Replies to each.
            temperature: Of sampling; 0 takes the likeliest token.
            max_tokens: Most tokens of a reply.
            seed: Decides what is drawn.

        Raises:
            RuntimeError: The model failed, after bounded retries where these may help.
            OSError: As ``RuntimeError``.
        """


def usage_of(model: Model) -> dict[str, float]:
    """What a model has cost so far, where its backend counts that.

    Keys: ``requests``, ``retries``, ``prompt_tokens``, ``completion_tokens`` and ``cost`` (in the
    currency of the prices that its settings give).
    """
    return dict(getattr(model, "usage", {}))


@dataclass(frozen=True, slots=True)
class ModelPlan:
    """A model that a recipe names."""

    backend: str
    """Name of a model backend, such as ``vllm``."""
    model: str
    """What the backend loads: a folder, a Hub repository, or the name that a server knows."""
    revision: str | None = None
    """Commit, tag or branch of the repository; of a served model whatever tells it from others."""
    settings: dict[str, Setting] | None = None
    """How the model is reached or run, such as a server's ``url``; never what it answers, so not
    part of the recipe's hash. The names are those that the backend's ``load`` takes."""
    copies: int = 1
    """Copies of a model under ``--engine ray``, each on GPUs of its own; no part of the hash."""

    def __post_init__(self) -> None:
        """Check the number."""
        if self.copies < 1:
            raise ValueError(f"copies must be at least 1, not {self.copies}")


class NamesModel(Protocol):
    """A part of a recipe that names a model."""

    @property
    def backend(self) -> str | None:
        """Name of a model backend."""

    @property
    def model(self) -> str | None:
        """What the backend loads; without a backend one of the recipe's ``models``."""

    @property
    def revision(self) -> str | None:
        """Commit, tag or branch."""


def find_plan(part: NamesModel, models: Mapping[str, ModelPlan]) -> ModelPlan | None:
    """The model that a part of a recipe names; ``None`` when it names none.

    Args:
        part: Names it.
        models: The recipe's ``models``.

    Raises:
        ValueError: It gives a name that is not there.
    """
    if part.model is None:
        return None
    if part.backend is not None:
        return ModelPlan(part.backend, part.model, part.revision)
    if part.model not in models:
        known = ", ".join(models) or "none"
        raise ValueError(
            f"no model {part.model!r} among the recipe's models ({known}): "
            "put it there, or name its backend beside it"
        )
    return models[part.model]


@dataclass(frozen=True, slots=True)
class Sampling:
    """How replies are drawn."""

    temperature: float
    max_tokens: int
    """Most tokens of a reply."""
    seed: int


def prompt_hash(prompt: Prompt) -> str:
    """SHA-256 of a prompt's messages, in hex."""
    text = canonical_json([dict(message) for message in prompt])
    return hashlib.sha256(text.encode("ascii")).hexdigest()


GENERATION = {
    "model": "str",
    "revision": "str",
    "temperature": "float64",
    "max_tokens": "int32",
    "seed": "int64",
    "prompt_hash": "str",
}
"""Columns of :class:`factory.records.Generation`, as :mod:`factory.table` writes types."""


def generation_of(
    name: str, revision: str | None, sampling: Sampling, prompt: Prompt
) -> Generation:
    """What a row that comes of a model records about it.

    Args:
        name: The model's, its version included.
        revision: As the recipe gives it.
        sampling: How the reply was drawn.
        prompt: What was asked.
    """
    return Generation(
        name,
        revision,
        sampling.temperature,
        sampling.max_tokens,
        sampling.seed,
        prompt_hash(prompt),
    )
