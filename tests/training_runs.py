"""Training runs of the tests: a tiny model, data of the pipeline, and runs that are killed."""

from __future__ import annotations

import hashlib
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

CODE = "def f(n):\n    x = n + {0}\n    if x > {0}:\n        x = x * 2\n{1}    return x\n"
RECIPE = """
source:
  kind: jsonl
  path: programs.jsonl
  fields: {code: code, input: inputs, output: null, entry_point: entry}
inputs: {mutants: 0}
splits: {train: 0.82, validation: 0.1, test: 0.08}
stage1: {control_flow: 1, data_flow: 1}
"""
PATIENCE = 800
"""Seconds to wait for a checkpoint: machines of many users are slow."""
ALL_STAGES = ("precision=fp32", "gradient_checkpointing=false", "learning_rate=1e-3")
SFT = (*ALL_STAGES, "batch=8", "per_device_batch=4", "max_length=120", "save_steps=2")
GRPO = (
    *ALL_STAGES,
    "prompts_per_step=4",
    "mini_batch=2",
    "generations=4",
    "per_device_batch=8",
    "max_prompt=600",
    "max_steps=4",
    "save_steps=2",
    "floor_prompts=1",
)
STAGE1 = (*GRPO, "max_completion=16")
REWARD = (*ALL_STAGES, "batch=4", "per_device_batch=4", "max_length=1200", "save_steps=2")


def make_place(folder: Path) -> Path:
    """`data` built by the pipeline, `chats` for a warm-up, `model` made from a configuration."""
    from factory.pipeline import build
    from factory.progress import SilentProgress
    from factory.recipe import load_recipe
    from trainer.models import tiny

    lines = [
        {"code": CODE.format(k, "    x = x - 1\n" * (k % 6)), "inputs": ["1", "0"], "entry": "f"}
        for k in range(18)
    ]
    (folder / "programs.jsonl").write_text("\n".join(map(json.dumps, lines)) + "\n")
    (folder / "recipe.yaml").write_text(RECIPE)
    data = folder / "data"
    build(load_recipe(folder / "recipe.yaml"), data, workers=1, progress=SilentProgress())
    chats: list[dict[str, Any]] = [
        {
            "messages": [
                {"role": "user", "content": f"What is {k} + 1?" * (90 if k == 3 else 1)},
                {"role": "assistant", "content": f"<answer>\n{k + 1}\n</answer>"},
            ],
            "level": k % 4,
        }
        for k in range(40)
    ]
    write_rows(folder / "chats", "sft", chats)
    write_rows(folder / "problems", "sft", [solution_of(k) for k in range(8)] * 4)
    write_rows(folder / "problems", "problems", [problem_of(k) for k in range(8)])
    model = tiny.load("guesser")
    model._model.save_pretrained(folder / "model")
    model._tokenizer.save_pretrained(folder / "model")
    return folder


def write_rows(data: Path, config: str, rows: list[dict[str, Any]]) -> None:
    """A training split of a dataset that was made by hand."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    (data / config).mkdir(parents=True, exist_ok=True)
    pq.write_table(pa.Table.from_pylist(rows), data / config / "train-00000.parquet")


def problem_of(k: int) -> dict[str, Any]:
    """A row of the config `problems`: add k to a number."""
    return {
        "problem_id": f"{k:02}",
        "program_id": None,
        "split": "train",
        "level": 1,
        "prompt": [{"role": "user", "content": f"Add {k} to x."}],
        "starter": "def f(x):",
        "entry_point": "f",
        "tests": json.dumps({"test_list": [f"assert f({n}) == {n + k}" for n in (1, 5)]}),
        "reference": f"def f(x):\n    return x + {k}\n",
    }


def solution_of(k: int) -> dict[str, Any]:
    """A conversation that solves it."""
    reply = (
        f"<think>x and {k}</think><answer>```python\ndef f(x):\n    return x + {k}\n```</answer>"
    )
    return {"messages": [*problem_of(k)["prompt"], {"role": "assistant", "content": reply}]}


def arguments(
    place: Path, stage: str, out: str, settings: Sequence[str], data: str = "data"
) -> list[str]:
    """Words of `tracefoundry train`."""
    listed = [part for setting in settings for part in ("--set", setting)]
    where = ["--data", place / data, "--model", place / "model", "--out", place / out]
    return ["train", stage, *map(str, where), *listed]


def digest(folder: Path) -> str:
    """Of the weights in a folder."""
    return hashlib.sha256((folder / "model.safetensors").read_bytes()).hexdigest()


def kill_after(checkpoint: Path, words: Sequence[str | Path]) -> None:
    """Run the command line in a process of its own, and kill it once a checkpoint is whole."""
    command = [sys.executable, "-m", "factory", *map(str, words)]
    environment = os.environ | {"PYTHONWARNINGS": "ignore"}
    with subprocess.Popen(command, stderr=subprocess.DEVNULL, env=environment) as process:
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            if (checkpoint / "trainer_state.json").exists() or process.poll() is not None:
                break
            time.sleep(0.02)
        process.send_signal(signal.SIGKILL)


def logs_of(run: Path) -> list[dict[str, Any]]:
    """All logs of a finished run."""
    found: list[dict[str, Any]] = json.loads((run / "trainer_state.json").read_text())[
        "log_history"
    ]
    return found
