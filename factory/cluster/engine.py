"""The cluster engine: the same job as the local one, run by Ray Data in a pool of actors.

Each actor opens the job once, with its sandboxes, and turns tasks into results.
Tasks go in waves, each a dataset of tasks that is mapped over the pool; results come in any order.
Ray starts an actor that is lost again and gives it its tasks; when a machine is lost, a wave may
end with it, and what is missing makes the next one. What is finished is kept by the caller, so
nothing is lost and nothing is there twice.

Source: https://docs.ray.io/en/latest/data/api/doc/ray.data.Dataset.map_batches.html.
"""

from __future__ import annotations

import gc
import pickle
import traceback
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack
from types import TracebackType
from typing import Any

from factory.cluster.joining import import_ray, join_cluster
from factory.engine import MAX_TRIES, Job, WorkerFault, given_up
from factory.errors import InfrastructureError
from factory.worker import BROKEN, DONE, FAILED, collect_rarely

UNITS_AHEAD = 64
"""Tasks an actor that make a wave: a pool is started for each."""


class TaskActor:
    """Does the tasks of one actor; what :meth:`ray.data.Dataset.map_batches` calls.

    Args:
        job: Pickled, as it crosses to machines that import it there.
    """

    def __init__(self, job: bytes) -> None:
        self._stack = ExitStack()
        self._work = self._stack.enter_context(pickle.loads(job).open())  # noqa: S301 - our own
        collect_rarely()

    def __call__(self, batch: dict[str, Any]) -> dict[str, list[Any]]:
        """The tasks of a batch with what they gave."""
        indexes = [int(index) for index in batch["index"]]
        made = [self._do(bytes(task)) for task in batch["task"]]
        return {
            "index": indexes,
            "kind": [kind for kind, _ in made],
            "content": [content for _, content in made],
        }

    def _do(self, task: bytes) -> tuple[str, bytes]:
        try:
            return DONE, self._work(pickle.loads(task))  # noqa: S301 - our own
        except InfrastructureError as error:
            return FAILED, error.message.encode()
        except Exception:
            return BROKEN, traceback.format_exc().encode()

    def __del__(self) -> None:
        """End the sandboxes with the actor."""
        stack = getattr(self, "_stack", None)
        if stack is not None:
            stack.close()


class RayEngine:
    """Runs tasks in ``workers`` actors; use it in ``with``.

    Args:
        job: What actors do.
        workers: How many.
    """

    name = "ray"
    ahead = UNITS_AHEAD

    def __init__(self, job: Job, workers: int) -> None:
        self.workers = workers
        self._job = pickle.dumps(job)
        self._waiting: dict[int, bytes] = {}
        self._tries = Counter[int]()
        self._fruitless = 0
        self._results: Iterator[dict[str, Any]] = iter(())
        self._stack = ExitStack()

    def __enter__(self) -> RayEngine:
        """Join the cluster, unless this process has.

        Raises:
            MissingExtra: Ray is not installed.
            InfrastructureError: There is no cluster at the address.
        """
        self._stack.enter_context(join_cluster(self.workers))
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Tasks under way are not waited for."""
        self._results = iter(())
        self._stack.close()

    def submit(self, index: int, content: Any) -> None:
        """Queue a task for the next wave; ``index`` names its result."""
        self._waiting[index] = pickle.dumps(content)

    def take(self) -> tuple[int, bytes]:
        """Wait for the next result of a submitted task, in whatever order they come.

        Raises:
            InfrastructureError: A task failed :data:`factory.engine.MAX_TRIES` times, or the
                cluster did.
            WorkerFault: The job raised something that is neither data nor a failing machine.
        """
        while True:
            row = next(self._results, None)
            if row is None:
                self._results = self._start_wave()
                continue
            self._fruitless = 0
            index, kind, content = int(row["index"]), str(row["kind"]), bytes(row["content"])
            if kind == DONE:
                return index, content
            if kind == BROKEN:
                raise WorkerFault(f"unit {index} broke a worker:\n{content.decode()}")
            self._retry(index, bytes(row["task"]), content.decode())

    def _retry(self, index: int, task: bytes, reason: str) -> None:
        self._tries[index] += 1
        if self._tries[index] >= MAX_TRIES:
            raise given_up(index, reason)
        self._waiting[index] = task

    def _start_wave(self) -> Iterator[dict[str, Any]]:
        """The results of all waiting tasks as they come."""
        ray = import_ray()
        assert self._waiting, "a result is wanted of a task that was submitted"
        wave, self._waiting = self._waiting, {}
        tasks = [{"index": index, "task": task} for index, task in wave.items()]
        mapped = ray.data.from_items(tasks, override_num_blocks=len(tasks)).map_batches(
            TaskActor,
            batch_size=1,
            compute=ray.data.ActorPoolStrategy(size=min(self.workers, len(tasks))),
            fn_constructor_args=(self._job,),
            num_cpus=1,
            max_task_retries=MAX_TRIES - 1,
        )
        ended: str | None = None
        try:
            for row in mapped.iter_rows():
                yield {**row, "task": wave.pop(int(row["index"]))}
        except ray.exceptions.RayError as error:  # Ray Data gives up when a machine is lost
            self._fruitless += 1
            if isinstance(error, ray.exceptions.ActorDiedError) or self._fruitless >= MAX_TRIES:
                ended = str(error).strip().split("\n", 1)[0]
            else:
                self._waiting |= wave
        finally:  # no error is held now: actors end when nothing holds them, and the next wave
            del mapped  # needs their place
            gc.collect()
        if ended is not None:
            raise InfrastructureError(
                f"the Ray cluster failed: {ended}; the finished units are kept: run the same "
                "command again to go on"
            )
