r"""Traces many calls side by side and streams the results in their order.

The work happens in the sandboxes' own processes; each thread of a pool only waits for its two.

Example:
    >>> from tracer import Call, Pool, Program
    >>> square = Program("def f(x):\n    return x * x", "f")
    >>> with Pool(workers=2) as pool:
    ...     traces = pool.run_all((square, Call(str(x))) for x in range(4))
    ...     print([trace.outcome.value for trace in traces])
    ['0', '1', '4', '9']
"""

from __future__ import annotations

import itertools
import queue
import sys
from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from types import TracebackType

from tracer.records import Call, Limits, Program, Trace
from tracer.runner import Runner

_TOGETHER = 32
"""Calls that a worker takes at a time; they share processes where that is safe."""
_AHEAD = 2
"""Such portions under way or waiting, for each worker."""


class Pool:
    """Runs calls in ``workers`` pairs of sandboxes; close it, or use it in ``with``."""

    def __init__(
        self, workers: int = 2, limits: Limits | None = None, python: str = sys.executable
    ) -> None:
        if workers < 1:
            raise ValueError(f"a pool needs at least one worker, not {workers}")
        self._runners = [Runner(limits, python) for _ in range(workers)]
        self._free: queue.SimpleQueue[Runner] = queue.SimpleQueue()
        for runner in self._runners:
            self._free.put(runner)
        self._threads = ThreadPoolExecutor(workers, thread_name_prefix="tracer-pool")

    def __enter__(self) -> Pool:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        value: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Wait for the calls under way and end the sandboxes."""
        self._threads.shutdown(cancel_futures=True)
        for runner in self._runners:
            runner.close()

    def run_all(self, calls: Iterable[tuple[Program, Call]]) -> Iterator[Trace]:
        """Yield the trace of each call, in the order of ``calls``.

        ``calls`` is read only as far ahead as the workers need, so it may be endless. A program
        that kills, hangs or exhausts its sandbox changes no other call's trace.
        """
        ahead: deque[Future[tuple[Trace, ...]]] = deque()
        source = iter(calls)
        while portion := tuple(itertools.islice(source, _TOGETHER)):
            ahead.append(self._threads.submit(self._run, portion))
            if len(ahead) >= _AHEAD * len(self._runners):
                yield from ahead.popleft().result()
        while ahead:
            yield from ahead.popleft().result()

    def _run(self, calls: tuple[tuple[Program, Call], ...]) -> tuple[Trace, ...]:
        runner = self._free.get()
        try:
            return runner.trace_many(calls)
        finally:
            self._free.put(runner)
