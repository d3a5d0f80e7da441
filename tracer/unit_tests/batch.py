"""Runs many completions on several workers, in order and in bounded time."""

from __future__ import annotations

import queue
import time
from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor

from tracer.unit_tests.records import TestLimits, TestReport, TestResult, TestSuite
from tracer.unit_tests.tester import UnitTester

_AHEAD = 256
"""Items taken for each worker before the first report is read: so many others can run while one
completion, whose report is next, takes its time."""


def run_many(
    items: Iterable[tuple[str, TestSuite]],
    workers: int,
    limits: TestLimits | None = None,
    *,
    batch_wall_s: float | None = None,
) -> Iterator[TestReport]:
    """Run unit tests of many completions; reports come in the order of ``items``.

    Each worker has sandboxes of its own. A completion takes no longer than its limits allow, and
    never keeps another one from its result.

    Args:
        items: code and its tests.
        workers: completions that run at a time, at least 1.
        limits: of each completion.
        batch_wall_s: seconds by the clock after which no further completion is begun; those are
            reported as ``infrastructure``.

    Raises:
        ValueError: a suite has no tests, or there is no worker.
    """
    if workers < 1:
        raise ValueError("there must be a worker")
    return _stream(items, workers, limits, batch_wall_s)


def _stream(
    items: Iterable[tuple[str, TestSuite]],
    workers: int,
    limits: TestLimits | None,
    batch_wall_s: float | None,
) -> Iterator[TestReport]:
    end = None if batch_wall_s is None else time.monotonic() + batch_wall_s
    testers: queue.SimpleQueue[UnitTester] = queue.SimpleQueue()
    owned = [UnitTester(limits) for _ in range(workers)]
    for tester in owned:
        testers.put(tester)

    def run(code: str, suite: TestSuite) -> TestReport:
        if end is not None and time.monotonic() >= end:
            late = TestResult("infrastructure", "the time of the batch was over before it began")
            return TestReport((late,) * len(suite.tests))
        tester = testers.get()
        try:
            return tester.run(code, suite)
        finally:
            testers.put(tester)

    waiting: deque[Future[TestReport]] = deque()
    pool = ThreadPoolExecutor(workers, thread_name_prefix="unit-tests")
    try:
        for code, suite in items:
            waiting.append(pool.submit(run, code, suite))
            if len(waiting) > workers * _AHEAD:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
    finally:
        pool.shutdown(wait=True, cancel_futures=True)
        for tester in owned:
            tester.close()
