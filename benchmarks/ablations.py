"""The papers' ablations with a tiny model on a CPU: every recipe trained, measured, in one table.

Model, lessons and numbers of updates are those of `tracefoundry demo`: so few that the table shows
what it shows for a real model, and no more. Each recipe is trained by `tracefoundry train all
--recipe`, measured on held-out tasks, and the table is that of `tracefoundry ablations`.

    python benchmarks/ablations.py --out DIR [--seed 0]

Goes on where it was stopped.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from learning import lessons_of, note, run, settings

from trainer.demonstration import STEPS, make_tiny_model, measure
from trainer.recipes import RECIPES


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    lessons = lessons_of(given.out)
    model, runs = given.out / "model", given.out / "runs"
    make_tiny_model(lessons, model, seed=given.seed)
    where = ("--data", lessons, "--model", model, "--out", runs)
    for name, recipe in RECIPES.items():
        chosen = settings(given.seed, recipe.stages, STEPS)
        run("train", "all", "--recipe", name, *where, *chosen)
        measure(runs / recipe.steps[-1].folder, lessons, note)
    run("ablations", runs)


if __name__ == "__main__":
    main()
