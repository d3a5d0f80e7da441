"""How fast the stages are on one GPU: a model of 0.5B weights made from a configuration, real data.

    python benchmarks/gpu.py prepare --data DIR     builds data, where everything is installed
    python benchmarks/gpu.py run --data DIR --out OUT [--size tiny]

Runs warm-up, stage I, reward model and stage II through the commands' own stages, and prints tokens
a second, how a step's time is split (drawing completions, rewards, the update), peak memory, and
the curve of the reward. `--size tiny` is for a CPU.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import wraps
from pathlib import Path
from typing import Any

STAGES = ("sft", "stage1", "reward", "stage2")
TIMED = ("stage1", "stage2")


@dataclass(frozen=True)
class Size:
    """A model, and how much it is trained."""

    hidden: int
    layers: int
    heads: int
    vocabulary: int
    settings: dict[str, tuple[str, ...]]


COMMON = ("save_steps=1000", "log_steps=1", "keep_checkpoints=1")
LARGE_GRPO = (
    "prompts_per_step=32",
    "mini_batch=16",
    "per_device_batch=32",
    "max_prompt=1536",
    "max_completion=512",
    "learning_rate=1e-6",
    "epochs=200",
    "max_steps=12",
)
LARGE = Size(
    hidden=1024,
    layers=28,
    heads=16,
    vocabulary=4_096,
    settings={
        "sft": (
            "batch=64",
            "per_device_batch=32",
            "max_length=1536",
            "learning_rate=2e-4",
            "epochs=200",
            "max_steps=150",
        ),
        "stage1": LARGE_GRPO,
        "reward": (
            "batch=32",
            "per_device_batch=16",
            "max_length=2048",
            "learning_rate=1e-5",
            "epochs=200",
            "max_steps=20",
        ),
        "stage2": LARGE_GRPO,
    },
)
SMALL_GRPO = (
    "precision=fp32",
    "prompts_per_step=2",
    "mini_batch=2",
    "generations=2",
    "per_device_batch=4",
    "max_prompt=2048",
    "max_completion=8",
    "floor_prompts=1",
    "epochs=200",
    "max_steps=2",
)
SMALL = Size(
    hidden=64,
    layers=1,
    heads=2,
    vocabulary=600,
    settings={
        "sft": (
            "precision=fp32",
            "batch=8",
            "per_device_batch=8",
            "max_length=2048",
            "learning_rate=3e-3",
            "epochs=200",
            "max_steps=2",
        ),
        "stage1": SMALL_GRPO,
        "reward": (
            "precision=fp32",
            "batch=4",
            "per_device_batch=4",
            "max_length=3072",
            "learning_rate=1e-3",
            "epochs=200",
            "max_steps=2",
        ),
        "stage2": SMALL_GRPO,
    },
)
SIZES = {"large": LARGE, "tiny": SMALL}


def prepare(data: Path, programs: int) -> None:
    """Build the packaged recipe `small` with few programs."""
    from factory.pipeline import build
    from factory.progress import choose_progress
    from factory.recipe import load_recipe

    with choose_progress() as progress:
        build(replace(load_recipe("small"), programs=programs), data, workers=2, progress=progress)


class Clock:
    """Seconds by part of a training step, and tokens drawn."""

    def __init__(self) -> None:
        self.seconds: Counter[str] = Counter()
        self.tokens = 0

    def wrap(self, trainer: Any) -> Any:
        """Time the drawing of completions and the rewards of a GRPO trainer."""
        trainer._generate = self._timed("generate", trainer._generate)
        trainer._calculate_rewards = self._timed("reward", trainer._calculate_rewards)
        train = self._timed("all", trainer.train)

        def anew(*arguments: Any, **named: Any) -> Any:
            self.seconds.clear()  # of what was drawn to look at the rewards before the first step
            self.tokens = 0
            return train(*arguments, **named)

        trainer.train = anew
        rewards = trainer._calculate_rewards

        def counted(inputs: Any, prompts: Any, completions: Any, ids: Any) -> Any:
            self.tokens += sum(map(len, ids))
            return rewards(inputs, prompts, completions, ids)

        trainer._calculate_rewards = counted
        return trainer

    def _timed(self, part: str, function: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(function)
        def timed(*arguments: Any, **named: Any) -> Any:
            settle()
            begun = time.perf_counter()
            try:
                return function(*arguments, **named)
            finally:
                settle()
                self.seconds[part] += time.perf_counter() - begun

        return timed


def settle() -> None:
    """Wait for the GPU, whose work is counted where it was asked for."""
    import torch

    if torch.cuda.is_available():
        torch.cuda.synchronize()


def make_model(size: Size, data: Path, folder: Path) -> int:
    """A model with a tokenizer of its own; the number of its weights."""
    from transformers import AutoConfig, AutoModelForCausalLM

    from trainer.models import scratch
    from trainer.places import find_place, load_rows

    rows = load_rows(find_place(str(data)), "sft")
    rows = rows.select(range(min(200, len(rows))))
    texts = [message["content"] for row in rows for message in row["messages"]]
    scratch.make_model(folder, texts, seed=0, vocabulary=size.vocabulary, layers=1)
    config = AutoConfig.from_pretrained(folder)
    config.hidden_size = size.hidden
    config.intermediate_size = 3 * size.hidden
    config.num_hidden_layers = size.layers
    config.layer_types = ["full_attention"] * size.layers
    config.num_attention_heads = size.heads
    config.num_key_value_heads = max(1, size.heads // 2)
    config.head_dim = max(32, size.hidden // size.heads)
    config.max_position_embeddings = 8_192
    model = AutoModelForCausalLM.from_config(config)
    model.save_pretrained(folder)
    return int(model.num_parameters())


def run(data: Path, out: Path, size: Size) -> None:
    import torch

    from trainer.chain import find_stage, plan_jobs
    from trainer.jobs import run_job
    from trainer.places import find_place
    from trainer.recipes import RECIPES
    from trainer.settings import load_configs

    begun = time.perf_counter()
    cuda = torch.cuda.is_available()
    weights = make_model(size, data, out / "model")
    print(
        f"{torch.cuda.get_device_name() if cuda else 'CPU'}, torch {torch.__version__}; "
        f"{weights / 1e6:.1f} million weights"
    )
    settings = [f"{stage}.{each}" for stage in STAGES for each in (*COMMON, *size.settings[stage])]
    recipe = RECIPES["full"]
    configs = load_configs(recipe.stages, None, settings)
    jobs = plan_jobs(recipe, find_place(str(data)), None, str(out / "model"), out, configs)
    for job in jobs:
        stage, clock = find_stage(job.stage), Clock()
        if cuda:
            torch.cuda.reset_peak_memory_stats()
        if job.stage in TIMED:
            build = stage.build

            def timed(*arguments: Any, build: Any = build, clock: Clock = clock) -> Any:
                return clock.wrap(build(*arguments))

            stage = replace(stage, build=timed)
        start = time.perf_counter()
        run_job(job, stage, lambda line: print(line, file=sys.stderr))
        seconds = time.perf_counter() - start
        peak = torch.cuda.max_memory_allocated() / 2**30 if cuda else 0.0
        show(job.out, job.stage, clock, seconds, peak)
    print(f"all: {time.perf_counter() - begun:.0f} s")


def show(folder: Path, stage: str, clock: Clock, seconds: float, peak: float) -> None:
    logs = json.loads((folder / "trainer_state.json").read_text())["log_history"]
    steps = max(log["step"] for log in logs)
    memory = f", peak memory {peak:.1f} GiB" if peak else ""
    print(f"{stage}: {steps} steps, {seconds:.0f} s with loading and saving{memory}")
    if stage not in TIMED:
        losses = [log["loss"] for log in logs if "loss" in log]
        print(f"  loss {losses[0]:.3f} -> {losses[-1]:.3f}")
        return
    whole = clock.seconds["all"]
    parts = {"generate": clock.seconds["generate"], "reward": clock.seconds["reward"]}
    parts["update"] = whole - sum(parts.values())
    split = ", ".join(f"{name} {part:.2f} s ({part / whole:.0%})" for name, part in parts.items())
    print(f"  {whole / steps:.2f} s a step: {split} in all")
    print(
        f"  {clock.tokens} tokens drawn, {clock.tokens / parts['generate']:.0f} a second while "
        f"drawing, {clock.tokens / whole:.0f} a second of the whole"
    )
    for name in ("reward", f"{stage}/io", f"{stage}/white", f"{stage}/outcome"):
        points = [log[name] for log in logs if name in log]
        if points:
            print(f"  {name}: " + " ".join(f"{point:.3f}" for point in points))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("what", choices=("prepare", "run"))
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--out", type=Path, default=Path("gpu-out"))
    parser.add_argument("--size", choices=SIZES, default="large")
    parser.add_argument("--programs", type=int, default=400)
    given = parser.parse_args()
    if given.what == "prepare":
        prepare(given.data, given.programs)
    else:
        run(given.data, given.out, SIZES[given.size])


if __name__ == "__main__":
    main()
