"""What all of TRL's trainers are given: arguments from a config, a model, rows, a listener."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, TypeAlias

from trainer.configs import BatchConfig, StageConfig
from trainer.jobs import Job, Rows, Say, config_of, count_devices
from trainer.preflight import plan_batches
from trainer.reporting import make_reporter

Task: TypeAlias = Literal["CAUSAL_LM", "SEQ_CLS"]
"""What a model is for, as peft names it."""


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


def batch_arguments(job: Job) -> dict[str, Any]:
    """Arguments that a trainer takes which learns from written rows."""
    config = config_of(job, BatchConfig)
    return {
        **common_arguments(job),
        "gradient_accumulation_steps": plan_batches(config, count_devices()).accumulation,
        "max_length": config.max_length,
    }


def assemble(
    trainer: Any,
    job: Job,
    tokenizer: Any,
    rows: Rows,
    arguments: Any,
    say: Say,
    parts: Sequence[str],
    *,
    task: Task = "CAUSAL_LM",
    **own: Any,
) -> Any:
    """A trainer of TRL's for a job, which reports through ``say`` alone.

    Args:
        trainer: Its class.
        job: What is to be trained.
        tokenizer: The model's.
        rows: What is trained on.
        arguments: The class's own kind of arguments.
        say: Told of every log.
        parts: Logged numbers that are told.
        task: What the model is for.
        own: What this class takes beside.
    """
    from transformers import PrinterCallback

    made = trainer(
        model=job.source,
        args=arguments,
        train_dataset=rows.rows,
        processing_class=tokenizer,
        peft_config=_adapter(job.config, task),
        **own,
    )
    made.remove_callback(PrinterCallback)
    made.add_callback(make_reporter(say, parts))
    return made


def _adapter(config: StageConfig, task: Task) -> Any:
    """The LoRA of a config, or ``None``."""
    if not config.lora_rank:
        return None
    from peft import LoraConfig

    return LoraConfig(
        r=config.lora_rank,
        lora_alpha=2 * config.lora_rank,
        target_modules="all-linear",
        task_type=task,
    )
