"""A whole training in minutes on a CPU: a model from a configuration through every stage.

The commands' own stages are run, on lessons that so small a model can read; what it could do after
the warm-up and what it can do after each stage of reinforcement is measured on what was held out.

Source: own; the set-up that learns is that of ``benchmarks/learning.py``.
"""

from __future__ import annotations

import importlib.util
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from cards import EVALUATED, RESULTS
from trainer.chain import plan_jobs, run_chain
from trainer.configs import Stage
from trainer.evaluation.generation import Sampling
from trainer.evaluation.progress import Progress
from trainer.evaluation.run import Plan, describe, evaluate
from trainer.evaluation.sets import Chosen
from trainer.jobs import LIBRARIES, quiet_libraries
from trainer.models.registry import open_model
from trainer.places import find_place
from trainer.recipes import RECIPES
from trainer.runs import write_whole
from trainer.settings import load_configs

STEPS: dict[Stage, int] = {"sft": 300, "stage1": 60, "reward": 60, "stage2": 20}
"""Updates of each stage: few, for a demonstration."""
POLICIES: tuple[Stage, ...] = ("sft", "stage1", "stage2")
"""The stages whose model answers prompts."""
_TINY = ("precision=fp32", "gradient_checkpointing=false", "save_steps=30", "log_steps=5")
_GRPO = (
    *("prompts_per_step=16", "mini_batch=16", "per_device_batch=128", "max_prompt=120"),
    *("learning_rate=3e-4", "schedule=cosine", "warmup=0.15", "epochs=50", "floor_prompts=4"),
)
_SETTINGS: dict[Stage, tuple[str, ...]] = {
    "sft": (
        *("batch=64", "per_device_batch=64", "max_length=160", "learning_rate=3e-3", "epochs=99"),
    ),
    "stage1": (*_GRPO, "max_completion=32"),
    "reward": (
        *("batch=16", "per_device_batch=16", "max_length=200", "learning_rate=1e-3", "epochs=50"),
    ),
    "stage2": (*_GRPO, "max_completion=40"),
}
_BENCHMARKS = {"questions": "stage1", "problems": "problems"}
"""What is measured, and the config that holds it."""
ASKED = 48
"""Tasks of each benchmark, all held out."""
SAMPLES = 8
MAX_TOKENS = 40
_SEED = 0


@dataclass(frozen=True, slots=True)
class Measured:
    """What a model can do before the training, or after one stage."""

    stage: Stage | None
    """The stage; ``None``: before the first one."""
    shares: tuple[tuple[str, float, float, float], ...]
    """Of each kind: the share of sampled answers that are right, and its interval of 95 %."""


@dataclass(frozen=True, slots=True)
class Demonstration:
    """What came of the training."""

    measured: tuple[Measured, ...]
    """Before the training, and after each of :data:`POLICIES`."""
    pairs: tuple[int, float]
    """Held-out pairs, and the share that the reward model ranks right."""


def missing_library() -> str | None:
    """The first library of the training that is not installed."""
    return next((name for name in LIBRARIES if importlib.util.find_spec(name) is None), None)


def train_tiny(
    lessons: Path,
    out: Path,
    say: Callable[[str], None],
    *,
    steps: Mapping[Stage, int] = STEPS,
    asked: int = ASKED,
) -> Demonstration:
    """Train a tiny model through every stage and measure it; goes on where it was stopped.

    Args:
        lessons: Configs ``sft``, ``stage1``, ``crpl`` and ``problems``.
        out: Folder of the model and its runs.
        say: Told of every step.
        steps: Updates of each stage.
        asked: Held-out tasks of each benchmark.

    Raises:
        TrainingError: The lessons can't be used.
    """
    import torch

    model = out / "model"
    torch.set_num_threads(1)  # the matrices are too small for more
    quiet_libraries()
    make_tiny_model(lessons, model, seed=_SEED)
    recipe = RECIPES["full"]
    configs = load_configs(recipe.stages, None, tiny_settings(steps, seed=_SEED))
    jobs = plan_jobs(recipe, find_place(str(lessons)), None, str(model), out, configs)
    run_chain(jobs, say)
    measured = tuple(
        Measured(stage, measure(out / (stage or "model"), lessons, say, asked=asked))
        for stage in (None, *POLICIES)
    )
    facts = json.loads((out / "reward" / "finished.json").read_text(encoding="utf-8"))
    pairs = facts["pair_accuracy"]["test"]["all"]
    return Demonstration(measured, (pairs["pairs"], pairs["accuracy"]))


def tiny_settings(steps: Mapping[Stage, int], *, seed: int) -> list[str]:
    """What to ``--set`` so that the tiny model learns, each setting meant for its stage alone.

    Args:
        steps: Updates of each stage.
        seed: Of every stage.
    """
    return [
        f"{stage}.{setting}"
        for stage, own in _SETTINGS.items()
        for setting in (*_TINY, *own, f"max_steps={steps[stage]}", f"seed={seed}")
    ]


def make_tiny_model(lessons: Path, folder: Path, *, seed: int) -> None:
    """Make the untrained model and its tokenizer for some lessons, unless the folder holds it.

    Args:
        lessons: What the tokenizer is made for; the configs ``sft`` and ``crpl``.
        folder: Where to.
        seed: Of the weights.
    """
    from trainer.models.scratch import make_model
    from trainer.places import load_rows

    if (folder / "model.safetensors").exists():
        return
    place = find_place(str(lessons))
    texts = [message["content"] for row in load_rows(place, "sft") for message in row["messages"]]
    for row in load_rows(place, "crpl"):
        texts += [message["content"] for message in (*row["prompt"], *row["chosen"])]
    make_model(folder, texts, seed=seed, vocabulary=600, heads=4, positions=256)


def measure(
    model: Path, lessons: Path, say: Callable[[str], None], *, asked: int = ASKED
) -> tuple[tuple[str, float, float, float], ...]:
    """The shares of right answers on what was held out, sampled as in the training.

    Args:
        model: Folder of a run; results and replies are kept in its :data:`EVALUATED`, where
            ``ablations`` and ``publish`` look for them.
        lessons: The configs ``stage1`` and ``problems``, whose test split is asked.
        say: Told of the progress.
        asked: Tasks of each of the two.

    Returns:
        Kind, share and its interval of 95 %.
    """
    sets = tuple(
        Chosen(name, (str(lessons / config / "test-00000.parquet"),))
        for name, config in _BENCHMARKS.items()
    )
    plan = Plan(sets, (Sampling("sampled", SAMPLES, 1.0, MAX_TOKENS, _SEED),), asked)
    source = open_model("transformers", str(model), None, {})
    out = model / EVALUATED
    found = evaluate(plan, source, out, Progress(say))
    report = describe(source.name, plan, counts_tokens=True, evaluated=found)
    write_whole(out / RESULTS, json.dumps(report, indent=2) + "\n")
    return tuple(
        (result.kind, result.value, result.low, result.high)
        for benchmark in found
        for result in benchmark.results
        if result.k == 1 and result.level is None and result.kind != "all"
    )
