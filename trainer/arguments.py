"""Arguments that all of TRL's trainers take, from a stage's config."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

from trainer.configs import StageConfig
from trainer.jobs import Job, Say
from trainer.reporting import make_reporter


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


def adapter(config: StageConfig, task: Literal["CAUSAL_LM", "SEQ_CLS"]) -> Any:
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


def listen(trainer: Any, say: Say, parts: Sequence[str]) -> Any:
    """Have a trainer report through ``say`` alone."""
    from transformers import PrinterCallback

    trainer.remove_callback(PrinterCallback)
    trainer.add_callback(make_reporter(say, parts))
    return trainer
