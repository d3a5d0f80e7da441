"""``tracefoundry train``: the command; everything heavy is imported when it runs."""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import Annotated, Literal

import typer

STAGES = {"sft": "trainer.sft:train_sft", "stage1": "trainer.stage1:train_stage1"}
"""``module:function`` of each stage; imported when it runs."""


def train(
    stage: Annotated[
        Literal["sft", "stage1"],
        typer.Argument(
            help="sft: warm-up on the config sft; stage1: white-box GRPO on the config stage1.",
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
        typer.Option("--set", metavar="KEY=VALUE", help="One key of the config; may be repeated."),
    ] = None,
) -> None:
    """Train a model on published data, with TRL; the same command resumes.

    What the config does not set is the number of the paper. The config is printed and saved with
    the run. Needs `pip install 'tracefoundry[train]'`; on several GPUs start it with `accelerate
    launch -m factory train ...`.
    """
    from trainer.configs import load_config
    from trainer.errors import TrainingError
    from trainer.jobs import Job, is_first
    from trainer.places import find_place, pin

    def say(line: str) -> None:
        if is_first():
            typer.echo(line, err=True)

    try:
        chosen = load_config(stage, config, settings or [])
        job = Job(stage, pin(find_place(data)), condition, model, out, chosen)
        module, _, function = STAGES[stage].partition(":")
        getattr(importlib.import_module(module), function)(job, say)
    except TrainingError as error:
        typer.echo(f"error: {error.message}", err=True)
        raise typer.Exit(error.exit_code) from error
