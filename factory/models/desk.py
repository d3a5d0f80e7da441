"""A thread that holds a model and asks it for everybody; requests that wait go to it together."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from typing import TypeAlias

from factory.errors import InfrastructureError, UserError
from factory.models.base import Model, Prompt, usage_of

BATCH_PROMPTS = 512
"""Prompts that go to the model at once, unless one request alone has more."""

Numbers: TypeAlias = tuple[int, float, int, int]
"""``n``, ``temperature``, ``max_tokens`` and ``seed``."""


@dataclass(slots=True)
class _Request:
    prompts: list[Prompt]
    numbers: Numbers
    done: threading.Event = field(default_factory=threading.Event)
    replies: list[list[str]] = field(default_factory=list)
    failure: str | None = None


class ModelDesk:
    """Answers any number of threads with one model; use it in ``with``.

    Args:
        open_: Makes the model ready, in the thread that will ask it.
    """

    def __init__(self, open_: Callable[[], AbstractContextManager[Model]]) -> None:
        self._open = open_
        self._requests: queue.Queue[_Request | None] = queue.Queue()
        self._model: Model | None = None
        self._error: BaseException | None = None
        self._opened = threading.Event()
        self._thread = threading.Thread(target=self._work, daemon=True)

    @property
    def name(self) -> str:
        """The model's."""
        assert self._model is not None
        return self._model.name

    @property
    def usage(self) -> dict[str, float]:
        """What the model has cost so far."""
        return {} if self._model is None else usage_of(self._model)

    def __enter__(self) -> ModelDesk:
        """Make the model ready.

        Raises:
            MissingExtra: The backend's libraries are not installed.
            UserError: The model cannot be loaded.
        """
        self._thread.start()
        self._opened.wait()
        if self._error is not None:
            self._thread.join()
            raise self._error
        return self

    def __exit__(self, *error: object) -> None:
        """Let the model go, after what it is at."""
        self._requests.put(None)
        self._thread.join()

    def ask(self, prompts: Sequence[Prompt], numbers: Numbers) -> list[list[str]]:
        """The replies to some prompts, in their order.

        Raises:
            RuntimeError: The model failed.
        """
        request = _Request(list(prompts), numbers)
        self._requests.put(request)
        request.done.wait()
        if request.failure is not None:
            raise RuntimeError(request.failure)
        return request.replies

    def _work(self) -> None:
        try:
            with self._open() as model:
                self._model = model
                self._opened.set()
                while (request := self._requests.get()) is not None:
                    for batch in _batches(request, self._requests):
                        _answer(batch, model)
        except (UserError, InfrastructureError) as error:
            self._error = error
        finally:
            self._opened.set()


def _batches(first: _Request, waiting: queue.Queue[_Request | None]) -> Iterator[list[_Request]]:
    """The requests that wait, those with the same numbers together."""
    groups = {first.numbers: [first]}
    count = len(first.prompts)
    while count < BATCH_PROMPTS:
        try:
            request = waiting.get_nowait()
        except queue.Empty:
            break
        if request is None:
            waiting.put(None)
            break
        groups.setdefault(request.numbers, []).append(request)
        count += len(request.prompts)
    yield from groups.values()


def _answer(batch: Sequence[_Request], model: Model) -> None:
    n, temperature, max_tokens, seed = batch[0].numbers
    prompts = [prompt for request in batch for prompt in request.prompts]
    failure = None
    replies: list[list[str]] = []
    try:
        replies = model.complete(
            prompts, n=n, temperature=temperature, max_tokens=max_tokens, seed=seed
        )
    except Exception as error:
        failure = str(error).strip().split("\n", 1)[0] or type(error).__name__
    place = 0
    for request in batch:
        request.failure = failure
        request.replies = replies[place : place + len(request.prompts)]
        place += len(request.prompts)
        request.done.set()
