"""``tracefoundry train``: the command; everything heavy is imported when it runs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Literal

import typer


def train(
    stage: Annotated[
        Literal["sft", "stage1", "reward", "stage2", "all"],
        typer.Argument(
            help="sft: warm-up on the config sft; stage1: white-box GRPO on the config stage1; "
            "reward: model of reasoning on the config crpl; stage2: gated GRPO on the config "
            "problems; all: one after another, each in a folder of --out.",
            metavar="STAGE",
        ),
    ],
    data: Annotated[
        str,
        typer.Option(
            "--data",
            metavar="DIR|REPO",
            help="A dataset folder, or owner/name[@revision] on the Hub.",
        ),
    ],
    model: Annotated[
        str,
        typer.Option("--model", metavar="DIR|REPO", help="A model folder, or a model of the Hub."),
    ],
    out: Annotated[
        Path,
        typer.Option(
            "--out", metavar="DIR", help="Folder of the run; the same command goes on there."
        ),
    ],
    reward_model: Annotated[
        str | None,
        typer.Option(
            "--reward-model", metavar="DIR", help="For stage2: the folder of a run of `reward`."
        ),
    ] = None,
    recipe: Annotated[
        str | None,
        typer.Option(
            "--recipe",
            metavar="NAME",
            help="For all: full (the default), or an ablation: io_only, sft_io, white_box, "
            "outcome_only, ungated, strong_pairs_only.",
        ),
    ] = None,
    condition: Annotated[
        str | None,
        typer.Option("--filter", metavar="CONDITION", help="Rows to train on, as 'level <= 4'."),
    ] = None,
    config: Annotated[
        Path | None,
        typer.Option("--config", metavar="FILE", help="YAML with keys of the stage's config."),
    ] = None,
    settings: Annotated[
        list[str] | None,
        typer.Option(
            "--set",
            metavar="KEY=VALUE",
            help="One key of the config, as epochs=1 or stage1.epochs=1; may be repeated.",
        ),
    ] = None,
) -> None:
    """Train a model on published data, with TRL; the same command resumes.

    What the config does not set is the number of the paper. The config is printed and saved with
    the run. Needs `pip install 'tracefoundry[train]'`; on several GPUs start it with `accelerate
    launch -m factory train ...`.
    """
    from trainer.chain import find_stage, plan_jobs, run_chain
    from trainer.errors import TrainingError
    from trainer.jobs import Job, is_first, run_job
    from trainer.places import find_place, pin
    from trainer.recipes import find_recipe
    from trainer.settings import load_config, load_configs

    def say(line: str) -> None:
        if is_first():
            typer.echo(line, err=True)

    try:
        if reward_model is not None and stage != "stage2":
            raise TrainingError(f"--reward-model: only stage2 uses one, not {stage}")
        if recipe is not None and stage != "all":
            raise TrainingError(f"--recipe: only `train all` follows one, not {stage}")
        place = pin(find_place(data))
        if stage == "all":
            chosen = find_recipe(recipe or "full")
            configs = load_configs(chosen.stages, config, settings or [])
            run_chain(plan_jobs(chosen, place, condition, model, out, configs), say)
        else:
            found = load_config(stage, config, settings or [])
            job = Job(stage, place, condition, model, out, found, reward_model)
            run_job(job, find_stage(stage), say)
    except TrainingError as error:
        typer.echo(f"error: {error.message}", err=True)
        raise typer.Exit(error.exit_code) from error


def ablations(
    out: Annotated[Path, typer.Argument(metavar="DIR", help="The --out of `train all`.")],
    as_json: Annotated[bool, typer.Option("--json", help="Print a JSON list of objects.")] = False,
) -> None:
    """Compare the recipes that `train all` has trained in one folder.

    io and white are the shares of right answers in stage I, pairs the share of held-out pairs that
    the reward model ranks right, outcome the share of programs that pass all tests in stage II, all
    at the end of the training; process is what reasoning was paid. What `eval --out RUN/eval`
    measured of a recipe's last stage stands beside it.

    Example: tracefoundry ablations runs
    """
    from trainer.ablations import compare, show
    from trainer.errors import TrainingError

    try:
        lines = compare(out)
    except TrainingError as error:
        typer.echo(f"error: {error.message}", err=True)
        raise typer.Exit(error.exit_code) from error
    if as_json:
        found = [
            {"recipe": line.recipe, "about": line.about, **dict(line.numbers)} for line in lines
        ]
        typer.echo(json.dumps(found, indent=2))
    else:
        typer.echo(show(lines))
