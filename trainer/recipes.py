"""The papers' ablations as data: which stages a recipe trains, in which folders, with what changed.

Stages that recipes have in common stand in one folder, so that in one ``--out`` each is trained
once: ``sft`` is shared by all but ``io_only``, ``stage1`` by all that go on to stage II.

Sources: https://arxiv.org/abs/2603.11226 (I/O reward with and without warm-up, white-box reward),
https://arxiv.org/abs/2508.05170 (outcome reward, ungated sum, which pairs the reward model sees)
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from trainer.configs import Stage
from trainer.errors import TrainingError


@dataclass(frozen=True, slots=True)
class Step:
    """One stage of a recipe."""

    stage: Stage
    folder: str
    """Folder of its run, inside that of the recipe's."""
    model: str | None = None
    """Folder of the step whose model it begins with; ``None``: the model of the command."""
    settings: Mapping[str, Any] = field(default_factory=dict)
    """Keys of its config that make the recipe what it is."""
    condition: str | None = None
    """Rows that it is trained on, if not all."""
    judge: str | None = None
    """Folder of the step whose reward model scores its reasoning."""


@dataclass(frozen=True, slots=True)
class Recipe:
    """What is trained, in order."""

    about: str
    steps: tuple[Step, ...]

    @property
    def stages(self) -> tuple[Stage, ...]:
        """Its stages, in order."""
        return tuple(step.stage for step in self.steps)


SFT = Step("sft", "sft")
STAGE1 = Step("stage1", "stage1", model="sft")
REWARD = Step("reward", "reward", model="sft")
IO_ALONE = {"alpha": 0.0}

RECIPES: dict[str, Recipe] = {
    "full": Recipe(
        "warm-up, white-box stage I, reward model, gated stage II",
        (SFT, STAGE1, REWARD, Step("stage2", "stage2", model="stage1", judge="reward")),
    ),
    "io_only": Recipe(
        "stage I on outputs and inputs alone, without warm-up",
        (Step("stage1", "stage1-io_only", settings=IO_ALONE),),
    ),
    "sft_io": Recipe(
        "warm-up, then stage I on outputs and inputs alone",
        (SFT, Step("stage1", "stage1-sft_io", model="sft", settings=IO_ALONE)),
    ),
    "white_box": Recipe("warm-up, then white-box stage I", (SFT, STAGE1)),
    "outcome_only": Recipe(
        "stage II on tests alone",
        (
            SFT,
            STAGE1,
            Step("stage2", "stage2-outcome_only", model="stage1", settings={"weight": 0.0}),
        ),
    ),
    "ungated": Recipe(
        "stage II on the plain sum",
        (
            SFT,
            STAGE1,
            REWARD,
            Step(
                "stage2",
                "stage2-ungated",
                model="stage1",
                settings={"gated": False},
                judge="reward",
            ),
        ),
    ),
    "strong_pairs_only": Recipe(
        "gated stage II with a reward model of strong pairs alone",
        (
            SFT,
            STAGE1,
            Step("reward", "reward-strong", model="sft", condition="pair_kind == 'strong'"),
            Step("stage2", "stage2-strong", model="stage1", judge="reward-strong"),
        ),
    ),
}
"""Recipes by name; ``full`` is what is trained unless another is named."""


def find_recipe(name: str) -> Recipe:
    """The recipe of a name.

    Raises:
        TrainingError: There is none.
    """
    if name not in RECIPES:
        raise TrainingError(f"--recipe {name}: there is none; there are: {', '.join(RECIPES)}")
    return RECIPES[name]
