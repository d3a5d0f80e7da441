"""Programs for the standing comparison of the tracer with the oracle, and the comparison."""

from __future__ import annotations

import ast
import gzip
import json
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import oracle
import oracle_programs

from tracer.records import Call, Program, Trace
from tracer.runner import Runner
from tracer.serialization import trace_to_dict

DATA = Path(__file__).parent / "data"
CHUNK = 200
"""Programs that one process of the oracle traces."""


class Case(NamedTuple):
    """One program with its call; ``needs`` is the least Python 3 minor version."""

    corpus: str
    name: str
    source: str
    entry_point: str | None
    args: str
    max_steps: int = 10_000
    needs: int = 11

    def job(self) -> oracle.Job:
        return oracle.Job(self.source, self.entry_point, self.args, self.max_steps)


def written() -> Iterator[Case]:
    """The corpus written by hand."""
    for case in oracle_programs.corpus():
        yield Case("corpus", *case)


def generated(seeds: Iterable[int]) -> Iterator[Case]:
    """Programs of the generator."""
    for seed in seeds:
        source, entry, args, _ = oracle_programs.generate(seed)
        yield Case("generated", f"seed {seed}", source, entry, args)


def published() -> Iterator[Case]:
    """The samples of CRUXEval, HumanEval and MBPP in ``tests/data``."""
    for line in (DATA / "cruxeval/sample.jsonl").read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        yield _published("cruxeval", row["id"], row["code"], "f", row["input"])
    with gzip.open(DATA / "humaneval/sample.jsonl.gz", "rt", encoding="utf-8") as lines:
        for row in map(json.loads, lines):
            source = row["prompt"] + row["canonical_solution"]
            for args in _calls(row["test"], "candidate"):
                yield _published("humaneval", row["task_id"], source, row["entry_point"], args)
    for row in json.loads((DATA / "mbpp/sample.json").read_text(encoding="utf-8")):
        tests = "\n".join(row["test_list"])
        for name in _functions(row["code"]):
            for args in _calls(tests, name):
                yield _published("mbpp", str(row["task_id"]), row["code"], name, args)


def _published(corpus: str, name: str, source: str, entry: str, args: str) -> Case:
    return Case(corpus, f"{name} {entry}({args[:40]})", source, entry, args)


def _functions(source: str) -> list[str]:
    return [node.name for node in ast.parse(source).body if isinstance(node, ast.FunctionDef)]


def _calls(tests: str, name: str) -> list[str]:
    """Argument texts of the calls of ``name`` whose arguments are literals."""
    found = []
    for node in ast.walk(ast.parse(tests)):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == name:
            try:
                for argument in node.args:
                    ast.literal_eval(argument)
            except ValueError:
                continue
            found.append(", ".join(map(ast.unparse, node.args)))
    return found


def disagreements(cases: list[Case], python: str) -> list[tuple[Case, list[str]]]:
    """Trace every case both ways with ``python``; return those on which the traces differ."""
    found = []
    with Runner(python=python) as runner:
        plain = runner.limits
        for start in range(0, len(cases), CHUNK):
            chunk = cases[start : start + CHUNK]
            expected = oracle.trace_many([case.job() for case in chunk], python=python)
            traces: dict[Case, Trace] = {}
            for max_steps in {case.max_steps: None for case in chunk}:
                runner.limits = replace(plain, max_steps=max_steps)
                alike = [case for case in chunk if case.max_steps == max_steps]
                calls = [(Program(c.source, c.entry_point), Call(c.args)) for c in alike]
                traces.update(zip(alike, runner.trace_many(calls), strict=True))
            for case, wanted in zip(chunk, expected, strict=True):
                differences = oracle.compare(wanted, trace_to_dict(traces[case]))
                if differences:
                    found.append((case, differences))
    return found


def runnable(cases: Iterable[Case], version: str) -> list[Case]:
    """Those cases whose text compiles on a version such as ``3.12``."""
    return [case for case in cases if case.needs <= int(version.partition(".")[2])]
