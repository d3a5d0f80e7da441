"""What our rewards and our trainer cost: `make bench`, or `python benchmarks/training.py`.

1. Rewards of 1,024 completions of stage I, forward prompts and reverse ones, in one process: less
   than 1 s and 3 s of CPU.
2. A step of `train stage1` beside a step of plain TRL with a constant reward, the same model,
   prompts and settings: less than 5 % more. Left out without `pip install 'tracefoundry[train]'`.
"""

from __future__ import annotations

import itertools
import json
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from stage_clock import children_seconds

COMPLETIONS = 1_024
SECONDS = {"io_mixed": 1.0, "oi": 3.0}
STEPS = 12
ROUNDS = 3
MOST_OVERHEAD = 0.05
RECIPE = """
source: {kind: templates}
programs: 60
seed: 3
inputs: {mutants: 4}
stage1: {control_flow: 5, data_flow: 5}
sft: {per_program: 0}
crpl: {per_program: 0}
problems: {wanted: false}
"""
PROMPTS, GENERATIONS, LENGTH = 8, 8, 32


def build(folder: Path) -> Path:
    data = folder / "data"
    (folder / "recipe.yaml").write_text(RECIPE)
    command = [sys.executable, "-m", "factory", "build", folder / "recipe.yaml", "--out", data]
    subprocess.run(list(map(str, command)), check=True, capture_output=True)
    return data


def rows_of(data: Path) -> list[dict[str, Any]]:
    import pyarrow.parquet as pq

    files = sorted((data / "stage1").glob("*.parquet"))
    return [row for file in files for row in pq.read_table(file).to_pylist()]


def cpu() -> float:
    """CPU seconds of this process and of its children that have ended."""
    both = (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    return sum(usage.ru_utime + usage.ru_stime for usage in map(resource.getrusage, both))


def time_rewards(rows: list[dict[str, Any]], task: str) -> float:
    """CPU seconds for the rewards of the completions of one task.

    All are right, so that each is judged to the end. Sandboxes are ended before the clock is read:
    their time counts.
    """
    from trainer.rewards import stage1_reward
    from trainer.rewards.base import shared_judge

    asked = [row for row in rows if row["task"] == task]
    many = [asked[place % len(asked)] for place in range(COMPLETIONS)]
    replies = []
    for row in many:
        answers = dict(zip(row["answer_ids"], row["keys"], strict=True))
        text = json.dumps(answers) if len(answers) > 1 else row["keys"][0]
        replies.append(f"<think>so</think>\n<answer>\n{text}\n</answer>")
    columns = {name: [row[name] for row in many] for name in many[0]}
    shared_judge.cache_clear()
    start = cpu()
    rewards = stage1_reward(completions=replies, **columns)
    shared_judge().close()
    took = cpu() - start
    shared_judge.cache_clear()
    right = sum(reward == 2.0 for reward in rewards)
    assert right == COMPLETIONS, f"{right} right completions were paid in full"
    return took


def time_steps(data: Path, folder: Path) -> dict[str, list[float]]:
    """CPU seconds of a step, ours and plain, in turn so that both see the same machine."""
    import torch
    from trl import GRPOTrainer

    from trainer.jobs import Job, load_tokenizer, quiet_libraries
    from trainer.models.scratch import make_model
    from trainer.places import find_place
    from trainer.settings import load_config
    from trainer.stage1 import STAGE

    torch.set_num_threads(1)
    quiet_libraries()
    texts = [message["content"] for row in rows_of(data) for message in row["prompt"]]
    make_model(folder / "model", texts, seed=0, vocabulary=2_000, positions=4_096)
    settings = [
        f"prompts_per_step={PROMPTS}",
        f"mini_batch={PROMPTS}",
        f"generations={GENERATIONS}",
        f"per_device_batch={PROMPTS * GENERATIONS}",
        f"max_completion={LENGTH}",
        f"max_steps={STEPS}",
        "max_prompt=400",
        "precision=fp32",
        "gradient_checkpointing=false",
        "save_steps=1000",
        "floor_prompts=0",
    ]
    config = load_config("stage1", None, settings)
    found: dict[str, list[float]] = {"plain": [], "ours": []}
    for number in range(ROUNDS):
        for name in found:
            out = folder / f"{name}{number}"
            job = Job("stage1", find_place(str(data)), None, str(folder / "model"), out, config)
            tokenizer = load_tokenizer(job)
            rows = STAGE.prepare(job, tokenizer, lambda line: None)
            trainer = STAGE.build(job, tokenizer, rows, lambda line: None)
            if name == "plain":
                trainer.args.log_completions = False
                trainer = GRPOTrainer(
                    model=job.model,
                    reward_funcs=[constant_reward],
                    args=trainer.args,
                    train_dataset=rows.rows.select_columns(["prompt"]),
                    processing_class=tokenizer,
                )
            found[name] += clocked(trainer)
    return found


def constant_reward(completions: list[Any], **columns: Any) -> list[float]:
    return [1.0] * len(completions)


def clocked(trainer: Any) -> list[float]:
    """CPU seconds, sandboxes included, of each step but the first two, which warm up."""
    from transformers import TrainerCallback

    times: list[float] = []

    class Clock(TrainerCallback):  # type: ignore[misc]
        def on_step_end(self, args: Any, state: Any, control: Any, **_: Any) -> None:
            times.append(time.process_time() + children_seconds())

    trainer.add_callback(Clock())
    trainer.train()
    return [after - before for before, after in itertools.pairwise(times[1:])]


def main() -> None:
    failed = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        data = build(folder)
        rows = rows_of(data)
        for task, most in SECONDS.items():
            took = min(time_rewards(rows, task) for _ in range(3))
            print(f"rewards of {COMPLETIONS} completions, {task}: {took:.2f} s of CPU (< {most} s)")
            if took > most:
                failed.append(task)
        missing = [part for part in ("torch", "trl") if find_spec(part) is None]
        if missing:
            print(f"steps: not measured, {missing[0]} is not installed")
        else:
            steps = {who: statistics.median(took) for who, took in time_steps(data, folder).items()}
            more = steps["ours"] / steps["plain"] - 1
            print(
                f"a step of {PROMPTS} x {GENERATIONS} completions: plain TRL {steps['plain']:.3f} "
                f"s of CPU, ours {steps['ours']:.3f} s, {more:+.1%} (< {MOST_OVERHEAD:.0%})"
            )
            if more > MOST_OVERHEAD:
                failed.append("steps")
    if failed:
        raise SystemExit(f"over the bound: {', '.join(failed)}")


if __name__ == "__main__":
    main()
