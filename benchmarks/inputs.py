"""Branch coverage of ten selected inputs a program, against 100 random ones and against EvalPlus.

    python benchmarks/inputs.py [--corpus FILE …] [--evalplus PYTHON] [--seeds 1] [--programs N]
                                [--budget 100] [--keep 10] [--seed 0] [--json]

Corpora: HumanEval (.jsonl or .jsonl.gz), sanitized MBPP (.json), CRUXEval (.jsonl with ``input``),
or modules with doctests (.jsonl with ``functions``); without ``--corpus`` the few HumanEval records
of tests/data. Each program starts from the same ``--seeds`` calls of its own tests. ``selected``
are the ``--keep`` calls that factory.selection takes of the seeds and ``--budget`` made ones;
``random`` are the seeds and ``--budget`` calls drawn by Hypothesis from the types alone;
``evalplus`` are the seeds and ``--budget`` calls of EvalPlus's type-aware mutation, which runs the
program on each and keeps those that it returns on.

EvalPlus has to be in an environment of its own, because it pins other versions:

    python3 -m venv /tmp/evalplus
    /tmp/evalplus/bin/pip install evalplus
    python benchmarks/inputs.py --evalplus /tmp/evalplus/bin/python

A branch is a transition of lines that leaves a branching statement; the whole is what all of the
compared inputs reach together. Coverage is measured by ``benchmarks/arcs.py``, a tracer that shares
no code with the project. Only programs are run that one trusts: there is no sandbox here.
"""

from __future__ import annotations

import argparse
import ast
import json
import random
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import mean
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
HERE = Path(__file__).resolve().parent
SAMPLE = ROOT / "tests" / "data" / "humaneval" / "sample.jsonl.gz"
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]

from corpora import arguments_of  # noqa: E402

from factory.inputs import fresh_calls, mutate_calls  # noqa: E402
from factory.recipe import recipe_from_contents  # noqa: E402
from factory.selection import Coverage, select  # noqa: E402
from factory.sources import read_draft  # noqa: E402
from factory.sources.records import parse_record, read_raw  # noqa: E402
from tracer.records import Call, Program  # noqa: E402

CALL_SECONDS = 0.5
CALL_LINES = 20_000
PROGRAM_SECONDS = 120
EVALPLUS_SECONDS = 10.0
BRANCHING = (ast.If, ast.For, ast.While, ast.Try, ast.Match, ast.ExceptHandler, ast.match_case)


@dataclass(frozen=True)
class Task:
    name: str
    program: Program
    seeds: tuple[Call, ...]


def read_tasks(path: Path) -> Iterator[Task]:
    """Programs with calls of their own tests, whatever the shape of the file."""
    for raw in read_raw(path):
        record = parse_record(raw, path.name)
        assert isinstance(record, dict)
        if "functions" in record:
            yield from doctest_tasks(record)
            continue
        shape = "cruxeval" if "input" in record else "humaneval" if "prompt" in record else "mbpp"
        shape = "mbpp" if "test_list" in record else shape
        source = {"kind": "jsonl", "path": str(path), "shape": shape}
        draft = read_draft(raw, recipe_from_contents({"source": source}, where=shape, seed=0)).draft
        if draft is not None and draft.calls:
            yield Task(f"{path.stem}:{raw.row}", draft.program, draft.calls)


def doctest_tasks(module: dict[str, Any]) -> Iterator[Task]:
    for function in module["functions"]:
        found = (arguments_of(one["source"], function["name"]) for one in function["doctests"])
        seeds = tuple(Call(text) for text in dict.fromkeys(found) if text is not None)
        if seeds:
            name = f"{module['path']}:{function['name']}"
            yield Task(name, Program(module["code"], function["name"]), seeds)


def run_calls(task: Task, calls: Sequence[Call]) -> list[Any]:
    """What each call shows, or ``None`` for one that did not return."""
    asked = {
        "code": task.program.source,
        "entry": task.program.entry_point,
        "calls": [call.args for call in calls],
        "seconds": CALL_SECONDS,
        "lines": CALL_LINES,
    }
    try:
        done = subprocess.run(
            [sys.executable, str(HERE / "arcs.py")],
            input=json.dumps(asked),
            capture_output=True,
            text=True,
            timeout=PROGRAM_SECONDS,
            env={"PYTHONHASHSEED": "0"},
        )
        answers: list[Any] = json.loads(done.stdout)
    except (subprocess.TimeoutExpired, ValueError):
        return [None] * len(calls)
    return answers


def branch_lines(source: str) -> set[int]:
    tree = ast.parse(source)
    return {
        node.pattern.lineno if isinstance(node, ast.match_case) else node.lineno
        for node in ast.walk(tree)
        if isinstance(node, BRANCHING)
    }


def branches(shown: Sequence[Any], lines: set[int]) -> set[tuple[int, int]]:
    return {(a, b) for one in shown if one is not None for a, b in one[0] if a in lines}


def best(shown: Sequence[Any], keep: int) -> list[Any]:
    """The selected of what ran."""
    ran = [one for one in shown if one is not None]
    coverages = [
        Coverage(frozenset(map(tuple, arcs)), (order,), (output,)) for arcs, order, output in ran
    ]
    return [ran[place] for place in select(coverages, keep)]


def ask_evalplus(python: str, tasks: Sequence[Task], seed: int, count: int) -> list[list[Call]]:
    """The calls that EvalPlus makes for each task."""
    asked = {
        "seed": seed,
        "count": count,
        "seconds": EVALPLUS_SECONDS,
        "tasks": [
            {
                "code": task.program.source,
                "entry": task.program.entry_point,
                "seeds": [call.args for call in task.seeds],
            }
            for task in tasks
        ],
    }
    done = subprocess.run(
        [python, str(HERE / "evalplus_inputs.py")],
        input=json.dumps(asked),
        capture_output=True,
        text=True,
    )
    if done.returncode:
        last = done.stderr.strip().splitlines()[-1:]
        sys.exit(
            f"{python} cannot run EvalPlus: {last}; make an environment for it: "
            "python3 -m venv /tmp/evalplus && /tmp/evalplus/bin/pip install evalplus"
        )
    return [[Call(text) for text in texts] for texts in json.loads(done.stdout)]


def is_literal(seed: Call) -> bool:
    """Whether a seed is nothing but literals given by place: EvalPlus takes no others."""
    try:
        call = ast.parse(f"f({seed.args}\n)", mode="eval").body
        assert isinstance(call, ast.Call)
        for each in call.args:
            ast.literal_eval(each)
    except (ValueError, SyntaxError):
        return False
    return not call.keywords


def compare(options: argparse.Namespace) -> list[dict[str, Any]]:
    tasks = []
    for path in options.corpus or [SAMPLE]:
        for task in read_tasks(Path(path)):
            literal = tuple(seed for seed in task.seeds if is_literal(seed))
            if literal:
                tasks.append(Task(task.name, task.program, literal[: options.seeds]))
    if options.programs and options.programs < len(tasks):
        tasks = random.Random(options.seed).sample(tasks, options.programs)
    theirs: list[list[Call]] | None = None
    if options.evalplus:
        theirs = ask_evalplus(options.evalplus, tasks, options.seed, options.budget)
    rows = []
    for number, task in enumerate(tasks):
        lines = branch_lines(task.program.source)
        seed = f"{options.seed}:{number}"
        made = mutate_calls(task.program, task.seeds, options.budget, seed).calls
        drawn = fresh_calls(task.program, task.seeds, options.budget, seed)
        seeds = run_calls(task, task.seeds)
        if not any(seeds):
            continue
        ours = run_calls(task, made)
        shown = {
            "seeds": seeds,
            "made": [*seeds, *ours],
            "selected": best([*seeds, *ours], options.keep),
            "random": [*seeds, *run_calls(task, drawn.calls if drawn else ())],
        }
        if theirs is not None:
            shown["evalplus"] = [*seeds, *run_calls(task, theirs[number])]
            shown["evalplus selected"] = best(shown["evalplus"], options.keep)
        reached = {name: branches(each, lines) for name, each in shown.items()}
        whole = set().union(*reached.values())
        rows.append(
            {
                "name": task.name,
                "whole": len(whole),
                "branches": {name: len(each) for name, each in reached.items()},
                "inputs": {name: len(each) for name, each in shown.items()},
                "ran": sum(one is not None for one in ours) / max(1, len(ours)),
                "missed": sorted(whole - reached["made"]),
            }
        )
    return rows


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--corpus", nargs="+", metavar="FILE")
    parser.add_argument("--evalplus", metavar="PYTHON", help="Python of an environment with it")
    parser.add_argument("--seeds", type=int, default=1, help="calls each program starts from")
    parser.add_argument("--programs", type=int, metavar="N", help="a sample of so many")
    parser.add_argument("--budget", type=int, default=100)
    parser.add_argument("--keep", type=int, default=10)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--json", action="store_true", help="one line for each program")
    options = parser.parse_args()
    started = time.process_time()
    rows = compare(options)
    if options.json:
        for row in rows:
            print(json.dumps(row))
        return
    with_branches = [row for row in rows if row["whole"]]
    print(f"{len(rows)} programs, {len(with_branches)} with branches, seed {options.seed}")
    print(f"made inputs that return: {mean(row['ran'] for row in rows):.1%}")
    print(f"{'':20}{'inputs':>8}{'branches':>10}{'mean share':>12}")
    for name in rows[0]["branches"]:
        inputs = mean(row["inputs"][name] for row in rows)
        total = sum(row["branches"][name] for row in rows)
        share = mean(row["branches"][name] / row["whole"] for row in with_branches)
        print(f"{name:20}{inputs:8.1f}{total:10}{share:12.2%}")
    print(f"processor time of this process: {time.process_time() - started:.0f} s")


if __name__ == "__main__":
    main()
