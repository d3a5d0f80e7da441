"""Processor time of a contained, traced and checked program, end to end, beside ExecVerify's way.

    python benchmarks/execute.py [--programs 512] [--tasks CRUXEVAL.jsonl] [--json]

Four ways, in one run, over the same programs, all of them different texts:

``together``  ``Runner.trace_many``: 64 to 256 programs a process, each program traced in two
              contained processes under two hash seeds and clocks, and run plainly in the second.
``inputs``    The same for ten calls of each of some of the programs, as a build makes them; the
              time is that of a call.
``alone``     ``Runner.run``: the same with three contained processes for each program.
``EV``        two ``python -c`` starts for each program, one that prints the result and one that
              asserts it, with neither containment nor trace.

Processor time counts all processes, the start of the sandbox included. ``alone`` and ``EV`` are
measured on a part of the programs. What the calls return is checked outside the measurement.
"""

from __future__ import annotations

import argparse
import datetime
import itertools
import json
import platform
import resource
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).resolve().parent.parent
SAMPLE = ROOT / "tests/data/cruxeval/sample.jsonl"
sys.path.insert(0, str(ROOT))

from factory.inputs import mutate_calls  # noqa: E402
from tracer.containment import probe_containment  # noqa: E402
from tracer.records import Call, Program, Trace  # noqa: E402
from tracer.runner import Runner  # noqa: E402
from tracer.sharing import MOST_CALLS  # noqa: E402
from tracer.values import is_faithful  # noqa: E402

SLOW_WAYS = 40
"""Programs that ``alone`` and ``EV`` are measured on."""
SEVERAL, INPUTS = 32, 10
"""Programs that ``inputs`` is measured on, and calls of each."""


class Task(NamedTuple):
    """A program with its call and what that returns."""

    source: str
    args: str
    expected: str


def tasks(path: Path, count: int) -> list[Task]:
    """Return ``count`` programs; a small file is gone through again, with another comment."""
    lines = path.read_text(encoding="utf-8").splitlines()
    rows = itertools.islice(itertools.cycle(map(json.loads, lines)), count)
    return [
        Task(f"{row['code']}\n# {number}\n", row["input"], row["output"])
        for number, row in enumerate(rows)
    ]


def run_together(work: list[Task]) -> tuple[Trace, ...]:
    """Trace all programs, many in a process."""
    with Runner() as runner:
        return runner.trace_many([(Program(t.source, "f"), Call(t.args)) for t in work])


def check(work: list[Task], traces: tuple[Trace, ...]) -> None:
    """See to it that every call returned what it is known to return."""
    for task, trace in zip(work, traces, strict=True):
        assert trace.complete, trace.outcome
        assert trace.outcome.value is not None
        assert eval(trace.outcome.value) == eval(task.expected)


def several_inputs(work: list[Task]) -> list[Task]:
    """Return up to ``INPUTS`` calls of each program that return."""
    found = []
    for task in work:
        program, call = Program(task.source, "f"), Call(task.args)
        made = mutate_calls(program, (call,), 2 * INPUTS, "inputs").calls
        calls = [(program, each) for each in (call, *made)]
        with Runner() as runner:
            traces = runner.trace_many(calls)
        returned = [
            Task(task.source, each.args, trace.outcome.value)
            for (_, each), trace in zip(calls, traces, strict=True)
            if trace.complete and trace.outcome.value and is_faithful(trace.outcome.value)
        ]
        found += returned[:INPUTS]
    return found


def start_sandboxes() -> None:
    """Start both sandboxes and end them."""
    with Runner() as runner:
        runner.run_many([(Program("def f():\n    pass\n", "f"), Call(""))])


def run_alone(work: list[Task]) -> None:
    """Trace every program in processes of its own."""
    with Runner() as runner:
        for task in work:
            assert runner.run(Program(task.source, "f"), Call(task.args)).complete


def run_ev(work: list[Task]) -> None:
    """Start an interpreter twice for every program."""
    for source, args, expected in work:
        for last in (f"print(repr(f({args})))", f"assert f({args}) == {expected}"):
            command = [sys.executable, "-c", f"{source}\n\n{last}\n"]
            subprocess.run(command, capture_output=True, check=True)


def spent() -> float:
    """Processor seconds so far of this process and of its children that have ended."""
    usages = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(usage.ru_utime + usage.ru_stime for usage in usages)


def measure(run: Callable[[list[Task]], object], work: list[Task]) -> float:
    """Return milliseconds for each program."""
    began = spent()
    run(work)
    return 1e3 * (spent() - began) / len(work)


def compare(path: Path, count: int) -> dict[str, Any]:
    """Measure the three ways, the fast one before and after the others."""
    work = tasks(path, count)
    some = work[:SLOW_WAYS]
    calls = several_inputs(work[:SEVERAL])
    start = measure(lambda _: start_sandboxes(), work[:1])
    check(work, run_together(work))
    first, inputs = measure(run_together, work), measure(run_together, calls)
    alone, ev = measure(run_alone, some), measure(run_ev, some)
    together = min(first, measure(run_together, work))
    inputs = min(inputs, measure(run_together, calls))
    layers = [layer.name for layer in probe_containment().layers if layer.active]
    found = {"together": together, "inputs": inputs, "alone": alone, "EV": ev}
    return {
        "programs": count,
        "programs_a_process": min(count, MOST_CALLS[0]),
        "calls_with_several_inputs": len(calls),
        "layers": layers,
        "ms_to_start": round(start, 1),
        "ms_a_program": {way: round(value, 2) for way, value in found.items()},
        "EV_over": {way: round(ev / value, 1) for way, value in found.items()},
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--programs", type=int, default=512, help="different texts that are run")
    parser.add_argument("--tasks", type=Path, default=SAMPLE, help="records of CRUXEval's shape")
    parser.add_argument("--json", action="store_true", help="print the numbers as JSON")
    options = parser.parse_args()
    found = compare(options.tasks, options.programs)
    if options.json:
        print(json.dumps(found, indent=1))
        return
    today = datetime.datetime.now(tz=datetime.UTC).date()
    print(f"machine: {platform.processor() or platform.machine()}, {platform.system()}, {today}")
    print(f"Python {platform.python_version()}; processor time for each program, end to end")
    print(f"contained by {', '.join(found['layers'])}; traced twice and run plainly")
    print(f"{found['programs']} programs, up to {found['programs_a_process']} a process together")
    print(f"{found['calls_with_several_inputs']} calls with several inputs a program")
    print(f"the start of both sandboxes, {found['ms_to_start']} ms, is in each of the ways")
    for way, value in found["ms_a_program"].items():
        print(f"{way:9} {value:7.2f} ms   EV takes {found['EV_over'][way]:.1f} times as much")


if __name__ == "__main__":
    main()
