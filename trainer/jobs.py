"""One run of one stage: from the command's words to a trained model in its folder."""

from __future__ import annotations

import contextlib
import hashlib
import importlib.util
import json
import os
import shutil
import sys
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from trainer import configs
from trainer.card import CURVES, Finished, write_card
from trainer.configs import StageConfig, describe
from trainer.errors import TrainingError
from trainer.failures import explain
from trainer.places import Place
from trainer.plots import draw_curves
from trainer.preflight import Layout
from trainer.runs import begin_run, check_run, find_checkpoints, finish_run, show_run

if TYPE_CHECKING:
    from datasets import Dataset

MERGED = "merged"
"""Folder, inside that of a LoRA's run, of the whole model."""
LIBRARIES = ("torch", "transformers", "trl", "accelerate", "peft")
C = TypeVar("C", bound=StageConfig)
_FACTS = ("train_runtime", "train_loss", "epoch")


@dataclass(frozen=True, slots=True)
class Job:
    """What is to be trained."""

    stage: configs.Stage
    data: Place
    condition: str | None
    model: str
    out: Path
    config: StageConfig
    reward_model: str | None = None
    """Folder of the model that scores reasoning, where the stage uses one."""

    @property
    def source(self) -> str:
        """Where the model is loaded from: of a LoRA's run, the whole model that it became."""
        whole = Path(self.model) / MERGED
        return str(whole) if whole.is_dir() else self.model

    def describe(self) -> dict[str, Any]:
        """Everything that decides what is trained, as plain data."""
        scorer = {} if self.reward_model is None else {"reward_model": self.reward_model}
        return {
            "stage": self.stage,
            "data": self.data.text,
            "filter": self.condition,
            "model": self.model,
            **scorer,
            "devices": count_devices(),
            "config": describe(self.config),
        }


@dataclass(frozen=True, slots=True)
class Rows:
    """What is trained on, in order, and what was left out."""

    rows: Dataset
    left_out: tuple[tuple[str, int], ...]


def config_of(job: Job, kind: type[C]) -> C:
    """The config of a job, which is of the kind that its stage takes."""
    assert isinstance(job.config, kind)
    return job.config


Say = Callable[[str], None]
"""Takes a line for the user; silent on all processes but the first."""


@dataclass(frozen=True, slots=True)
class Stage:
    """What one stage does at each turn of a run."""

    config: str
    """Config of the dataset that it trains on."""
    plan: Callable[[Job, int], Layout]
    """How the batches of a job fall on devices; refuses what can't be run, before anything."""
    prepare: Callable[[Job, Any, Say], Rows]
    """The rows, for a job and its tokenizer."""
    build: Callable[[Job, Any, Rows, Say], Any]
    """A trainer of TRL's, for a job, its tokenizer and rows."""
    begin: Callable[[Job, Any, Rows, Say], None] | None = None
    """Looks at the trainer and rows before the first step of a new run."""
    end: Callable[[Job, Say], dict[str, Any]] | None = None
    """Looks at the trained model in its folder; gives facts to be kept."""
    curves: tuple[str, ...] = CURVES
    """Names of logged numbers that the model's card draws."""


def count_devices() -> int:
    """Processes that train together, one a device, as accelerate and torchrun start them."""
    return int(os.environ.get("WORLD_SIZE", "1"))


def is_first() -> bool:
    """Whether this process is the one that speaks and writes."""
    return os.environ.get("RANK", "0") == "0"


def require_libraries() -> None:
    """See that everything is installed.

    Raises:
        TrainingError: Something is not.
    """
    missing = [name for name in LIBRARIES if importlib.util.find_spec(name) is None]
    if missing:
        raise TrainingError(
            f"training needs {missing[0]}, which is not installed: "
            "pip install 'tracefoundry[train]'"
        )


def run_job(job: Job, stage: Stage, say: Say) -> None:
    """Train, from the last checkpoint if there is one, and save the model; once.

    Args:
        job: What is to be trained.
        stage: How.
        say: Told of every step of the way.

    Raises:
        TrainingError: Something can't be used; nothing was trained.
    """
    stage.plan(job, count_devices())
    run = job.describe()
    if check_run(job.out, run):
        say(f"{job.out}: this stage is finished; nothing to do")
        return
    require_libraries()
    with contextlib.redirect_stdout(sys.stderr):  # the libraries print tables and metrics
        quiet_libraries()
        facts = _train(job, stage, run, say)
    if is_first():
        finish_run(job.out, facts)
    wait_for_all()
    say(f"{facts['steps']} steps; the model is in {job.out}")


def _train(job: Job, stage: Stage, run: dict[str, Any], say: Say) -> dict[str, Any]:
    tokenizer = load_tokenizer(job)
    rows = stage.prepare(job, tokenizer, say)
    run |= {"rows": len(rows.rows), "rows_sha256": digest_of(rows.rows)}
    check_run(job.out, run)
    for line in show_run(run).splitlines():
        say(line)
    checkpoints = find_checkpoints(job.out)
    for path in checkpoints.broken:
        say(f"{path}: not whole, so it is not used")
    newest = None if checkpoints.newest is None else str(checkpoints.newest)
    fresh = not job.out.exists()
    trainer = stage.build(job, tokenizer, rows, say)
    if newest is not None:
        say(f"going on from {newest}")
    elif stage.begin is not None:
        try:
            stage.begin(job, trainer, rows, say)
        except TrainingError:
            if fresh and is_first():
                shutil.rmtree(job.out, ignore_errors=True)  # the trainer makes folders early
            raise
    if is_first():
        begin_run(job.out, run)
    try:
        done = trainer.train(resume_from_checkpoint=newest)
        trainer.save_model(str(job.out))
        trainer.save_state()
        if job.config.lora_rank:
            merge_adapter(trainer, tokenizer, job.out / MERGED, say)
    except Exception as error:
        known = explain(error, job.out)
        if known is None:
            raise
        raise known from error
    facts = {name: done.metrics[name] for name in _FACTS if name in done.metrics}
    facts = {
        "steps": done.global_step,
        "rows": len(rows.rows),
        "left_out": dict(rows.left_out),
        **facts,
    }
    if is_first():
        tokenizer.save_pretrained(str(job.out))
        finished = Finished(
            job.stage,
            job.data,
            job.condition,
            job.model,
            job.config,
            steps=done.global_step,
            rows=len(rows.rows),
            seconds=float(done.metrics.get("train_runtime", 0)),
            logs=trainer.state.log_history,
        )
        write_card(job.out, finished, stage.curves)
        say(draw_curves(job.out, f"{job.stage}: {job.out.name}", finished.logs, stage.curves))
        if stage.end is not None:
            facts |= stage.end(job, say)
    return facts


def merge_adapter(trainer: Any, tokenizer: Any, folder: Path, say: Say) -> None:
    """Save the model with its LoRA merged into it, for the next stage to begin with."""
    if trainer.is_fsdp_enabled or trainer.is_deepspeed_enabled:
        say(
            f"the adapter's weights are spread over devices, so {folder} is not made: merge it "
            "with peft before the next stage"
        )
        return
    whole = trainer.accelerator.unwrap_model(trainer.model).merge_and_unload()
    if is_first():
        whole.save_pretrained(str(folder))
        tokenizer.save_pretrained(str(folder))


def wait_for_all() -> None:
    """Have all processes that train together come to this point: the model is there for each."""
    import torch.distributed as processes

    if processes.is_available() and processes.is_initialized():
        processes.barrier()


def quiet_libraries() -> None:
    """Leave out what the libraries tell about themselves: deprecations, and bars in a log file."""
    import datasets
    from transformers.utils import logging

    warnings.filterwarnings("ignore", category=FutureWarning, module=r"(transformers|trl|torch)\b")
    if not sys.stderr.isatty():
        datasets.disable_progress_bars()
        logging.disable_progress_bar()


def digest_of(rows: Dataset) -> str:
    """SHA-256 of the rows in their order: data that changed are not taken for the same."""
    digest = hashlib.sha256()
    for row in rows:
        digest.update(json.dumps(row, sort_keys=True, default=str).encode("utf-8"))
    return digest.hexdigest()


def load_tokenizer(job: Job) -> Any:
    """The model's tokenizer, with the padding token of the config.

    Raises:
        TrainingError: There is none, or the token is not in its vocabulary.
    """
    from transformers import AutoTokenizer

    try:
        tokenizer = AutoTokenizer.from_pretrained(job.source, revision=job.config.revision)
    except (OSError, ValueError) as error:
        reason = str(error).strip().split("\n", 1)[0]
        raise TrainingError(f"--model {job.model}: can't be loaded: {reason}") from error
    pad = job.config.pad_token
    if pad is not None:
        if pad not in tokenizer.get_vocab():
            raise TrainingError(f"pad_token={pad!r} is not in the vocabulary of {job.model}")
        tokenizer.pad_token = pad
    return tokenizer
