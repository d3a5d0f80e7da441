"""One model for all workers of a machine: the process that has it serves the others.

A model takes memory and a GPU, has limits for a minute and counts what it costs, so it is there
once. Workers reach it over a socket in a folder of the user's own; requests that wait at the same
time go to the model together.
"""

from __future__ import annotations

import queue
import secrets
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from multiprocessing import AuthenticationError
from multiprocessing.connection import Client, Connection, Listener
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Protocol, TypeAlias

from factory.errors import InfrastructureError, UserError
from factory.models.base import Model, ModelPlan, Prompt, usage_of
from factory.models.cache import CachedModel
from factory.models.opening import open_model

BATCH_PROMPTS = 512
"""Prompts that go to the model at once, unless one worker alone asks for more."""

_Numbers: TypeAlias = tuple[int, float, int, int]
"""``n``, ``temperature``, ``max_tokens`` and ``seed``."""


class ModelAddress(Protocol):
    """What a job takes along to reach a model from another process."""

    def open(self) -> AbstractContextManager[Model]:
        """The model, as long as the block."""


@dataclass(frozen=True, slots=True)
class OwnModel:
    """Every process opens the model for itself: for servers, and workers with a GPU each."""

    plan: ModelPlan
    where: str
    """Key of the recipe, for messages."""

    @contextmanager
    def open(self) -> Iterator[Model]:
        """The model, as long as the block."""
        with open_model(self.plan, self.where) as model:
            yield model


@dataclass(frozen=True, slots=True)
class ServedModel:
    """The model of the process that serves it."""

    name: str
    path: str
    """Of the socket."""
    key: bytes

    @contextmanager
    def open(self) -> Iterator[Model]:
        """The model, as long as the block.

        Raises:
            InfrastructureError: The process that serves it is gone.
        """
        try:
            connection = Client(self.path, authkey=self.key)
        except (OSError, EOFError) as error:
            raise InfrastructureError(
                f"the model {self.name} cannot be reached: {error}"
            ) from error
        with connection:
            yield _Remote(self.name, connection)


class _Remote:
    """The client's side of a served model."""

    def __init__(self, name: str, connection: Connection) -> None:
        self.name = name
        self._connection = connection

    def complete(
        self,
        prompts: Sequence[Prompt],
        *,
        n: int,
        temperature: float,
        max_tokens: int,
        seed: int,
    ) -> list[list[str]]:
        """As :meth:`factory.models.base.Model.complete`."""
        asked = [[dict(message) for message in prompt] for prompt in prompts]
        try:
            self._connection.send((asked, (n, temperature, max_tokens, seed)))
            failure, replies = self._connection.recv()
        except (OSError, EOFError) as error:
            raise RuntimeError("the process that serves it is gone") from error
        if failure is not None:
            raise RuntimeError(failure)
        answered: list[list[str]] = replies
        return answered


@dataclass(slots=True)
class _Request:
    prompts: list[Prompt]
    numbers: _Numbers
    done: threading.Event = field(default_factory=threading.Event)
    replies: list[list[str]] = field(default_factory=list)
    failure: str | None = None


class ModelService:
    """Serves a model to other processes of this user; use it in ``with``.

    One thread opens the model and asks it; one waits for workers, and one listens to each.

    Args:
        plan: Names the model.
        where: Key of the recipe, for messages.
    """

    def __init__(self, plan: ModelPlan, where: str) -> None:
        self._plan = plan
        self._where = where
        self._requests: queue.Queue[_Request | None] = queue.Queue()
        self._model: CachedModel | None = None
        self._error: BaseException | None = None
        self._opened = threading.Event()
        self._closing = threading.Event()
        self._stack = ExitStack()
        self._address: ServedModel | None = None

    @property
    def address(self) -> ServedModel:
        """What workers take along."""
        assert self._address is not None
        return self._address

    @property
    def usage(self) -> dict[str, float]:
        """What the model has cost in this run."""
        return {} if self._model is None else usage_of(self._model)

    def __enter__(self) -> ModelService:
        """Open the model.

        Raises:
            MissingExtra: The backend's libraries are not installed.
            UserError: The model cannot be loaded.
        """
        with ExitStack() as stack:
            self._start(self._work, stack)
            stack.callback(self._requests.put, None)
            self._opened.wait()
            if self._error is not None:
                raise self._error
            assert self._model is not None
            folder = stack.enter_context(TemporaryDirectory(prefix="tracefoundry-"))
            key = secrets.token_bytes(32)
            path = str(Path(folder) / "model")
            listener = stack.enter_context(Listener(path, "AF_UNIX", authkey=key))
            self._address = ServedModel(self._model.name, path, key)
            self._start(partial(self._accept, listener), stack)
            stack.callback(self._wake)
            self._stack = stack.pop_all()
        return self

    def __exit__(self, *error: object) -> None:
        """Close the model; requests under way are not waited for."""
        self._stack.close()

    def _start(self, work: Callable[[], None], stack: ExitStack) -> None:
        thread = threading.Thread(target=work, daemon=True)
        thread.start()
        stack.callback(thread.join)

    def _wake(self) -> None:
        """Let the thread that waits for workers see that no more are wanted."""
        self._closing.set()
        with suppress(OSError, EOFError):
            Client(self.address.path, authkey=self.address.key).close()

    def _accept(self, listener: Listener) -> None:
        while not self._closing.is_set():
            try:
                connection = listener.accept()
            except (OSError, EOFError, AuthenticationError):
                continue
            threading.Thread(target=self._listen, args=(connection,), daemon=True).start()

    def _listen(self, connection: Connection) -> None:
        """Pass on what one worker asks, until it is gone."""
        with connection, suppress(OSError, EOFError):
            while True:
                request = _Request(*connection.recv())
                self._requests.put(request)
                request.done.wait()
                connection.send((request.failure, request.replies))

    def _work(self) -> None:
        try:
            with open_model(self._plan, self._where) as model:
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
