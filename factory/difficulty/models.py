"""The model side of the factory: one protocol, and backends that are found by name.

A backend is one module with a ``load(model, revision)`` that gives a :class:`Model`, and one line
in :data:`BACKENDS`; a package of somebody else adds one with an entry point of the group
``tracefoundry.models``. Nothing here imports a backend before it is used, so the factory needs no
torch.
"""

from __future__ import annotations

import importlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib import metadata
from typing import Protocol, TypeAlias

from factory.errors import MissingExtra, UserError

ENTRY_POINTS = "tracefoundry.models"

Prompt: TypeAlias = Sequence[Mapping[str, str]]
"""The messages of a chat, each with ``role`` and ``content``."""


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
        prompts of the call.

        Args:
            prompts: Chats whose next message is wanted.
            n: Replies to each.
            temperature: Of sampling; 0 takes the likeliest token.
            max_tokens: Most tokens of a reply.
            seed: Decides what is drawn.
        """


class Load(Protocol):
    """What a backend offers."""

    def __call__(self, model: str, revision: str | None) -> Model:
        """Load a model.

        Raises:
            ModuleNotFoundError: A library of the backend is not installed.
            OSError: There is no such model, or it cannot be read.
            ValueError: It is no model of the kind that the backend runs.
        """


@dataclass(frozen=True, slots=True)
class Backend:
    """Where a backend is, and what brings its libraries."""

    target: str
    """``module:function`` of its :class:`Load`."""
    extra: str | None
    """Extra of this distribution that it needs."""


BACKENDS: dict[str, Backend] = {
    "transformers": Backend("trainer.models.transformers:load", "train"),
    "tiny": Backend("trainer.models.tiny:load", "train"),
}
"""The backends of this distribution, by name."""


def backend_names() -> tuple[str, ...]:
    """Names of all backends, those of other packages behind ours."""
    others = {entry.name for entry in metadata.entry_points(group=ENTRY_POINTS)}
    return (*BACKENDS, *sorted(others - set(BACKENDS)))


def load_model(backend: str, model: str, revision: str | None = None) -> Model:
    """Load a model by the names of a recipe.

    Args:
        backend: One of :func:`backend_names`.
        model: What the backend loads: a folder or a Hub repository.
        revision: Commit, tag or branch of a repository.

    Raises:
        MissingExtra: The backend's libraries are not installed.
        UserError: The backend or the model is unknown or cannot be loaded.
    """
    found = _find(backend)
    module, _, function = found.target.partition(":")
    try:
        load: Load = getattr(importlib.import_module(module), function)
        return load(model, revision)
    except ModuleNotFoundError as error:
        purpose = f"the model backend {backend!r}"
        if found.extra is None or error.name is None:
            raise UserError(f"{purpose} cannot be used: {error}") from error
        raise MissingExtra(error.name, found.extra, purpose) from error
    except (OSError, ValueError) as error:
        reason = str(error).strip().split("\n", 1)[0]
        raise UserError(f"difficulty.model: {model!r} cannot be loaded: {reason}") from error


def _find(backend: str) -> Backend:
    if backend in BACKENDS:
        return BACKENDS[backend]
    for entry in metadata.entry_points(group=ENTRY_POINTS):
        if entry.name == backend:
            return Backend(entry.value, None)
    raise UserError(f"no model backend {backend!r}; there are: {', '.join(backend_names())}")
