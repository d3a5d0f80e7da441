"""All stages of a recipe, one after another, each in a folder of its own; finished ones are passed.

Source: own.
"""

from __future__ import annotations

import gc
import importlib
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from trainer import configs
from trainer.configs import StageConfig
from trainer.jobs import Job, Say, Stage, count_devices, run_job
from trainer.places import Place, find_files
from trainer.recipes import Recipe, Step

STAGES: dict[configs.Stage, str] = {
    "sft": "trainer.sft",
    "stage1": "trainer.stage1",
    "reward": "trainer.reward",
    "stage2": "trainer.stage2",
}
"""The module of each stage, whose ``STAGE`` it is; imported when it runs."""


def find_stage(name: configs.Stage) -> Stage:
    """What a stage does."""
    found: Stage = importlib.import_module(STAGES[name]).STAGE
    return found


def plan_jobs(
    recipe: Recipe,
    data: Place,
    condition: str | None,
    model: str,
    out: Path,
    chosen: Mapping[configs.Stage, StageConfig],
) -> list[Job]:
    """The jobs of a recipe, in order.

    Args:
        recipe: What is trained.
        data: Where the data are.
        condition: Rows to train on, in every stage.
        model: What the first stage begins with.
        out: Folder of all runs.
        chosen: The config of each stage, before the recipe changes it.
    """
    return [
        Job(
            step.stage,
            data,
            _both(condition, step.condition),
            model if step.model is None else str(out / step.model),
            out / step.folder,
            _config(step, chosen[step.stage]),
            None if step.judge is None else str(out / step.judge),
        )
        for step in recipe.steps
    ]


def _config(step: Step, config: StageConfig) -> StageConfig:
    changed = replace(config, **step.settings)
    # a revision names a version of the command's model, not of the one that was made of it
    return changed if step.model is None else replace(changed, revision=None)


def _both(one: str | None, other: str | None) -> str | None:
    if one is None or other is None:
        return one or other
    return f"({one}) and ({other})"


def run_chain(jobs: list[Job], say: Say) -> None:
    """Run jobs that build on one another.

    The numbers of all, and that a folder has the data for all, are checked before the first one
    starts.

    Raises:
        TrainingError: A job can't be run; the stages before it are finished.
    """
    stages = [find_stage(job.stage) for job in jobs]
    for job, stage in zip(jobs, stages, strict=True):
        stage.plan(job, count_devices())
    for job, stage in zip(jobs, stages, strict=True):
        if job.data.folder is not None:
            find_files(job.data.folder, stage.config)
    for place, (job, stage) in enumerate(zip(jobs, stages, strict=True), 1):
        say(f"stage {place} of {len(jobs)}: {job.stage} in {job.out}")
        run_job(job, stage, say)
        _let_go()


def _let_go() -> None:
    """Give back the memory of a stage before the next one asks for it."""
    gc.collect()
    try:
        import torch
    except ModuleNotFoundError:
        return  # every stage was finished, so none was run
    if torch.cuda.is_available():
        torch.cuda.empty_cache()
