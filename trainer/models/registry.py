"""The backends of models by name: the modules of this package that have a ``load``.

A package of somebody else adds one with an entry point of the group ``tracefoundry.models``.
"""

from __future__ import annotations

import importlib
import importlib.util
import inspect
from collections.abc import Callable, Mapping, Sequence
from importlib import metadata
from typing import Any, Protocol

from trainer.errors import TrainingError

ENTRY_POINTS = "tracefoundry.models"
_PACKAGE = "trainer.models"
_EXTRAS = {"vllm": "vllm"}
"""Extra of this distribution that a backend needs, where it is not ``train``."""


class Model(Protocol):
    """A model that completes prompts."""

    @property
    def name(self) -> str:
        """What it is, its version included: equal names mean equal answers."""

    def complete(
        self,
        prompts: Sequence[Sequence[Mapping[str, str]]],
        *,
        n: int,
        temperature: float,
        max_tokens: int,
        seed: int,
    ) -> list[list[str]]:
        """``n`` replies to each prompt, in their order.

        Raises:
            RuntimeError: The model failed.
            OSError: Its server or files can't be reached.
        """


def open_model(
    backend: str, model: str, revision: str | None, settings: Mapping[str, Any]
) -> Model:
    """Load a model.

    Args:
        backend: Name of a backend.
        model: What it loads: a folder, a repository, or the name that a server knows.
        revision: Of a repository.
        settings: What else the backend takes, such as a server's ``url``.

    Raises:
        TrainingError: There is no such backend, setting or model, or a library is missing.
    """
    try:
        load = _find(backend)
        names = [
            name
            for name, each in inspect.signature(load).parameters.items()
            if each.kind is inspect.Parameter.KEYWORD_ONLY
        ]
        unknown = sorted(set(settings) - set(names))
        if unknown:
            known = ", ".join(names) or "none"
            raise TrainingError(f"--backend {backend}: no setting {unknown[0]!r}; it has: {known}")
        found: Model = load(model, revision, **settings)
    except ModuleNotFoundError as error:
        extra = _EXTRAS.get(backend, "train")
        raise TrainingError(
            f"--backend {backend} needs {error.name}, which is not installed: "
            f"pip install 'tracefoundry[{extra}]'"
        ) from error
    except (OSError, ValueError) as error:
        reason = str(error).strip().split("\n", 1)[0]
        raise TrainingError(f"--model {model}: can't be loaded: {reason}") from error
    return found


def _find(backend: str) -> Callable[..., Any]:
    if backend.isidentifier() and importlib.util.find_spec(f"{_PACKAGE}.{backend}") is not None:
        load = getattr(importlib.import_module(f"{_PACKAGE}.{backend}"), "load", None)
        if load is not None:
            return load  # type: ignore[no-any-return]
    others = metadata.entry_points(group=ENTRY_POINTS)
    for entry in others:
        if entry.name == backend:
            return entry.load()  # type: ignore[no-any-return]
    known = ", ".join(["transformers", "vllm", "openai", *sorted(each.name for each in others)])
    raise TrainingError(f"--backend {backend}: there is none of this name; there are: {known}")
