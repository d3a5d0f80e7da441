"""Models on a Ray cluster: each copy is an actor with GPUs of its own, which all others ask.

An actor that is lost is started again, with its model, and asked again. Replies are kept where
they are used: by the process of the build, and by each machine for the programs that are written
there.

Source: https://docs.ray.io/en/latest/ray-core/actors.html.
"""

from __future__ import annotations

import os
import time
import uuid
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

from factory.cluster.joining import import_ray
from factory.errors import InfrastructureError, UserError
from factory.models.backends import load_model
from factory.models.base import Model, ModelPlan, Prompt
from factory.models.cache import BATCH_PROMPTS, CachedModel, cache_file, open_cache
from factory.models.desk import ModelDesk, Numbers
from factory.models.sharing import ModelAddress

ON_GPUS = ("vllm", "transformers")
"""Backends that run a model on GPUs of their own process."""
CONCURRENCY = 256
"""Calls that wait in one copy at once; they go to the model together."""
RETRIES = 2
"""Times that Ray makes a call again when its copy is lost."""
PAUSES_S = (1.0, 5.0, 25.0)
"""Before we do, when Ray has given up: it takes that long to notice that a machine is lost."""
READY_S = 1800.0
"""How long the cluster may take to have all copies of a model up."""
LEAST_PROMPTS = 16
"""Prompts that are not shared out among copies."""


class ModelActor:
    """One copy of a model.

    Args:
        plan: Names it.
        where: Key of the recipe, for messages.
    """

    def __init__(self, plan: ModelPlan, where: str) -> None:
        self._desk = ModelDesk(partial(_loaded, plan, where))
        self._failure: Exception | None = None
        try:
            self._desk.__enter__()
        except (UserError, InfrastructureError) as error:
            self._failure = error

    def name(self) -> str:
        """The model's.

        Raises:
            UserError: It cannot be loaded.
        """
        if self._failure is not None:
            raise self._failure
        return self._desk.name

    def usage(self) -> dict[str, float]:
        """What this copy has cost since it was started."""
        return self._desk.usage

    def complete(self, prompts: list[Prompt], numbers: Numbers) -> list[list[str]]:
        """The replies to some prompts.

        Raises:
            RuntimeError: The model failed.
        """
        return self._desk.ask(prompts, numbers)


@contextmanager
def _loaded(plan: ModelPlan, where: str) -> Iterator[Model]:
    yield load_model(plan.backend, plan.model, plan.revision, plan.settings, where)


@dataclass(frozen=True, slots=True)
class ClusterModel:
    """The copies of a model; what a job takes along."""

    name: str
    copies: tuple[str, ...]
    """Names of the actors."""
    cache: Path
    """File of replies, on every machine."""

    @contextmanager
    def open(self) -> Iterator[Model]:
        """The model, as long as the block.

        Raises:
            InfrastructureError: It is gone.
        """
        ray = import_ray()
        try:
            actors = [ray.get_actor(copy) for copy in self.copies]
        except ValueError as error:
            raise InfrastructureError(
                f"the model {self.name} cannot be reached: {error}"
            ) from error
        with open_cache(self.cache) as cache:
            yield CachedModel(_Copies(self.name, actors), cache, BATCH_PROMPTS * len(actors))


class _Copies:
    """Shares prompts out among the copies of a model."""

    def __init__(self, name: str, actors: Sequence[Any]) -> None:
        self.name = name
        self._actors = actors
        self._next = os.getpid()

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
        ray = import_ray()
        asked: list[Prompt] = [[dict(message) for message in prompt] for prompt in prompts]
        share = max(LEAST_PROMPTS, -(-len(asked) // len(self._actors)))
        parts = [asked[first : first + share] for first in range(0, len(asked), share)]
        numbers = (n, temperature, max_tokens, seed)
        calls = [self._ask(part, numbers) for part in parts]
        replies: list[list[str]] = []
        for part, call in zip(parts, calls, strict=True):
            replies += self._wait(ray, call, part, numbers)
        return replies

    def _ask(self, part: list[Prompt], numbers: Numbers) -> Any:
        """Ask the copy whose turn it is."""
        actor = self._actors[self._next % len(self._actors)]
        self._next += 1
        return actor.complete.remote(part, numbers)

    def _wait(self, ray: Any, call: Any, part: list[Prompt], numbers: Numbers) -> list[list[str]]:
        """The replies of a call; asked again, of the next copy, if the machine of this one is lost.

        Raises:
            RuntimeError: The model failed, or one copy after another is lost.
        """
        pauses = list(PAUSES_S)
        while True:
            try:
                return list(ray.get(call))
            except ray.exceptions.RayTaskError as failure:
                raise RuntimeError(str(failure.cause)) from failure
            except ray.exceptions.RayError as failure:
                if not pauses:
                    raise RuntimeError(f"its actor is lost: {_line(failure)}") from failure
            time.sleep(pauses.pop(0))
            call = self._ask(part, numbers)


class RayModels:
    """Models in actors of the cluster that this process is part of; use it in ``with``."""

    def __init__(self) -> None:
        self._known: list[tuple[ModelPlan, ClusterModel]] = []
        self._actors: list[Any] = []
        self._usage: dict[str, dict[str, float]] = {}

    def __enter__(self) -> RayModels:
        return self

    def __exit__(self, *error: object) -> None:
        """Let all models go, and note what they have cost."""
        ray = import_ray()
        self._usage = self._ask_usage(ray)
        for actor in self._actors:
            ray.kill(actor)

    def address(self, plan: ModelPlan, where: str) -> ModelAddress:
        """As :meth:`factory.models.sharing.Models.address`.

        Raises:
            MissingExtra: The backend's libraries are not installed on the machine of a copy.
            UserError: The model cannot be loaded.
            InfrastructureError: The cluster has no place for all copies.
        """
        for known, address in self._known:
            if known == plan:
                return address
        ray = import_ray()
        gpus = _gpus(plan) if ray.cluster_resources().get("GPU") else 0
        options = {
            "num_cpus": 0,
            "num_gpus": gpus,
            "max_concurrency": CONCURRENCY,
            "max_restarts": -1,
            "max_task_retries": RETRIES,
        }
        made = ray.remote(ModelActor)
        copies = [f"model-{uuid.uuid4().hex}" for _ in range(plan.copies)]
        local = replace(plan, copies=1)
        actors = [made.options(name=copy, **options).remote(local, where) for copy in copies]
        self._actors += actors
        try:
            names = ray.get([actor.name.remote() for actor in actors], timeout=READY_S)
        except ray.exceptions.GetTimeoutError as failure:
            raise InfrastructureError(
                f"{where}: the cluster has no place for {plan.copies} copies of {plan.model} with "
                f"{gpus} GPUs each, or they take more than {READY_S:.0f} s to load"
            ) from failure
        except ray.exceptions.RayTaskError as failure:
            raise failure.cause from failure
        except ray.exceptions.RayError as failure:
            raise InfrastructureError(f"{where}: {plan.model}: {_line(failure)}") from failure
        address = ClusterModel(names[0], tuple(copies), cache_file())
        self._known.append((plan, address))
        return address

    @property
    def usage(self) -> dict[str, dict[str, float]]:
        """As :attr:`factory.models.sharing.Models.usage`; known when the models are let go."""
        return self._usage

    def _ask_usage(self, ray: Any) -> dict[str, dict[str, float]]:
        """What all copies that live have cost since they were started."""
        sums: dict[str, Counter[str]] = {}
        for _, address in self._known:
            total = sums.setdefault(address.name, Counter())
            for copy in address.copies:
                with suppress(ray.exceptions.RayError, ValueError):
                    total.update(ray.get(ray.get_actor(copy).usage.remote()))
        return {name: dict(total) for name, total in sums.items()}


def _gpus(plan: ModelPlan) -> int:
    """GPUs of one copy."""
    parallel = int((plan.settings or {}).get("tensor_parallel") or 1)
    return parallel if plan.backend in ON_GPUS else 0


def _line(failure: Exception) -> str:
    return str(failure).strip().split("\n", 1)[0]
