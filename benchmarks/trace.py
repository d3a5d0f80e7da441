"""Processor time per executed line of our tracer and of three others, side by side in one run.

    python benchmarks/trace.py [--rounds 5] [--json]

The others: "EV", ExecVerify's way (``sys.settrace`` with a full ``repr`` of all locals at every
event), PySnooper and hunter. The last two are measured where they are installed; for Python 3.11:

    python -m pip install --target .venv/peers/3.11 --python-version 3.11 \
        --only-binary=:all: PySnooper hunter

Each tool records the same call of the same program, without compiling it, and what it takes on top
of the untraced call is divided by the number of lines that the call runs. Ours runs as in the
sandbox, with the cyclic garbage collector off, and ends with what the sandbox reports. Of ours and
EV the best of the rounds counts; the others, which are slower by far, run once.

Then the same in two passes (:mod:`tracer.points`): the order of the statements, and the states
after ten steps alone, both passes together. Below: what a trace takes to keep (our ``traces`` table
as Parquet, against the text of EV's records as JSON), and our time per step as a trace grows.
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
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).resolve().parent.parent
PEERS = ROOT / ".venv" / "peers"
POINTS = 10
"""Steps whose states the second of two passes reads."""
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


def workloads() -> dict[str, Workload]:
    """Return all workloads by name."""
    path = ROOT / "tests/data/cruxeval/every_20th.jsonl"
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    cruxeval = tuple((row["code"], row["input"]) for row in rows)
    return {
        "cruxeval": Workload("40 CRUXEval programs", 5, cruxeval),
        "branches": Workload("2,000 iterations, branches", 1, ((BRANCHING, "2000"),)),
        "loop": Workload("10,000 iterations, ints", 1, ((COUNTING, "10000"),)),
        "list": Workload("list grown to 3,000", 1, ((GROWING, "3000"),)),
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


def record(program: Program) -> tuple[float, dict[str, Any]]:
    """Record the call as the sandbox does; return the time and the report."""
    from tracer.inside.steps import Recorder

    return _record(program, Recorder)


def _record(program: Program, make_recorder: Callable[..., Any]) -> tuple[float, dict[str, Any]]:
    from tracer.inside.encode import Encoder
    from tracer.inside.preparation import prepare

    prepared = prepare(program.source)
    space: dict[str, Any] = {"__name__": "program"}
    exec(prepared.code, space)
    entry, args = space["f"], eval(f"({program.args},)", space)
    recorder = make_recorder(prepared, Encoder(), 10**9, entry.__code__, lambda: None)
    gc.disable()
    began = time.process_time()
    recorder.start()
    entry(*args)
    whole = recorder.stop()
    report = recorder.result()
    spent = time.process_time() - began
    gc.enable()
    assert whole, recorder.fault
    return spent, {**report, "statements": prepared.statements}


def record_points(program: Program, points: list[int]) -> tuple[float, dict[str, Any]]:
    """Make one of two passes as the sandbox does; return the time and the report."""
    from tracer.inside.points import PointRecorder

    return _record(program, lambda *given: PointRecorder(*given, points))


def trace_ours(program: Program) -> tuple[float, int]:
    """Record the call as the sandbox does."""
    return record(program)[0], 0


def stored_bytes(programs: list[Program]) -> int | None:
    """Size of the traces as they are published; ``None`` where pyarrow is not installed."""
    try:
        import pyarrow.parquet as pq
    except ImportError:
        return None
    from factory.rows import trace_row
    from factory.table import encodings, to_table
    from tracer.records import Program as Source
    from tracer.serialization import trace_from_report

    known = {
        "outcome": {"kind": "returned", "type": None, "value": None, "message": None},
        "complete": True,
        "stdout": "",
        "python": platform.python_version(),
        "lazy_lines": [],
    }
    rows = []
    for number, program in enumerate(programs):
        _, report = record(program)
        trace = trace_from_report(report | known, Source(program.source, "f"), program.args)
        rows.append(trace_row(trace, {"program_id": str(number), "split": "train", "level": 1}))
    stream = io.BytesIO()
    kept = {"compression": "zstd", "compression_level": 3, **encodings("traces")}
    pq.write_table(to_table("traces", rows), stream, **kept)
    return stream.tell()


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
    action = hunter.VarsSnooper(stream=stream)
    began = time.process_time()
    with hunter.trace(filename=program.path, action=action):
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
    work = workloads()[name]
    with tempfile.TemporaryDirectory() as folder:
        programs = []
        for number, (source, args) in enumerate(work.sources):
            path = Path(folder, f"program_{number}.py")
            path.write_text(source, encoding="utf-8")
            programs.append(Program(source, args, str(path)))
        lines = sum(map(count_lines, programs))
        best: dict[str, float] = {}
        size = dict.fromkeys(RUN, 0)
        for turn in range(rounds):
            for tool in RUN:
                is_peer = tool in ("PySnooper", "hunter")
                if is_peer and (turn or not _installed(tool)):
                    continue
                repeats = 1 if is_peer else work.repeats
                runs = [RUN[tool](p) for p in programs for _ in range(repeats)]
                spent = sum(spent for spent, _ in runs) / repeats
                best[tool] = min(best.get(tool, spent), spent)
                size[tool] = sum(length for _, length in runs) // repeats
        us = {t: 1e6 * (best[t] - best["untraced"]) / lines for t in TOOLS if t in best}
        return {
            "lines": lines,
            "us_per_line": us,
            "text_of_EV": size["EV"],
            "stored": stored_bytes(programs),
        }


def measure_points(rounds: int) -> dict[str, float]:
    """Microseconds per executed line of EV and of two passes with ten points, on long loops."""
    found = {}
    for name in ("branches", "loop"):
        source, args = workloads()[name].sources[0]
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "program.py")
            path.write_text(source, encoding="utf-8")
            program = Program(source, args, str(path))
            lines = count_lines(program)
            steps = len(record_points(program, [])[1]["stmts"])
            points = [steps * number // POINTS for number in range(POINTS)]
            ways: dict[str, Callable[[], float]] = {
                "untraced": lambda: untraced(program)[0],  # noqa: B023 - called in this turn
                "EV": lambda: trace_ev(program)[0],  # noqa: B023
                "order": lambda: record_points(program, [])[0],  # noqa: B023
                "states": lambda: record_points(program, points)[0],  # noqa: B023
            }
            best = {way: min(run() for _ in range(rounds)) for way, run in ways.items()}
        for way in ("EV", "order", "states"):
            found[f"{name} {way}"] = 1e6 * (best[way] - best["untraced"]) / lines
    return found


def show_points(version: str, found: dict[str, float]) -> None:
    """Print the two passes beside EV."""
    for name in ("branches", "loop"):
        ev, *passes = (found[f"{name} {way}"] for way in ("EV", "order", "states"))
        print(
            f"{version:5} {workloads()[name].title:27} {passes[0]:.2f} + {passes[1]:.2f}, "
            f"EV {ev:.2f}: {ev / sum(passes):.1f}x"
        )


def measure_growth(rounds: int) -> dict[str, float]:
    """Microseconds per step of ours, for traces of several lengths."""
    found = {}
    for steps in (1_000, 3_000, 10_000, 30_000):
        program = Program(COUNTING, str(steps // 2), "")
        best = min(record(program)[0] for _ in range(rounds))
        found[str(steps)] = 1e6 * best / steps
    return found


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
    tools = result["us_per_line"]
    ours = tools["ours"]
    cells = [f"{title:5} {work.title:27} {result['lines']:6d} {ours:7.2f}"]
    for tool in TOOLS[1:]:
        if tool in tools:
            cells.append(f"{tools[tool]:8.2f} {tools[tool] / ours:6.1f}x")
        else:
            cells.append(f"{'not installed':>16}")
    print("  ".join(cells))


def show_sizes(rows: dict[str, dict[str, Any]]) -> None:
    """Print what the traces of each workload take to keep."""
    for name, result in rows.items():
        stored, text = result["stored"], result["text_of_EV"]
        if stored is not None:
            title = workloads()[name].title
            print(f"      {title:27} {stored:9,d} bytes; EV {text:11,d} ({text / stored:.1f}x)")


def processor() -> str:
    """Return the name of this machine's processor."""
    try:
        for line in Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    except OSError:
        pass
    return platform.processor() or platform.machine()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=5, help="measurements; the best counts")
    parser.add_argument("--json", action="store_true", help="print the numbers as JSON")
    parser.add_argument("--only", choices=sorted(workloads()), help="measure one workload")
    parser.add_argument(
        "--worker", choices=[*workloads(), "growth", "points"], help=argparse.SUPPRESS
    )
    options = parser.parse_args()
    sys.path[:0] = [str(ROOT), str(PEERS / f"{sys.version_info[0]}.{sys.version_info[1]}")]
    if options.worker == "growth":
        print(json.dumps(measure_growth(options.rounds)))
        return
    if options.worker == "points":
        print(json.dumps(measure_points(options.rounds)))
        return
    if options.worker:
        print(json.dumps(measure(options.worker, options.rounds)))
        return
    sys.path.insert(0, str(ROOT / "tests"))
    from interpreters import find_interpreters

    everything: dict[str, Any] = {}
    growth: dict[str, Any] = {}
    points: dict[str, Any] = {}
    if not options.json:
        print(f"{datetime.now(tz=UTC).date()}, {processor()}, {platform.system()}")
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
        growth[version] = run_worker(python, "growth", options.rounds)
        points[version] = run_worker(python, "points", options.rounds)
    if options.json:
        found = {"workloads": everything, "us_per_step": growth, "two_passes": points}
        print(json.dumps(found, indent=1))
        return
    print(
        f"two passes, the states after {POINTS} steps: microseconds per executed line, both passes"
    )
    for version, row in points.items():
        show_points(version, row)
    print("what the traces take to keep")
    for rows in everything.values():
        show_sizes(rows)
    print("microseconds per step of an int loop, by steps")
    for version, found in growth.items():
        cells = [f"{int(steps):,d}: {us:.2f}" for steps, us in found.items()]
        print(f"{version:5} {'  '.join(cells)}")
    for version, rows in everything.items():
        missing = [t for t in TOOLS if any(t not in r["us_per_line"] for r in rows.values())]
        if missing:
            print(
                f"not installed for {version}: {', '.join(missing)}; install with: python -m pip "
                f"install --target {PEERS.relative_to(ROOT)}/{version} --python-version {version} "
                f"--only-binary=:all: {' '.join(missing)}"
            )


if __name__ == "__main__":
    main()
