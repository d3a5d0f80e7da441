"""Processor time per executed line of our tracer and of three others, side by side in one run.

    python benchmarks/trace.py [--rounds 5] [--json]

The others: "EV", ExecVerify's way (``sys.settrace`` with a full ``repr`` of all locals at every
event), PySnooper and hunter. The last two are measured where they are installed; for Python 3.11:

    python -m pip install --target .venv/peers/3.11 --python-version 3.11 \
        --only-binary=:all: PySnooper hunter

Each tool records the same call of the same program, without compiling it, and what it takes on top
of the untraced call is divided by the number of lines that the call runs. Ours runs as in the
sandbox, with the cyclic garbage collector off, and ends with the trace as plain records.
"""

from __future__ import annotations

import argparse
import gc
import importlib
import io
import json
import platform
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).resolve().parent.parent
PEERS = ROOT / ".venv" / "peers"
TOOLS = ("ours", "EV", "PySnooper", "hunter")
COUNTING = """
def f(n):
    total = 0
    for i in range(n):
        total += i
    return total
"""
GROWING = """
def f(n):
    xs = []
    for i in range(n):
        xs.append(i)
    return len(xs)
"""
BRANCHING = """
def f(n):
    odd = even = 0
    word = "step"
    for i in range(n):
        if i % 2:
            odd += i
        else:
            even += i
        last = word + str(i % 7)
    return odd - even, last
"""


class Program(NamedTuple):
    """A call of ``f`` in ``source``; ``path`` is a file that holds the source."""

    source: str
    args: str
    path: str


class Workload(NamedTuple):
    """Programs measured together, each ``repeats`` times."""

    title: str
    repeats: int
    sources: tuple[tuple[str, str], ...]
    target_ev: float


def workloads() -> dict[str, Workload]:
    """Return all workloads by name."""
    lines = (ROOT / "tests/data/cruxeval/sample.jsonl").read_text(encoding="utf-8").splitlines()
    rows = [json.loads(line) for line in lines]
    cruxeval = tuple((row["code"], row["input"]) for row in rows)
    return {
        "cruxeval": Workload("CRUXEval programs", 20, cruxeval, 2.5),
        "branches": Workload("2,000 iterations, branches", 1, ((BRANCHING, "2000"),), 2.5),
        "loop": Workload("10,000 iterations, ints", 1, ((COUNTING, "10000"),), 3.0),
        "list": Workload("list grown to 3,000", 1, ((GROWING, "3000"),), 50.0),
    }


def untraced(program: Program) -> tuple[float, int]:
    """Run the call plainly."""
    call = _plain_call(program)
    began = time.process_time()
    call()
    return time.process_time() - began, 0


def count_lines(program: Program) -> int:
    """Count the lines that the call runs."""
    call = _plain_call(program)
    count = 0

    def trace(frame: Any, event: str, arg: object) -> Any:
        nonlocal count
        if frame.f_code.co_filename == program.path:
            count += event == "line"
            return trace
        return None

    sys.settrace(trace)
    call()
    sys.settrace(None)
    return count


def trace_ours(program: Program) -> tuple[float, int]:
    """Record the call as the sandbox does."""
    from tracer.inside.encode import Encoder
    from tracer.inside.harness import prepare
    from tracer.inside.steps import Recorder

    prepared = prepare(program.source)
    space: dict[str, Any] = {"__name__": "program"}
    exec(prepared.code, space)
    entry, args = space["f"], eval(f"({program.args},)", space)
    recorder = Recorder(
        prepared.layout, prepared.codes, Encoder(), 10**9, entry.__code__, lambda: None
    )
    gc.disable()
    began = time.process_time()
    recorder.start()
    entry(*args)
    whole = recorder.stop()
    result = recorder.result()
    spent = time.process_time() - began
    gc.enable()
    assert whole, recorder.fault
    return spent, len(json.dumps(result))


def guarded_repr(value: object) -> str:
    """The text of a value, made whole and then cut."""
    try:
        text = repr(value)
    except Exception:
        return f"no text of {type(value).__name__}"
    return text if len(text) <= 200 else text[:200] + "..."


def trace_ev(program: Program) -> tuple[float, int]:
    """Record all events with the ``repr`` of all locals."""
    call = _plain_call(program)
    events: list[Any] = []

    def trace(frame: Any, event: str, arg: object) -> Any:
        code = frame.f_code
        if code.co_filename != program.path:
            return None
        shown = {name: guarded_repr(value) for name, value in frame.f_locals.items()}
        events.append((event, frame.f_lineno, code.co_name, id(frame), shown))
        return trace

    began = time.process_time()
    sys.settrace(trace)
    call()
    sys.settrace(None)
    spent = time.process_time() - began
    return spent, len(json.dumps(events))


def trace_pysnooper(program: Program) -> tuple[float, int]:
    """Snoop on the entry and what it calls."""
    import pysnooper  # type: ignore[import-untyped]

    stream = io.StringIO()
    space = _load(program)
    entry = pysnooper.snoop(stream, depth=50, color=False)(space["f"])
    args = eval(f"({program.args},)", space)
    began = time.process_time()
    entry(*args)
    return time.process_time() - began, len(stream.getvalue())


def trace_hunter(program: Program) -> tuple[float, int]:
    """Print the variables that change."""
    import hunter  # type: ignore[import-not-found]

    call = _plain_call(program)
    stream = io.StringIO()
    query = hunter.Q(filename=program.path, action=hunter.VarsSnooper(stream=stream))
    began = time.process_time()
    with hunter.trace(query):
        call()
    return time.process_time() - began, len(stream.getvalue())


RUN: dict[str, Callable[[Program], tuple[float, int]]] = {
    "untraced": untraced,
    "ours": trace_ours,
    "EV": trace_ev,
    "PySnooper": trace_pysnooper,
    "hunter": trace_hunter,
}


def _load(program: Program) -> dict[str, Any]:
    space: dict[str, Any] = {"__name__": "program", "__file__": program.path}
    exec(compile(program.source, program.path, "exec", dont_inherit=True), space)
    return space


def _plain_call(program: Program) -> Callable[[], Any]:
    space = _load(program)
    entry, args = space["f"], eval(f"({program.args},)", space)
    return lambda: entry(*args)


def measure(name: str, rounds: int) -> dict[str, Any]:
    """Measure every tool on one workload in this interpreter; microseconds per executed line."""
    sys.path[:0] = [str(ROOT), str(PEERS / f"{sys.version_info[0]}.{sys.version_info[1]}")]
    work = workloads()[name]
    found: dict[str, Any] = {}
    with tempfile.TemporaryDirectory() as folder:
        programs = []
        for number, (source, args) in enumerate(work.sources):
            path = Path(folder, f"program_{number}.py")
            path.write_text(source, encoding="utf-8")
            programs.append(Program(source, args, str(path)))
        lines = sum(map(count_lines, programs))
        tools = [tool for tool in RUN if tool not in ("PySnooper", "hunter") or _installed(tool)]
        best = dict.fromkeys(tools, float("inf"))
        size = dict.fromkeys(tools, 0)
        for _ in range(rounds):
            for tool in tools:
                runs = [RUN[tool](p) for p in programs for _ in range(work.repeats)]
                best[tool] = min(best[tool], sum(spent for spent, _ in runs) / work.repeats)
                size[tool] = sum(length for _, length in runs) // work.repeats
        for tool in TOOLS:
            if tool in best:
                spent = best[tool] - best["untraced"]
                found[tool] = {"us_per_line": 1e6 * spent / lines, "characters": size[tool]}
    return {"lines": lines, "tools": found}


def _installed(tool: str) -> bool:
    try:
        importlib.import_module(tool.lower())
    except ImportError:
        return False
    return True


def run_worker(python: str, name: str, rounds: int) -> dict[str, Any]:
    """Measure one workload in a fresh process of ``python``."""
    command = [python, "-s", __file__, "--worker", name, "--rounds", str(rounds)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"error: {python} on {name}: {done.stderr.strip()[-2000:]}")
    result: dict[str, Any] = json.loads(done.stdout)
    return result


def show(title: str, work: Workload, result: dict[str, Any]) -> None:
    """Print one row."""
    tools = result["tools"]
    ours = tools["ours"]["us_per_line"]
    cells = [f"{title:5} {work.title:27} {result['lines']:6d} {ours:7.2f}"]
    for tool in TOOLS[1:]:
        if tool in tools:
            us = tools[tool]["us_per_line"]
            cells.append(f"{us:8.2f} {us / ours:6.1f}x")
        else:
            cells.append(f"{'not installed':>16}")
    print("  ".join(cells))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=5, help="measurements; the best counts")
    parser.add_argument("--json", action="store_true", help="print the numbers as JSON")
    parser.add_argument("--only", choices=sorted(workloads()), help="measure one workload")
    parser.add_argument("--worker", choices=sorted(workloads()), help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.worker:
        print(json.dumps(measure(options.worker, options.rounds)))
        return
    sys.path.insert(0, str(ROOT / "tests"))
    from interpreters import find_interpreters

    everything: dict[str, Any] = {}
    if not options.json:
        print(f"machine: {platform.processor() or platform.machine()}, {platform.system()}")
        print("microseconds of processor time per executed line beyond the untraced call; x = ours")
        print(f"{'':33} {'lines':>6} {'ours':>7}  {'EV':>16}  {'PySnooper':>16}  {'hunter':>16}")
    for version, python in find_interpreters().items():
        for name, work in workloads().items():
            if options.only not in (None, name):
                continue
            result = run_worker(python, name, options.rounds)
            everything.setdefault(version, {})[name] = result
            if not options.json:
                show(version, work, result)
    if options.json:
        print(json.dumps(everything, indent=1))
        return
    for version, rows in everything.items():
        missing = [t for t in TOOLS if any(t not in r["tools"] for r in rows.values())]
        if missing:
            print(
                f"not installed for {version}: {', '.join(missing)}; install with: python -m pip "
                f"install --target {PEERS.relative_to(ROOT)}/{version} --python-version {version} "
                f"--only-binary=:all: {' '.join(missing)}"
            )


if __name__ == "__main__":
    main()
