"""The backends of models, found by name.

A backend is one module with a ``load(model, revision, **settings)`` that gives a
:class:`factory.models.base.Model`, and one line in :data:`BACKENDS`; a package of somebody else
adds one with an entry point of the group ``tracefoundry.models``.
"""

from __future__ import annotations

import importlib
import inspect
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import metadata
from typing import Any, Protocol

from factory.errors import MissingExtra, UserError
from factory.models.base import Model, Setting

ENTRY_POINTS = "tracefoundry.models"


class Load(Protocol):
    """What a backend offers."""

    def __call__(self, model: str, revision: str | None, **settings: Any) -> Model:
        """Load a model, or get in touch with its server.

        Raises:
            ModuleNotFoundError: A library of the backend is not installed.
            OSError: There is no such model, or it cannot be read or reached.
            ValueError: It is no model of the kind that the backend runs, or a setting is out of
                range.
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
    "vllm": Backend("trainer.models.vllm:load", "vllm"),
    "openai": Backend("trainer.models.openai:load", None),
    "tiny": Backend("trainer.models.tiny:load", "train"),
}
"""The backends of this distribution, by name."""


def backend_names() -> tuple[str, ...]:
    """Names of all backends, those of other packages behind ours."""
    others = {entry.name for entry in metadata.entry_points(group=ENTRY_POINTS)}
    return (*BACKENDS, *sorted(others - set(BACKENDS)))


def setting_names(backend: str) -> tuple[str, ...]:
    """Names of the settings that a backend takes.

    Raises:
        UserError: There is no such backend, or its libraries are not installed.
    """
    found = _find(backend)
    try:
        parameters = inspect.signature(_load_of(found)).parameters
    except ModuleNotFoundError as error:
        raise _missing(found, f"the model backend {backend!r}", error) from error
    return tuple(
        name for name, each in parameters.items() if each.kind is inspect.Parameter.KEYWORD_ONLY
    )


def load_model(
    backend: str,
    model: str,
    revision: str | None = None,
    settings: Mapping[str, Setting] | None = None,
    where: str = "difficulty.model",
) -> Model:
    """Load a model by the names of a recipe.

    Args:
        backend: One of :func:`backend_names`.
        model: What the backend loads: a folder, a Hub repository, or a served model's name.
        revision: Commit, tag or branch of a repository.
        settings: Some of :func:`setting_names`.
        where: Key of the recipe, for messages.

    Raises:
        MissingExtra: The backend's libraries are not installed.
        UserError: The backend or the model is unknown or cannot be loaded.
    """
    found = _find(backend)
    try:
        return _load_of(found)(model, revision, **(settings or {}))
    except ModuleNotFoundError as error:
        raise _missing(found, f"the model backend {backend!r}", error) from error
    except (OSError, ValueError) as error:
        reason = str(error).strip().split("\n", 1)[0]
        raise UserError(f"{where}: {model!r} cannot be loaded: {reason}") from error


def _load_of(backend: Backend) -> Load:
    module, _, function = backend.target.partition(":")
    load: Load = getattr(importlib.import_module(module), function)
    return load


def _missing(backend: Backend, purpose: str, error: ModuleNotFoundError) -> UserError:
    if backend.extra is None or error.name is None:
        return UserError(f"{purpose} cannot be used: {error}")
    return MissingExtra(error.name, backend.extra, purpose)


def _find(backend: str) -> Backend:
    if backend in BACKENDS:
        return BACKENDS[backend]
    for entry in metadata.entry_points(group=ENTRY_POINTS):
        if entry.name == backend:
            return Backend(entry.value, None)
    raise UserError(f"no model backend {backend!r}; there are: {', '.join(backend_names())}")
