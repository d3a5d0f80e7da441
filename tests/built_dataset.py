"""A small dataset built by the real pipeline from the programs of `tests/programs`."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

from factory.grid import PAPER_LEVELS
from factory.pipeline import build
from factory.progress import SilentProgress
from factory.questions import kind_names
from factory.recipe import load_recipe
from factory.recipe_records import Grid, Inputs, QuestionPlan, Recipe

PROGRAMS = Path(__file__).parent / "programs"

INPUTS = {
    "aliasing": ("f", [""]),
    "classes": ("f", [""]),
    "endless": ("f", [""]),
    "exceptions": ("parse", ["'7'", "'x'", "'8'"]),
    "generators": ("f", ["3", "1"]),
    "input_output": ("f", [""]),
    "loops": ("f", ["[3, 1, 2], k=2", "[], 0", "list(range(9)), 4"]),
    "matching": ("f", ["{'op': 'add', 'args': [1, 2]}", "{'op': 'sub'}"]),
    "recursion": ("fact", ["3", "5", "0"]),
}
"""Entry point and inputs by program; some of the calls raise or do not end."""

RECIPE = """
source:
  kind: jsonl
  path: programs.jsonl
  fields: {code: code, input: inputs, output: null, entry_point: entry}
inputs: {mutants: 1}
limits: {max_steps: 200}
seed: 3
"""


def drawn_recipe() -> Recipe:
    """Template programs of the paper's levels, one input beside their own, every question kind."""
    return replace(
        load_recipe("tiny"),
        grid=Grid(levels=PAPER_LEVELS),
        questions=QuestionPlan(kind_names()),
        inputs=Inputs(1),
        seed=11,
    )


def build_dataset(folder: Path) -> Path:
    """Build the dataset inside `folder`; one line of its source is broken. About 3 s."""
    lines = []
    for name, (entry, inputs) in INPUTS.items():
        code = (PROGRAMS / f"{name}.py").read_text()
        lines.append(json.dumps({"code": code, "inputs": inputs, "entry": entry}))
    lines.insert(2, "{broken")
    (folder / "programs.jsonl").write_text("\n".join(lines) + "\n")
    (folder / "recipe.yaml").write_text(RECIPE)
    recipe = load_recipe(folder / "recipe.yaml")
    build(recipe, folder / "data", workers=1, progress=SilentProgress())
    return folder / "data"
