"""How long builds of any size take and what they cost: a simulation of the engines' schedule.

Workers take units in order, a bounded number ahead of the one process that merges them in draw
order; the times of both come from ``benchmarks/build.py``. ``--check`` holds the simulation against
the local engine itself, whose workers then sleep for as long as the simulated ones work, so that it
can be checked on a busy machine.

    python benchmarks/scale.py [--check] [--worker-ms 263.1] [--merge-ms 13.9] [--core-hour 0.04]
"""

from __future__ import annotations

import argparse
import heapq
import random
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from sleeping import Sleeping  # noqa: E402

from factory.engine import UNITS_AHEAD, LocalEngine  # noqa: E402
from factory.sources.units import UNIT_DRAWS  # noqa: E402

SIZES = {"the paper's 119,358 rows": 19_900, "10 million programs": 10**7, "a billion": 10**9}
"""Programs; the paper's rows at six inputs a program, as docs/speed.md counts them."""
WORKERS = (2, 16, 64, 1_024)
SPREAD = 0.3
"""Standard deviation of a unit's time, as a share of its mean."""
SIMULATED_UNITS = 4_000
"""Units that are simulated of a larger build; the rest goes at the rate of the later half."""


@dataclass(frozen=True)
class Costs:
    """What one unit costs, in seconds."""

    worker: float
    merge: float


def draw_times(costs: Costs, units: int, seed: int = 0) -> list[float]:
    """Times that workers need for the units, gamma distributed."""
    rng = random.Random(seed)
    shape = 1 / SPREAD**2
    return [rng.gammavariate(shape, costs.worker / shape) for _ in range(units)]


def simulate(times: list[float], merge: float, workers: int, ahead: int) -> list[float]:
    """When each unit is merged, in seconds from the start.

    Args:
        times: What each unit takes a worker.
        merge: What each takes the process that merges.
        workers: How many work at once.
        ahead: Units a worker that may be submitted before the first is merged.
    """
    free = [0.0] * workers
    heapq.heapify(free)
    finished: list[float] = []
    merged: list[float] = []
    now = 0.0
    for number in range(len(times)):
        while len(finished) < min(len(times), number + ahead * workers):
            start = max(heapq.heappop(free), now)
            end = start + times[len(finished)]
            finished.append(end)
            heapq.heappush(free, end)
        now = max(now, finished[number]) + merge
        merged.append(now)
    return merged


def project(costs: Costs, programs: int, workers: int) -> float:
    """Seconds of a whole build."""
    units = -(-programs // UNIT_DRAWS)
    number = min(units, max(SIMULATED_UNITS, 8 * UNITS_AHEAD * workers))
    merged = simulate(draw_times(costs, number), costs.merge, workers, UNITS_AHEAD)
    half = number // 2
    rate = (merged[-1] - merged[half - 1]) / (number - half)
    return merged[-1] + rate * (units - number)


def measure(times: list[float], merge: float, workers: int) -> float:
    """Seconds that the local engine takes for sleeping units, the start of its workers apart."""
    with LocalEngine(Sleeping(), workers) as engine:
        for warm in range(workers):
            engine.submit(-1 - warm, 0.5)
        for _ in range(workers):
            engine.take()
        started = time.monotonic()
        done: set[int] = set()
        submitted = 0
        for number in range(len(times)):
            while submitted < min(len(times), number + UNITS_AHEAD * workers):
                engine.submit(submitted, times[submitted])
                submitted += 1
            while number not in done:
                done.add(engine.take()[0])
            time.sleep(merge)
        return time.monotonic() - started


def check() -> float:
    """The largest error of the simulation, as a share of what the engine took."""
    worst = 0.0
    print("workers  unit ms  merge ms  engine s  simulated s  error")
    for workers, worker, merge in ((1, 0.25, 0.02), (2, 0.3, 0.03), (4, 0.4, 0.03), (4, 0.2, 0.1)):
        times = draw_times(Costs(worker, merge), 40, seed=workers)
        real = measure(times, merge, workers)
        simulated = simulate(times, merge, workers, UNITS_AHEAD)[-1]
        error = simulated / real - 1
        worst = max(worst, abs(error))
        print(
            f"{workers:7} {worker * 1e3:8.0f} {merge * 1e3:9.0f} {real:9.2f} {simulated:12.2f} "
            f"{error:+6.1%}"
        )
    return worst


def describe(seconds: float) -> str:
    """A time in the unit that a person would use."""
    for unit, size in (("days", 86_400.0), ("hours", 3_600.0), ("minutes", 60.0)):
        if seconds >= 2 * size:
            return f"{seconds / size:,.1f} {unit}"
    return f"{seconds:,.0f} s"


def report(costs: Costs, price: float) -> None:
    """Print the projections."""
    limit = costs.worker / costs.merge
    print(f"one process merges as fast as {limit:.1f} workers make")
    print("programs                    workers  time           core hours      cost")
    for name, programs in SIZES.items():
        for workers in WORKERS:
            seconds = project(costs, programs, workers)
            hours = seconds * (workers + 1) / 3600
            print(
                f"{name:27} {workers:7}  {describe(seconds):13} {hours:11,.1f} "
                f"{hours * price:9,.2f}"
            )


def main(arguments: Any = None) -> None:
    """Read the command line and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--worker-ms", type=float, default=263.1, help="a program, in a worker")
    parser.add_argument("--merge-ms", type=float, default=13.9, help="a program, merged")
    parser.add_argument("--core-hour", type=float, default=0.04, help="price of a core's hour")
    given = parser.parse_args(arguments)
    if given.check:
        print(f"largest error {check():.1%}")
    per_unit = UNIT_DRAWS / 1e3
    report(Costs(given.worker_ms * per_unit, given.merge_ms * per_unit), given.core_hour)


if __name__ == "__main__":
    main()
