"""The engines of a build by name, and where its models are."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager

from factory.engine import Engine, Job, LocalEngine
from factory.errors import UserError
from factory.models.sharing import LocalModels, Models

ENGINES = ("local", "ray")
DEFAULT_ENGINE = "local"


def check_engine(name: str) -> None:
    """Refuse a name of no engine.

    Raises:
        UserError: There is no such engine.
    """
    if name not in ENGINES:
        raise UserError(f"no engine {name!r}; there are: {', '.join(ENGINES)}")


@contextmanager
def open_models(name: str, workers: int) -> Iterator[Models]:
    """Where the models of a build are that runs on the engine of that name.

    Args:
        name: One of :data:`ENGINES`.
        workers: That the engine will have.

    Raises:
        MissingExtra: Its library is not installed.
        InfrastructureError: There is no cluster.
    """
    if name == "ray":
        from factory.cluster.joining import join_cluster
        from factory.cluster.models import RayModels

        with join_cluster(workers), RayModels() as remote:
            yield remote
    else:
        with LocalModels() as local:
            yield local


def open_engine(name: str, job: Job, workers: int) -> AbstractContextManager[Engine]:
    """The engine of that name.

    Args:
        name: One of :data:`ENGINES`.
        job: What its workers do.
        workers: How many.

    Raises:
        MissingExtra: Its library is not installed.
    """
    if name == "ray":
        from factory.cluster.engine import RayEngine

        return RayEngine(job, workers)
    return LocalEngine(job, workers)
