"""Recipes of stages: what they share, what an ablation changes, what is paid at first."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from trainer.chain import STAGES, find_stage, plan_jobs
from trainer.configs import CONFIGS, Stage1Config, Stage2Config
from trainer.errors import TrainingError
from trainer.floor import Floor, tell
from trainer.places import Place
from trainer.recipes import RECIPES, find_recipe
from trainer.settings import load_configs

HERE = Place(".", folder=Path("."))


@pytest.mark.parametrize("name", RECIPES)
def test_each_step_begins_with_what_an_earlier_one_made(name: str) -> None:
    recipe = find_recipe(name)
    made: list[str] = []
    for step in recipe.steps:
        assert step.model is None or step.model in made
        assert (step.judge is None) or step.judge in made
        assert step.folder not in made
        made.append(step.folder)
    configs = load_configs(recipe.stages, None, [])
    jobs = plan_jobs(recipe, HERE, None, "base", Path("out"), configs)
    for job in jobs:
        assert isinstance(job.config, CONFIGS[job.stage])
        find_stage(job.stage).plan(job, 1)


def test_one_folder_of_all_recipes_always_holds_the_same_run() -> None:
    seen = {}
    for recipe in RECIPES.values():
        for step in recipe.steps:
            assert seen.setdefault(step.folder, step) == step


def test_an_ablation_changes_what_it_is_about_and_nothing_else() -> None:
    configs = load_configs(list(CONFIGS), None, ["stage2.epochs=1", "revision=v1"])
    last = {
        name: plan_jobs(recipe, HERE, "level < 3", "base", Path("o"), configs)
        for name, recipe in RECIPES.items()
    }
    full = last["full"]
    assert [job.model for job in full] == ["base", "o/sft", "o/sft", "o/stage1"]
    assert [job.config.revision for job in full] == ["v1", None, None, None]
    assert full[-1].reward_model == "o/reward"
    assert last["ungated"][:-1] == full[:-1]
    gated = full[-1].config
    assert isinstance(gated, Stage2Config)
    assert gated.epochs == 1
    assert last["ungated"][-1].config == replace(gated, gated=False)
    assert last["outcome_only"][-1].config == replace(gated, weight=0.0)
    assert last["outcome_only"][-1].reward_model is None
    assert last["white_box"] == full[:2]
    stage1 = full[1].config
    assert isinstance(stage1, Stage1Config)
    assert last["sft_io"][1].config == replace(stage1, alpha=0.0)
    assert last["io_only"][0].model == "base"
    strong = last["strong_pairs_only"]
    assert strong[2].condition == "(level < 3) and (pair_kind == 'strong')"
    assert strong[3].reward_model == str(strong[2].out)


def test_keys_are_meant_for_all_stages_or_for_one(tmp_path: Path) -> None:
    file = tmp_path / "all.yaml"
    file.write_text("epochs: 3\nstage1: {epochs: 2, alpha: 0.25}\nstage2: {weight: 0.5}\n")
    found = load_configs(["sft", "stage1"], file, ["seed=4", "stage1.seed=5"])
    assert (found["sft"].epochs, found["sft"].seed) == (3, 4)
    assert found["stage1"] == Stage1Config(epochs=2, alpha=0.25, seed=5)
    over = load_configs(["stage1"], file, ["epochs=9"])
    assert over["stage1"].epochs == 9
    for settings, message in (
        (["stage2.weight=1"], "no stage 'stage2' here; there are: sft, stage1"),
        (["stage1.alpha=2"], "config of stage1: alpha is a share"),
        (["sft.alpha=1"], "no key 'alpha'"),
        (["weight=1"], "no key 'weight'"),
    ):
        with pytest.raises(TrainingError, match=message):
            load_configs(["sft", "stage1"], None, settings)


def test_every_stage_has_a_module_and_a_config() -> None:
    assert list(STAGES) == list(CONFIGS)


def test_what_is_paid_at_first_is_one_line_with_warnings_where_nothing_can_be_learned() -> None:
    fine = tell(Floor(((0.0, 2.0), (1.0, None)), 0.25))
    assert fine == [
        "before the first step, 4 completions of 2 prompts are paid 1 on average (0 to 2), "
        "25% cut off, 50% of the prompts paid alike throughout"
    ]
    poor = tell(Floor(((0.0, 0.0), (0.0, 0.0)), 1.0))
    assert [line.split(":")[0] for line in poor[1:]] == ["warning"] * 3
    assert "nothing is paid at all" in poor[1]
    assert "raise max_completion" in poor[2]
    assert "have completions of equal reward" in poor[3]
    with pytest.raises(TrainingError, match="not one completion could be judged"):
        tell(Floor(((None, None),), 0.0))
