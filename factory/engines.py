"""The engines of a build by name."""

from __future__ import annotations

from contextlib import AbstractContextManager

from factory.engine import Engine, Job, LocalEngine
from factory.errors import UserError

ENGINES = ("local", "ray")
DEFAULT_ENGINE = "local"


def check_engine(name: str) -> None:
    """Refuse a name of no engine.

    Raises:
        UserError: There is no such engine.
    """
    if name not in ENGINES:
        raise UserError(f"no engine {name!r}; there are: {', '.join(ENGINES)}")


def open_engine(
    name: str, job: Job, workers: int, gpus: float = 0.0
) -> AbstractContextManager[Engine]:
    """The engine of that name.

    Args:
        name: One of :data:`ENGINES`.
        job: What its workers do.
        workers: How many.
        gpus: That each worker needs, where the machines have some.

    Raises:
        MissingExtra: Its library is not installed.
    """
    if name == "ray":
        from factory.cluster import RayEngine

        return RayEngine(job, workers, gpus)
    return LocalEngine(job, workers)
