"""Real programs with calls, for comparing the tracer with the oracle.

The files are public corpora that are not part of this repository (CRUXEval, HumanEval, MBPP,
TheAlgorithms, QuixBugs); a folder that holds them is given to ``make differential CORPORA=DIR``.
"""

from __future__ import annotations

import ast
import json
import random
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from factory.records import Draft
from tracer.records import Call, Program


@dataclass(frozen=True, slots=True)
class Sample:
    """One call of one program and where it comes from."""

    corpus: str
    name: str
    program: Program
    call: Call


def read_corpora(folder: Path) -> Iterator[Sample]:
    """Yield the samples of every corpus that ``folder`` has."""
    for shape, path in (
        ("cruxeval", folder / "cruxeval/cruxeval.jsonl"),
        ("humaneval", folder / "humaneval/HumanEval.jsonl.gz"),
        ("mbpp", folder / "mbpp/sanitized-mbpp.json"),
    ):
        if path.exists():
            yield from _read_shape(shape, path)
    if (folder / "thealgorithms/functions.jsonl").exists():
        yield from _read_doctests(folder / "thealgorithms/functions.jsonl")
    if (folder / "quixbugs").exists():
        yield from _read_quixbugs(folder / "quixbugs")


def draw_programs(count: int, seed: int = 1) -> Iterator[Sample]:
    """Yield ``count`` of the factory's own programs with their seed calls."""
    from factory.grid import cells
    from factory.templates import draw_draft

    grid = cells()
    for number in range(count):
        draft = draw_draft(grid[number % len(grid)], random.Random(f"{seed}:{number}"))
        if isinstance(draft, Draft):
            for call in draft.calls[:1]:
                yield Sample("factory", str(grid[number % len(grid)]), draft.program, call)


def _read_shape(shape: str, path: Path) -> Iterator[Sample]:
    from factory.recipe import recipe_from_contents
    from factory.sources import read_draft
    from factory.sources.records import read_raw

    source = {"kind": "jsonl", "path": str(path), "shape": shape}
    recipe = recipe_from_contents({"source": source}, where=shape, seed=0)
    for raw in read_raw(path):
        draft = read_draft(raw, recipe).draft
        for call in draft.calls[:2] if draft is not None else ():
            yield Sample(shape, str(raw.row), draft.program, call)


def _read_doctests(path: Path) -> Iterator[Sample]:
    """Yield the doctest examples of each function that are one call of it."""
    for line in path.read_text().splitlines():
        module = json.loads(line)
        for function in module["functions"]:
            for example in function["doctests"][:2]:
                args = arguments_of(example["source"], function["name"])
                if args is not None:
                    program = Program(module["code"], function["name"])
                    name = f"{module['path']}:{function['name']}"
                    yield Sample("thealgorithms", name, program, Call(args))


def arguments_of(example: str, function: str) -> str | None:
    try:
        node = ast.parse(example.strip(), mode="eval").body
    except SyntaxError:
        return None
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == function:
        return ", ".join(map(ast.unparse, (*node.args, *node.keywords)))
    return None


def _read_quixbugs(folder: Path) -> Iterator[Sample]:
    for tests in sorted((folder / "json_testcases").glob("*.json")):
        for version in ("correct_python_programs", "python_programs"):
            source = folder / version / f"{tests.stem}.py"
            if not source.exists():
                continue
            for line in tests.read_text().splitlines()[:3]:
                arguments = json.loads(line)[0]
                arguments = arguments if isinstance(arguments, list) else [arguments]
                yield Sample(
                    "quixbugs",
                    f"{version}/{tests.stem}",
                    Program(source.read_text(), tests.stem),
                    Call(", ".join(map(repr, arguments))),
                )
