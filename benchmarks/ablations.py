"""The papers' ablations with a tiny model on a CPU: every recipe trained, measured, in one table.

Model, lessons and settings are those of ``benchmarks/learning.py``. Its folder is gone on with:
what its chain of a seed has trained is not trained again. Each recipe is trained by `tracefoundry
train all --recipe`, the table is that of `tracefoundry ablations`.

    python benchmarks/ablations.py --out DIR [--seed 0]

Goes on where it was stopped.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from learning import ASKED, lessons_of, note, run, settings

from trainer.demonstration import make_tiny_model, measure
from trainer.recipes import RECIPES


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    lessons = lessons_of(given.out)
    model, chain = (given.out / f"seed{given.seed}" / name for name in ("model", "chain"))
    make_tiny_model(lessons, model, seed=given.seed)
    where = ("--data", lessons, "--model", model, "--out", chain)
    for name, recipe in RECIPES.items():
        chosen = [word for stage in recipe.stages for word in settings(given.seed, only=stage)]
        run("train", "all", "--recipe", name, *where, *chosen)
        measure(chain / recipe.steps[-1].folder, lessons, note, asked=ASKED)
    run("ablations", chain)


if __name__ == "__main__":
    main()
