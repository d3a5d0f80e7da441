"""Processor time of a contained, traced and checked program, end to end, beside ExecVerify's way.

    python benchmarks/execute.py [--rounds 3]

Ours is ``Runner.run``: three contained processes for each program, two traced, one plain. "EV" is
two ``python -c`` starts for each program, one that prints the result and one that asserts it, with
neither containment nor trace. Same programs, processor time of all child processes included.
"""

from __future__ import annotations

import argparse
import json
import platform
import resource
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from tracer.records import Call, Program  # noqa: E402
from tracer.runner import Runner  # noqa: E402


def programs() -> list[tuple[str, str, str]]:
    """Return source, arguments and expected result of the CRUXEval sample."""
    lines = (ROOT / "tests/data/cruxeval/sample.jsonl").read_text(encoding="utf-8").splitlines()
    return [(row["code"], row["input"], row["output"]) for row in map(json.loads, lines)]


def run_ours(rounds: int) -> None:
    """Trace every program, starting the sandbox once."""
    with Runner() as runner:
        for _ in range(rounds):
            for source, args, expected in programs():
                trace = runner.run(Program(source, "f"), Call(args))
                assert trace.complete, trace.outcome
                assert trace.outcome.value == expected


def run_ev(rounds: int) -> None:
    """Start an interpreter twice for every program."""
    for _ in range(rounds):
        for source, args, expected in programs():
            for last in (f"print(repr(f({args})))", f"assert f({args}) == {expected}"):
                command = [sys.executable, "-c", f"{source}\n\n{last}\n"]
                subprocess.run(command, capture_output=True, check=True)


def spent() -> float:
    """Processor seconds so far of this process and of its children that have ended."""
    usages = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(usage.ru_utime + usage.ru_stime for usage in usages)


def measure(run: Callable[[int], None], rounds: int) -> float:
    """Return milliseconds for each program."""
    began = spent()
    run(rounds)
    return 1e3 * (spent() - began) / (rounds * len(programs()))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=20, help="times each program is run")
    rounds = parser.parse_args().rounds
    ours, ev = measure(run_ours, rounds), measure(run_ev, max(1, rounds // 4))
    print(f"machine: {platform.processor() or platform.machine()}, {platform.system()}")
    print(f"Python {platform.python_version()}; processor time for each program, end to end")
    print(f"ours: {ours:7.2f} ms, contained, traced, run a second time, sandbox start included")
    print(f"EV:   {ev:7.2f} ms, two interpreter starts, {ev / ours:.1f} times ours")


if __name__ == "__main__":
    main()
