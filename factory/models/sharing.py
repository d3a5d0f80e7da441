"""One model for all workers of a machine: the process that has it serves the others.

A model takes memory and a GPU, has limits for a minute and counts what it costs, so it is there
once, whichever parts of a recipe name it. Those that ask it reach it over a socket in a folder of
the user's own.
"""

from __future__ import annotations

import secrets
import threading
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from multiprocessing import AuthenticationError
from multiprocessing.connection import Client, Connection, Listener
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Protocol

from factory.errors import InfrastructureError
from factory.models.base import Model, ModelPlan, Prompt
from factory.models.desk import ModelDesk
from factory.models.opening import open_model


class ModelAddress(Protocol):
    """What is taken along to reach a model from another thread, process or machine."""

    @property
    def name(self) -> str:
        """The model's, its version included."""

    def open(self) -> AbstractContextManager[Model]:
        """The model, as long as the block.

        Raises:
            InfrastructureError: It cannot be reached any more.
        """


class Models(Protocol):
    """The models of a build, which come and go with it."""

    def address(self, plan: ModelPlan, where: str) -> ModelAddress:
        """Make a model ready, unless it is already.

        Args:
            plan: Names it.
            where: Key of the recipe, for messages.

        Raises:
            MissingExtra: The backend's libraries are not installed.
            UserError: The model cannot be loaded.
        """

    @property
    def usage(self) -> dict[str, dict[str, float]]:
        """What each has cost in this run, by name (:func:`factory.models.base.usage_of`)."""


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


class ModelService:
    """Serves a model to other processes of this user; use it in ``with``.

    One thread waits for those that ask, and one listens to each.

    Args:
        plan: Names the model.
        where: Key of the recipe, for messages.
    """

    def __init__(self, plan: ModelPlan, where: str) -> None:
        self._desk = ModelDesk(partial(open_model, plan, where))
        self._closing = threading.Event()
        self._stack = ExitStack()
        self._address: ServedModel | None = None

    @property
    def address(self) -> ServedModel:
        """What others take along."""
        assert self._address is not None
        return self._address

    @property
    def usage(self) -> dict[str, float]:
        """What the model has cost in this run."""
        return self._desk.usage

    def __enter__(self) -> ModelService:
        """Open the model.

        Raises:
            MissingExtra: The backend's libraries are not installed.
            UserError: The model cannot be loaded.
        """
        with ExitStack() as stack:
            stack.enter_context(self._desk)
            folder = stack.enter_context(TemporaryDirectory(prefix="tracefoundry-"))
            key = secrets.token_bytes(32)
            path = str(Path(folder) / "model")
            listener = stack.enter_context(Listener(path, "AF_UNIX", authkey=key))
            self._address = ServedModel(self._desk.name, path, key)
            thread = threading.Thread(target=self._accept, args=(listener,), daemon=True)
            thread.start()
            stack.callback(thread.join)
            stack.callback(self._wake)
            self._stack = stack.pop_all()
        return self

    def __exit__(self, *error: object) -> None:
        """Close the model; requests under way are not waited for."""
        self._stack.close()

    def _wake(self) -> None:
        """Let the thread that waits for others see that no more are wanted."""
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
        """Pass on what one client asks, until it is gone."""
        with connection, suppress(OSError, EOFError):
            while True:
                prompts, numbers = connection.recv()
                try:
                    connection.send((None, self._desk.ask(prompts, numbers)))
                except RuntimeError as error:
                    connection.send((str(error), []))


class LocalModels:
    """Models of this process, each loaded once; use it in ``with``."""

    def __init__(self) -> None:
        self._stack = ExitStack()
        self._services: list[tuple[ModelPlan, ModelService]] = []

    def __enter__(self) -> LocalModels:
        return self

    def __exit__(self, *error: object) -> None:
        """Let all models go."""
        self._stack.close()

    def address(self, plan: ModelPlan, where: str) -> ModelAddress:
        """As :meth:`Models.address`."""
        for known, service in self._services:
            if known == plan:
                return service.address
        service = self._stack.enter_context(ModelService(plan, where))
        self._services.append((plan, service))
        return service.address

    @property
    def usage(self) -> dict[str, dict[str, float]]:
        """As :attr:`Models.usage`."""
        return {service.address.name: service.usage for _, service in self._services}
