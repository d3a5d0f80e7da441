"""The local engine: a few worker processes that each hold what a job needs.

Workers are started fresh, not forked, so that they are lean and know nothing of the caller; one
that dies is replaced and its task tried again.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections import deque
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from multiprocessing import Pipe
from multiprocessing.connection import Connection, wait
from types import TracebackType
from typing import Any, Protocol

from factory.errors import InfrastructureError
from factory.worker import DONE, FAILED

MAX_TRIES = 3
"""Workers that a task may cost before the build is given up."""
UNITS_AHEAD = 4
"""Tasks a worker that may be under way before the first result is needed."""
_END_S = 5.0


class Engine(Protocol):
    """Runs tasks somewhere, many at a time."""

    name: str
    """As the manifest has it."""
    workers: int
    ahead: int
    """Tasks a worker that should be submitted before a result is taken."""

    def submit(self, index: int, content: Any) -> None:
        """Queue a task; ``index`` names its result."""

    def take(self) -> tuple[int, bytes]:
        """Wait for the next result of a submitted task, in whatever order they come.

        Raises:
            InfrastructureError: A task failed again and again.
        """


class Job(Protocol):
    """What workers do; sent to each of them once."""

    def open(self) -> AbstractContextManager[Callable[[Any], bytes]]:
        """Make ready in the worker; gives the function that turns a task into its result."""


class WorkerFault(RuntimeError):
    """A fault of ours in a worker; the message holds the worker's traceback."""


@dataclass(frozen=True, slots=True)
class _Task:
    index: int
    content: Any
    tries: int = 0


@dataclass(frozen=True, slots=True, eq=False)
class _Worker:
    process: subprocess.Popen[bytes]
    connection: Connection


class LocalEngine:
    """Runs tasks in ``workers`` processes; use it in ``with``."""

    name = "local"
    ahead = UNITS_AHEAD

    def __init__(self, job: Job, workers: int) -> None:
        self.workers = workers
        self._job = job
        self._queue: deque[_Task] = deque()
        self._idle: list[_Worker] = []
        self._busy: dict[Connection, tuple[_Worker, _Task]] = {}

    def __enter__(self) -> LocalEngine:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """End the workers: those at work are not waited for."""
        busy = [worker for worker, _ in self._busy.values()]
        for worker in (*self._idle, *busy):
            worker.connection.close()
        for worker in busy:
            worker.process.kill()
        for worker in (*self._idle, *busy):
            _await_end(worker.process)
        self._idle.clear()
        self._busy.clear()

    def submit(self, index: int, content: Any) -> None:
        """Queue a task; ``index`` names its result."""
        self._queue.append(_Task(index, content))

    def take(self) -> tuple[int, bytes]:
        """Wait for the next result of a submitted task, in whatever order they come.

        Raises:
            InfrastructureError: A task's worker failed :data:`MAX_TRIES` times.
            WorkerFault: The job raised something that is neither data nor a failing machine.
        """
        while True:
            self._assign()
            ready = wait(list(self._busy))
            connection = next(iter(ready))
            assert isinstance(connection, Connection)
            worker, task = self._busy.pop(connection)
            try:
                kind, content = connection.recv()
            except (EOFError, OSError):
                kind, content = FAILED, f"worker {worker.process.pid} died"
            if kind == DONE:
                self._idle.append(worker)
                return task.index, content
            connection.close()
            worker.process.kill()
            _await_end(worker.process)
            if kind != FAILED:
                raise WorkerFault(f"unit {task.index} broke a worker:\n{content}")
            self._retry(task, content)

    def _assign(self) -> None:
        """Give queued tasks to idle workers, starting workers up to the allowed number."""
        while self._queue and (self._idle or len(self._busy) < self.workers):
            worker = self._idle.pop() if self._idle else _start(self._job)
            task = self._queue.popleft()
            try:
                worker.connection.send(task.content)
            except OSError:
                _await_end(worker.process)
                self._retry(task, f"worker {worker.process.pid} died while idle")
                continue
            self._busy[worker.connection] = (worker, task)

    def _retry(self, task: _Task, reason: str) -> None:
        if task.tries + 1 >= MAX_TRIES:
            raise given_up(task.index, reason)
        self._queue.appendleft(replace(task, tries=task.tries + 1))


def given_up(index: int, reason: str) -> InfrastructureError:
    """What is raised when a unit failed :data:`MAX_TRIES` times; ``reason`` is that of the last."""
    return InfrastructureError(
        f"unit {index} failed {MAX_TRIES} times, last: {reason}; the finished units are kept: run "
        "the same command again to go on"
    )


def _start(job: Job) -> _Worker:
    ours, theirs = Pipe()
    path = [entry or os.getcwd() for entry in sys.path]
    code = (
        f"import sys; sys.path[:] = {path!r}; from factory.worker import serve; "
        f"serve({theirs.fileno()}, {os.getpid()})"
    )
    process = subprocess.Popen(  # noqa: S603 (our own interpreter and code)
        [sys.executable, "-c", code],
        stdin=subprocess.DEVNULL,
        stdout=2,
        pass_fds=[theirs.fileno()],
    )
    theirs.close()
    try:
        ours.send(job)
    except OSError as error:
        raise InfrastructureError(f"a worker did not start: {error}") from error
    return _Worker(process, ours)


def _await_end(process: subprocess.Popen[bytes]) -> None:
    try:
        process.wait(_END_S)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
