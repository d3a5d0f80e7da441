"""What a build costs, stage by stage, beside ExecVerify's way on the same calls.

    python benchmarks/build.py [--recipe paper] [--programs 96] [--seed 0] [--json]

Three things in one run:

``stages``  a whole build in one process, whose sandboxes are the only other processes: the
            processor time of every stage, children included. Another seed is built before, so that
            imports and the start of the sandboxes are nobody's.
``EV``      ExecVerify's way, for calls of the programs that were built: two ``python -c`` starts,
            one that prints the result and one that asserts it, and a run under ``sys.settrace``
            with the ``repr`` of all locals at every event; neither contained nor checked.
``memory``  the same build with a worker of its own, as the command makes it: peaks of the parent,
            of the worker and of the sandboxes together.

Both sides are charged for the same calls, those included that are not kept. The model of a recipe
is not asked. The projection is the time of a kept call, measured here, times the paper's number,
without what is done once a build: it takes the work on a program for independent of how many others
there are.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from trace import Program as Traced  # noqa: E402
from trace import processor, trace_ev  # noqa: E402

from stage_clock import StageClock, descendants  # noqa: E402

import cards  # noqa: E402
import factory.drafting  # noqa: E402
import factory.engines  # noqa: E402
import factory.execute  # noqa: E402
import factory.inputs  # noqa: E402
from factory.drafting import BuildJob  # noqa: E402
from factory.load import read_rows  # noqa: E402
from factory.pipeline import build  # noqa: E402
from factory.progress import SilentProgress  # noqa: E402
from factory.recipe import load_recipe  # noqa: E402
from factory.recipe_records import Recipe  # noqa: E402
from factory.training_records import Curriculum, Difficulty  # noqa: E402
from factory.worker import collect_rarely  # noqa: E402

REST, ONCE = "merging, prompts, store", "once a build: manifest, card"
DRAFTING, INPUTS = "drafting and static checks", "inputs"
EXECUTION, SELECTION = "execution and traces", "dynamic checks, filters, selection"
QUESTIONS, ROWS, DEDUPE = "questions", "rows", "dedupe keys"
STAGES = (DRAFTING, INPUTS, EXECUTION, SELECTION, QUESTIONS, ROWS, DEDUPE, REST, ONCE)
LIKE_EV = (EXECUTION, SELECTION)
"""The stages that do what EV's way does, and more."""
WARM_UP = 16
EV_CALLS = 40
PAPER_RAW, PAPER_ROWS = 239_992, 119_358
"""Samples made and kept (ExecVerify, arXiv 2603.11226, section 3): a program with an input each."""
_LOOK_S = 0.02


class OneProcess:
    """An engine that does each unit when it is asked for, in this process."""

    name = "one process"
    ahead = 1

    def __init__(self, job: BuildJob, workers: int) -> None:
        self.workers = workers
        self._job = job
        self._stack = ExitStack()
        self._queue: list[tuple[int, Any]] = []
        self._make: Callable[[Any], bytes]

    def __enter__(self) -> OneProcess:
        self._make = self._stack.enter_context(self._job.open())
        collect_rarely()
        return self

    def __exit__(self, *error: object) -> None:
        self._stack.close()

    def submit(self, index: int, content: Any) -> None:
        """Queue a unit."""
        self._queue.append((index, content))

    def take(self) -> tuple[int, bytes]:
        """Do the next unit."""
        index, content = self._queue.pop(0)
        return index, self._make(content)


def measure_stages(recipe: Recipe, folder: Path) -> dict[str, Any]:
    """Build in this process; seconds of every stage and what was made."""
    vars(factory.engines)["LocalEngine"] = OneProcess
    warm = replace(recipe, programs=WARM_UP, seed=recipe.seed + 1)
    build(warm, folder / "warm", progress=SilentProgress())
    clock = StageClock(REST)
    calls = 0
    run_calls = factory.execute.run_calls

    def count_calls(wanted: Any, runner: Any) -> Any:
        nonlocal calls
        calls += len(wanted)
        return run_calls(wanted, runner)

    vars(factory.execute)["run_calls"] = count_calls
    clock.wrap(factory.drafting, "draw", DRAFTING)
    clock.wrap(factory.execute, "check_static", DRAFTING)
    clock.wrap(factory.inputs, "mutate_calls", INPUTS)
    clock.wrap(factory.execute, "run_calls", EXECUTION, sandbox=True)
    clock.wrap(factory.execute, "_judge", SELECTION)
    clock.wrap(factory.execute, "choose_questions", QUESTIONS)
    clock.wrap(factory.drafting, "make_unit", ROWS)
    clock.wrap(factory.drafting, "dedupe_keys", DEDUPE, sandbox=True)
    for name in ("make_manifest", "describe_environment", "remove_strangers"):
        clock.wrap(factory.pipeline, name, ONCE)
    clock.wrap(cards, "card_files", ONCE)
    report = build(recipe, folder / "data", progress=SilentProgress())
    clock.stop()
    counts = report.manifest["counts"]
    return {
        "seconds": {stage: clock.seconds[stage] for stage in STAGES},
        "calls": calls,
        **{name: counts[name]["total"] for name in ("programs", "traces", "questions", "stage1")},
    }


def children_spent() -> float:
    """Processor seconds so far of the children that have ended."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def measure_ev(data: Path, folder: Path) -> tuple[float, float]:
    """Seconds of a call in EV's way: the two starts, and the traced run."""
    sources = {row["program_id"]: row for row in read_rows(data, "programs")}
    rows = [row for row in read_rows(data, "traces") if "nan" not in row["output_value"]]
    chosen = rows[:: max(1, len(rows) // EV_CALLS)]
    starts = traced = 0.0
    for number, row in enumerate(chosen):
        program = sources[row["program_id"]]
        source, entry = f"{program['source']}\nimport collections", program["entry_point"]
        call = f"{entry}({row['args']})"
        began = children_spent()
        for last in (f"print(repr({call}))", f"assert {call} == {row['output_value']}"):
            command = [sys.executable, "-c", f"{source}\n{last}\n"]
            subprocess.run(command, capture_output=True, check=True)
        starts += children_spent() - began
        path = folder / f"program_{number}.py"
        text = f"{source}\nf = {entry}"
        path.write_text(text, encoding="utf-8")
        began = time.process_time()
        trace_ev(Traced(text, row["args"], str(path)))
        traced += time.process_time() - began
    return starts / len(chosen), traced / len(chosen)


def measure_memory(options: list[str], folder: Path) -> dict[str, float]:
    """Peaks in MB of the processes of a build with a worker of its own; its processor seconds."""
    command = [sys.executable, __file__, *options, "--build-in", str(folder / "apart")]
    peaks = {"parent": 0.0, "worker": 0.0, "sandboxes": 0.0}
    began = children_spent()
    process = subprocess.Popen(command)
    while process.poll() is None:
        below = descendants(process.pid)
        started = below and command_of(below[0]) != command_of(process.pid)
        now = {
            "parent": resident_mb(process.pid),
            "worker": resident_mb(below[0]) if started else 0.0,
            "sandboxes": sum(map(resident_mb, below[1:])),
        }
        peaks = {name: max(peaks[name], now[name]) for name in peaks}
        time.sleep(_LOOK_S)
    if process.returncode:
        raise SystemExit(f"error: {' '.join(command)} ended with {process.returncode}")
    return {**peaks, "processor_s": children_spent() - began}


def command_of(process: int) -> bytes:
    """Command line of a process, the parent's where it was just forked; empty when it has ended."""
    try:
        return Path(f"/proc/{process}/cmdline").read_bytes()
    except OSError:
        return b""


def resident_mb(process: int) -> float:
    """Resident memory of a process."""
    try:
        pages = int(Path(f"/proc/{process}/statm").read_text(encoding="ascii").split()[1])
    except (OSError, IndexError):
        return 0.0
    return pages * resource.getpagesize() / 1e6


def measure(recipe: Recipe, options: list[str]) -> dict[str, Any]:
    """Everything, in one run."""
    with tempfile.TemporaryDirectory(prefix="tracefoundry-") as text:
        folder = Path(text)
        memory = measure_memory(options, folder)
        made = measure_stages(recipe, folder)
        starts, traced = measure_ev(folder / "data", folder)
    seconds, calls = made["seconds"], made["calls"]
    total = sum(seconds[stage] for stage in STAGES if stage != ONCE)
    same_work = sum(seconds[stage] for stage in LIKE_EV)
    ev = starts + traced
    row = total / made["traces"]
    return {
        **made,
        "total_s": total,
        "questions_per_second_per_core": made["questions"] / total,
        "ms_a_call": {"ours": 1e3 * same_work / calls, "whole build": 1e3 * total / calls}
        | {"EV, two starts": 1e3 * starts, "EV, traced run": 1e3 * traced},
        "EV_over_ours": ev * calls / same_work,
        "EV_over_whole_build": ev * calls / total,
        "memory": memory,
        "hours_on_one_core": {str(rows): row * rows / 3600 for rows in (PAPER_ROWS, PAPER_RAW)},
    }


def show(found: dict[str, Any], recipe: Recipe) -> None:
    """Print the table."""
    load = ", ".join(f"{each:.1f}" for each in os.getloadavg())
    total, programs, calls = found["total_s"], found["programs"], found["calls"]
    print(f"{datetime.now(tz=UTC).date()}, {processor()}, {os.cpu_count()} cores, load {load}")
    print(f"Python {platform.python_version()}; recipe {recipe.name}, seed {recipe.seed}, no model")
    print(
        f"{programs} programs, {calls} calls run, {found['traces']} kept, "
        f"{found['questions']} questions, {found['stage1']} prompts"
    )
    print(f"{'processor time, children included':36} {'ms a program':>12} {'share':>6}")
    for stage, seconds in found["seconds"].items():
        share = f"{1e3 * seconds:10.0f} ms" if stage == ONCE else f"{seconds / total:6.0%}"
        each = "" if stage == ONCE else f"{1e3 * seconds / programs:.1f}"
        print(f"{stage:36} {each:>12} {share}")
    print(f"{'all but the last':36} {1e3 * total / programs:12.1f}")
    print(f"{found['questions_per_second_per_core']:.0f} verified questions a second and core")
    print("ms a call: " + ", ".join(f"{way} {ms:.2f}" for way, ms in found["ms_a_call"].items()))
    print(
        f"EV takes {found['EV_over_ours']:.1f} times as much as executing, filtering and tracing "
        f"here, {found['EV_over_whole_build']:.1f} times as much as the whole build"
    )
    memory = found["memory"]
    print(
        f"peak memory with one worker: parent {memory['parent']:.0f} MB, worker "
        f"{memory['worker']:.0f} MB, its sandboxes {memory['sandboxes']:.0f} MB; that build took "
        f"{memory['processor_s']:.1f} s with all starts and imports"
    )
    for rows, hours in found["hours_on_one_core"].items():
        cores = os.cpu_count() or 1
        print(
            f"projected for {int(rows):,} kept calls at {1e3 * total / found['traces']:.1f} ms: "
            f"{hours:.2f} h on one core, {hours / cores:.2f} h on this machine's {cores}"
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--recipe", default="paper", help="packaged recipe or file")
    parser.add_argument("--programs", type=int, default=96, help="programs to accept")
    parser.add_argument("--seed", type=int, default=0, help="instead of the recipe's")
    parser.add_argument("--json", action="store_true", help="print the numbers as JSON")
    parser.add_argument("--build-in", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    recipe = replace(
        load_recipe(options.recipe),
        programs=options.programs,
        seed=options.seed,
        difficulty=Difficulty(),
        curriculum=Curriculum(),
    )
    if options.build_in:
        build(recipe, options.build_in, workers=1, progress=SilentProgress())
        return
    given = ["--recipe", options.recipe, "--programs", str(options.programs)]
    found = measure(recipe, [*given, "--seed", str(options.seed)])
    if options.json:
        print(json.dumps(found, indent=1))
        return
    show(found, recipe)


if __name__ == "__main__":
    main()
