"""One run of one stage: from the command's words to a trained model in its folder."""

from __future__ import annotations

import contextlib
import hashlib
import importlib.util
import json
import os
import sys
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from trainer.card import CURVES, Finished, write_card
from trainer.conditions import parse_condition
from trainer.configs import Stage, StageConfig, describe
from trainer.errors import TrainingError
from trainer.places import Place, load_rows
from trainer.reporting import make_reporter
from trainer.runs import begin_run, check_run, find_checkpoints, finish_run, show_run

if TYPE_CHECKING:
    from datasets import Dataset

LIBRARIES = ("torch", "transformers", "trl", "accelerate", "peft")
_FACTS = ("train_runtime", "train_loss", "epoch")


@dataclass(frozen=True, slots=True)
class Job:
    """What is to be trained."""

    stage: Stage
    data: Place
    condition: str | None
    model: str
    out: Path
    config: StageConfig

    def describe(self) -> dict[str, Any]:
        """Everything that decides what is trained, as plain data."""
        return {
            "stage": self.stage,
            "data": self.data.text,
            "filter": self.condition,
            "model": self.model,
            "devices": count_devices(),
            "config": describe(self.config),
        }


@dataclass(frozen=True, slots=True)
class Rows:
    """What is trained on, in order, and what was left out."""

    rows: Dataset
    left_out: tuple[tuple[str, int], ...]


Say = Callable[[str], None]
"""Takes a line for the user; silent on all processes but the first."""
Build = Callable[[Job, Any, Rows], Any]
"""Makes a trainer of a job, a tokenizer and rows."""


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


def run_job(
    job: Job,
    prepare: Callable[[Job, Any, Say], Rows],
    build: Build,
    say: Say,
    curves: Sequence[str] = CURVES,
) -> None:
    """Train, from the last checkpoint if there is one, and save the model; once.

    Args:
        job: What is to be trained.
        prepare: Gives the rows.
        build: Gives the trainer.
        say: Told of every step of the way.
        curves: Names of logged numbers that the model's card draws.

    Raises:
        TrainingError: Something can't be used; nothing was trained.
    """
    run = job.describe()
    if check_run(job.out, run):
        say(f"{job.out}: this stage is finished; nothing to do")
        return
    require_libraries()
    with contextlib.redirect_stdout(sys.stderr):  # the libraries print tables and metrics
        quiet_libraries()
        tokenizer = load_tokenizer(job)
        rows = prepare(job, tokenizer, say)
        run |= {"rows": len(rows.rows), "rows_sha256": digest_of(rows.rows)}
        check_run(job.out, run)
        for line in show_run(run).splitlines():
            say(line)
        checkpoints = find_checkpoints(job.out)
        for path in checkpoints.broken:
            say(f"{path}: not whole, so it is not used")
        trainer = build(job, tokenizer, rows)
        if is_first():
            begin_run(job.out, run)
        if checkpoints.newest is not None:
            say(f"going on from {checkpoints.newest}")
        newest = None if checkpoints.newest is None else str(checkpoints.newest)
        done = trainer.train(resume_from_checkpoint=newest)
        trainer.save_model(str(job.out))
        trainer.save_state()
    if is_first():
        tokenizer.save_pretrained(str(job.out))
        facts = {name: done.metrics[name] for name in _FACTS if name in done.metrics}
        left_out = dict(rows.left_out)
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
        write_card(job.out, finished, curves)
        finish_run(
            job.out,
            {"steps": done.global_step, "rows": len(rows.rows), "left_out": left_out, **facts},
        )
    say(f"{done.global_step} steps; the model is in {job.out}")


def quiet_libraries() -> None:
    """Leave out what the libraries tell about themselves: deprecations, and bars in a log file."""
    import datasets
    from transformers.utils import logging

    warnings.filterwarnings("ignore", category=FutureWarning, module=r"(transformers|trl|torch)\b")
    if not sys.stderr.isatty():
        datasets.disable_progress_bars()
        logging.disable_progress_bar()


def digest_of(rows: Dataset) -> str:
    """SHA-256 of the prompts in their order: data that changed are not taken for the same."""
    digest = hashlib.sha256()
    for row in rows.select_columns(["prompt"]):
        digest.update(json.dumps(row["prompt"], sort_keys=True).encode("utf-8"))
    return digest.hexdigest()


def load_tokenizer(job: Job) -> Any:
    """The model's tokenizer, with the padding token of the config.

    Raises:
        TrainingError: There is none, or the token is not in its vocabulary.
    """
    from transformers import AutoTokenizer

    try:
        tokenizer = AutoTokenizer.from_pretrained(job.model, revision=job.config.revision)
    except (OSError, ValueError) as error:
        reason = str(error).strip().split("\n", 1)[0]
        raise TrainingError(f"--model {job.model}: can't be loaded: {reason}") from error
    pad = job.config.pad_token
    if pad is not None:
        if pad not in tokenizer.get_vocab():
            raise TrainingError(f"pad_token={pad!r} is not in the vocabulary of {job.model}")
        tokenizer.pad_token = pad
    return tokenizer


def count_positions(job: Job) -> int | None:
    """Tokens that the model has positions for; ``None`` when its config does not say."""
    from transformers import AutoConfig

    try:
        config = AutoConfig.from_pretrained(job.model, revision=job.config.revision)
    except (OSError, ValueError) as error:
        reason = str(error).strip().split("\n", 1)[0]
        raise TrainingError(f"--model {job.model}: can't be loaded: {reason}") from error
    found = getattr(config.get_text_config(), "max_position_embeddings", None)
    return None if found is None else int(found)


def choose_rows(job: Job, config_name: str) -> Dataset:
    """The training rows that meet the job's condition.

    Raises:
        TrainingError: They can't be read, or the condition does not fit.
    """
    rows = load_rows(job.data, config_name)
    if job.condition is None:
        return rows
    condition = parse_condition(job.condition, rows.column_names)
    read = rows.select_columns(list(condition.columns))
    return rows.select([place for place, row in enumerate(read) if condition.holds(row)])


def common_arguments(job: Job) -> dict[str, Any]:
    """Arguments that every trainer takes."""
    import torch

    config = job.config
    half = config.precision == "bf16"
    weights = "bfloat16" if half and config.lora_rank else "float32"
    arguments: dict[str, Any] = {
        "output_dir": str(job.out),
        "learning_rate": config.learning_rate,
        "num_train_epochs": config.epochs,
        "max_steps": config.max_steps or -1,
        "per_device_train_batch_size": config.per_device_batch,
        "lr_scheduler_type": config.schedule,
        "warmup_steps": config.warmup,
        "weight_decay": config.weight_decay,
        "bf16": half,
        "gradient_checkpointing": config.gradient_checkpointing,
        "save_strategy": "steps",
        "save_steps": config.save_steps,
        "save_total_limit": config.keep_checkpoints,
        "logging_steps": config.log_steps,
        "report_to": list(config.report_to) or "none",
        "seed": config.seed,
        "disable_tqdm": True,
        "model_init_kwargs": {"dtype": weights, "revision": config.revision},
    }
    if not torch.cuda.is_available():
        arguments["use_cpu"] = True
    return arguments


def adapter(config: StageConfig) -> Any:
    """The LoRA of a config, or ``None``."""
    if not config.lora_rank:
        return None
    from peft import LoraConfig

    return LoraConfig(
        r=config.lora_rank,
        lora_alpha=2 * config.lora_rank,
        target_modules="all-linear",
        task_type="CAUSAL_LM",
    )


def listen(trainer: Any, say: Say, parts: Sequence[str]) -> Any:
    """Have a trainer report through ``say`` alone."""
    from transformers import PrinterCallback

    trainer.remove_callback(PrinterCallback)
    trainer.add_callback(make_reporter(say, parts))
    return trainer
