"""Unit-test rewards of a batch with hangs, against one subprocess per completion in the same run.

    python benchmarks/unit_tests.py [--completions 512] [--hangs 0.05] [--workers 2] [--json]

A completion is a sample program of ``tests/data/mbpp`` (right, or made to loop for ever) with its
own asserts. The other way starts ``python -I -S -c`` on program and asserts together, uncontained,
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


def measure(
    batch: list[Completion], workers: int, make: Callable[[], Callable[[Completion], bool]]
) -> dict[str, Any]:
    """Run ``batch`` on ``workers`` threads, each with a runner of its own."""
    runners: queue.SimpleQueue[Callable[[Completion], bool]] = queue.SimpleQueue()
    for _ in range(workers):
        runners.put(make())

    def one(completion: Completion) -> float:
        runner = runners.get()
        began = time.monotonic()
        try:
            passed = runner(completion)
        finally:
            runners.put(runner)
        if passed == completion.hangs:
            raise SystemExit(f"judged wrongly: {completion}")
        return time.monotonic() - began

    before, began = used(), time.monotonic()
    with ThreadPoolExecutor(workers) as pool:
        latencies = sorted(pool.map(one, batch))
    return {
        "wall_s": round(time.monotonic() - began, 2),
        "cpu_s": round(used() - before, 2),
        "p50_ms": round(1000 * statistics.median(latencies), 1),
        "p99_ms": round(1000 * latencies[int(0.99 * (len(latencies) - 1))], 1),
    }


def contained() -> Callable[[Completion], bool]:
    tester = UnitTester(TestLimits(test_cpu_s=LIMIT_S))

    def run(completion: Completion) -> bool:
        suite = from_asserts(completion.entry_point, completion.asserts, completion.setup)
        return tester.run(completion.code, suite).passed

    return run


def spawned() -> Callable[[Completion], bool]:
    def run(completion: Completion) -> bool:
        script = "\n".join([completion.setup, completion.code, *completion.asserts])
        command = [sys.executable, "-I", "-S", "-c", script]
        try:
            done = subprocess.run(command, capture_output=True, check=False, timeout=LIMIT_S)
        except subprocess.TimeoutExpired:
            return False
        return done.returncode == 0

    return run


def used() -> float:
    """Return the processor seconds of this process and of all its ended children."""
    return sum(
        usage.ru_utime + usage.ru_stime
        for usage in map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--completions", type=int, default=512)
    parser.add_argument("--hangs", type=float, default=0.05, help="share that never ends")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    tasks = json.loads(SAMPLE.read_text())
    batch = make_batch(tasks, options.completions, options.hangs)
    hangs = sum(completion.hangs for completion in batch)
    quick = [completion for completion in batch if not completion.hangs]
    rest = measure(quick, options.workers, contained)["wall_s"]
    found = {
        "ours": measure(batch, options.workers, contained),
        "subprocess": measure(batch, options.workers, spawned),
        "hangs": hangs,
        "bound_s": round(1.2 * hangs * LIMIT_S / options.workers + rest, 1),
    }
    if options.json:
        print(json.dumps(found, indent=1))
        return
    print(f"machine: {platform.machine()}, {platform.system()}, {options.workers} workers")
    print(f"{len(batch)} completions, {hangs} of them without end, limit {LIMIT_S:.0f} s")
    for way in ("ours", "subprocess"):
        print(f"{way:11}", "  ".join(f"{key} {value}" for key, value in found[way].items()))
    ratios = {k: found["subprocess"][k] / found["ours"][k] for k in found["ours"]}
    print("subprocess / ours:", "  ".join(f"{k} {v:.2f}" for k, v in ratios.items()))
    print(f"bound for ours: {found['bound_s']} s by the clock")


if __name__ == "__main__":
    main()
