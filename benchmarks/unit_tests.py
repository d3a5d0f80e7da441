"""Unit-test rewards of a batch with hangs, against one subprocess per completion in the same run.

    python benchmarks/unit_tests.py [--completions 512] [--hangs 0.05] [--workers 2] [--json]

A completion is a sample program of ``tests/data/mbpp`` (right, or made to loop for ever) with its
own asserts. Ours runs each completion in a contained process of its own, with the tests elsewhere.
The other way starts ``python -I -S -c`` on program and asserts together, uncontained,
with the same time limit. Latency is that of one completion, in seconds by the clock; ``bound`` is
1.2 x (hangs x limit / workers) plus the work of the rest.
"""

from __future__ import annotations

import argparse
import json
import platform
import queue
import re
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).resolve().parent.parent
SAMPLE = ROOT / "tests" / "data" / "mbpp" / "sample.json"
sys.path.insert(0, str(ROOT))

from tracer.unit_tests import TestLimits, UnitTester, from_asserts, imports_of  # noqa: E402

LIMIT_S = 1.0
QUICK = 128
"""Completions that end, of which a subprocess each is measured."""


class Completion(NamedTuple):
    """A program with its tests."""

    code: str
    entry_point: str
    setup: str
    asserts: tuple[str, ...]
    hangs: bool


def make_batch(tasks: Sequence[dict[str, Any]], count: int, share: float) -> list[Completion]:
    every = round(1 / share) if share else 0
    batch = []
    for number in range(count):
        task = tasks[number % len(tasks)]
        hangs = bool(every) and number % every == every - 1
        code = "while True: pass" if hangs else task["code"]
        setup = "\n".join([*task["test_imports"], imports_of(task["code"])])
        entry_point = re.findall(r"^def (\w+)", task["code"], re.MULTILINE)[-1]
        batch.append(Completion(code, entry_point, setup, tuple(task["test_list"]), hangs))
    return batch


def measure(batch: list[Completion], workers: int, make: Callable[[], Runner]) -> dict[str, Any]:
    """Run ``batch`` on ``workers`` threads, each with a runner of its own."""
    before, began = used(), time.monotonic()
    runners: queue.SimpleQueue[Runner] = queue.SimpleQueue()
    owned = [make() for _ in range(workers)]
    for runner in owned:
        runners.put(runner)

    def one(completion: Completion) -> float:
        runner = runners.get()
        began = time.monotonic()
        try:
            passed = runner.run(completion)
        finally:
            runners.put(runner)
        if passed == completion.hangs:
            raise SystemExit(f"judged wrongly: {completion}")
        return time.monotonic() - began

    with ThreadPoolExecutor(workers) as pool:
        latencies = sorted(pool.map(one, batch))
    wall = time.monotonic() - began
    for runner in owned:
        runner.close()
    return {
        "wall_s": round(wall, 2),
        "cpu_s": round(used() - before, 2),
        "p50_ms": round(1000 * statistics.median(latencies), 1),
        "p99_ms": round(1000 * latencies[int(0.99 * (len(latencies) - 1))], 1),
        "cpu_ms_each": round(1000 * (used() - before) / len(batch), 1),
    }


class Contained:
    """Our way: the tests apart from the code, both in sandboxes."""

    def __init__(self) -> None:
        self.tester = UnitTester(TestLimits(test_cpu_s=LIMIT_S))

    def run(self, completion: Completion) -> bool:
        suite = from_asserts(completion.entry_point, completion.asserts, completion.setup)
        return self.tester.run(completion.code, suite).passed

    def close(self) -> None:
        self.tester.close()


class Spawned:
    """The other way: one uncontained interpreter for code and tests together."""

    def run(self, completion: Completion) -> bool:
        script = "\n".join([completion.setup, completion.code, *completion.asserts])
        command = [sys.executable, "-I", "-S", "-c", script]
        try:
            done = subprocess.run(command, capture_output=True, check=False, timeout=LIMIT_S)
        except subprocess.TimeoutExpired:
            return False
        return done.returncode == 0

    def close(self) -> None:
        """Nothing is kept."""


Runner = Contained | Spawned


def used() -> float:
    """Return the processor seconds of this process and of all its ended children."""
    return sum(
        usage.ru_utime + usage.ru_stime
        for usage in map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    )


def measure_batch(completions: int = 512, share: float = 0.05, workers: int = 2) -> dict[str, Any]:
    """Judge one batch both ways, and the part of it that ends for the bound."""
    batch = make_batch(json.loads(SAMPLE.read_text()), completions, share)
    hangs = sum(completion.hangs for completion in batch)
    quick = [completion for completion in batch if not completion.hangs]
    rest = measure(quick, workers, Contained)
    plain = measure(quick[:QUICK], workers, Spawned)
    return {
        "completions": completions,
        "hangs": hangs,
        "workers": workers,
        "ours": measure(batch, workers, Contained),
        "subprocess": measure(batch, workers, Spawned),
        "bound_s": round(1.2 * hangs * LIMIT_S / workers + rest["wall_s"], 1),
        "without_hangs": {"ours": rest, "subprocess": plain},
    }


def report(found: dict[str, Any]) -> None:
    """Print what :func:`measure_batch` returned."""
    print(
        f"{found['completions']} completions, {found['hangs']} of them without end, "
        f"limit {LIMIT_S:.0f} s, {found['workers']} workers"
    )
    for way in ("ours", "subprocess"):
        print(f"{way:11}", "  ".join(f"{key} {value}" for key, value in found[way].items()))
    ratios = {k: found["subprocess"][k] / found["ours"][k] for k in found["ours"]}
    print("subprocess / ours:", "  ".join(f"{k} {v:.2f}" for k, v in ratios.items()))
    quick = found["without_hangs"]
    each = {way: quick[way]["cpu_ms_each"] for way in quick}
    print(
        "processor ms for each completion that ends:",
        "  ".join(f"{way} {value}" for way, value in each.items()),
        f" ({each['subprocess'] / each['ours']:.1f} x)",
    )
    print(f"bound for ours: {found['bound_s']} s by the clock")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--completions", type=int, default=512)
    parser.add_argument("--hangs", type=float, default=0.05, help="share that never ends")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    found = measure_batch(options.completions, options.hangs, options.workers)
    if options.json:
        print(json.dumps(found, indent=1))
        return
    print(f"machine: {platform.machine()}, {platform.system()}")
    report(found)


if __name__ == "__main__":
    main()
