"""Real training with TRL on a CPU; skipped, by name, where its libraries are missing."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
import yaml
from command_line import Command

pytestmark = [
    pytest.mark.slow,
    pytest.mark.filterwarnings("default"),  # the libraries warn of themselves
]

CODE = "def f(n):\n    x = n + {0}\n    if x > {0}:\n        x = x * 2\n{1}    return x\n"
RECIPE = """
source:
  kind: jsonl
  path: programs.jsonl
  fields: {code: code, input: inputs, output: null, entry_point: entry}
inputs: {mutants: 0}
splits: {train: 1.0, validation: 0.0, test: 0.0}
stage1: {control_flow: 1, data_flow: 1}
"""
STAGE1 = (
    "prompts_per_step=4",
    "mini_batch=2",
    "generations=4",
    "per_device_batch=8",
    "max_prompt=600",
    "max_completion=16",
    "learning_rate=1e-3",
    "precision=fp32",
    "gradient_checkpointing=false",
    "max_steps=4",
    "save_steps=2",
)
SFT = ("batch=8", "per_device_batch=4", "max_length=120", "save_steps=2", "learning_rate=1e-3")


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """`data` built by the pipeline, and `model` made from a configuration and trained a little."""
    for name in ("torch", "transformers", "trl", "peft"):
        pytest.importorskip(name, reason="training needs tracefoundry[train]")
    import pyarrow as pa
    import pyarrow.parquet as pq

    from factory.pipeline import build
    from factory.progress import SilentProgress
    from factory.recipe import load_recipe
    from trainer.models import tiny

    folder = tmp_path_factory.mktemp("training")
    lines = [
        {"code": CODE.format(k, "    x = x - 1\n" * (k % 3)), "inputs": ["1", "0"], "entry": "f"}
        for k in range(12)
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
    (data / "sft").mkdir()
    pq.write_table(pa.Table.from_pylist(chats), data / "sft" / "train-00000.parquet")
    model = tiny.load("guesser")
    model._model.save_pretrained(folder / "model")
    model._tokenizer.save_pretrained(folder / "model")
    return folder


def arguments(place: Path, stage: str, out: str, settings: tuple[str, ...]) -> list[str]:
    listed = [part for setting in settings for part in ("--set", setting)]
    where = ["--data", place / "data", "--model", place / "model", "--out", place / out]
    return ["train", stage, *map(str, where), *listed]


def digest(folder: Path) -> str:
    return hashlib.sha256((folder / "model.safetensors").read_bytes()).hexdigest()


def test_stage1_killed_and_gone_on_with_gives_the_same_weights(
    place: Path, tracefoundry: Command
) -> None:
    import pyarrow.parquet as pq

    whole = arguments(place, "stage1", "whole", STAGE1)
    done = tracefoundry(*whole)
    assert done.returncode == 0, done.stderr
    assert done.stdout == ""
    facts = json.loads((place / "whole" / "finished.json").read_text())
    assert facts["steps"] == 4
    assert facts["left_out"]["longer_than_max_prompt"] > 0
    run = yaml.safe_load((place / "whole" / "run.yaml").read_text())
    assert run["rows"] == facts["rows"] >= 4
    assert run["config"]["generations"] == 4
    logs = json.loads((place / "whole" / "trainer_state.json").read_text())["log_history"]
    drawn = [log for log in logs if "stage1/io" in log]
    assert len(drawn) == 2
    assert all(0 <= log["reward"] <= 2 for log in drawn)
    assert any(log["reward_std"] > 0 for log in drawn), "there is something to learn"
    assert digest(place / "whole" / "checkpoint-2") != digest(place / "whole")
    assert {f"stage1/{part}" for part in ("correct", "unparsed", "infrastructure")} <= set(drawn[0])
    assert digest(place / "whole") != digest(place / "model")
    saved = pq.read_table(place / "whole" / "completions")
    assert {"step", "prompt", "completion", "stage1_reward", "advantage"} <= set(saved.column_names)
    assert saved.num_rows == 4 * 16, "a file a log, each with the completions drawn last"
    again = tracefoundry(*whole)
    assert (again.returncode, again.stdout) == (0, "")
    assert again.stderr.count("\n") == 1
    assert "this stage is finished" in again.stderr

    command = [sys.executable, "-m", "factory", *arguments(place, "stage1", "killed", STAGE1)]
    out, environment = place / "killed", os.environ | {"PYTHONWARNINGS": "ignore"}
    with subprocess.Popen(command, stderr=subprocess.DEVNULL, env=environment) as process:
        for _ in range(2_000):
            if (out / "checkpoint-2" / "trainer_state.json").exists() or process.poll() is not None:
                break
            time.sleep(0.05)
        process.send_signal(signal.SIGKILL)
    assert not (out / "finished.json").exists()
    broken = Path(shutil.copytree(out / "checkpoint-2", out / "checkpoint-5"))
    (broken / "model.safetensors").write_bytes(b"\0" * 100)
    done = tracefoundry(*arguments(place, "stage1", "killed", STAGE1))
    assert done.returncode == 0, done.stderr
    assert "checkpoint-5: not whole" in done.stderr
    assert "going on from" in done.stderr
    assert digest(out) == digest(place / "whole")

    other = tracefoundry(*arguments(place, "stage1", "killed", (*STAGE1, "epochs=9")))
    assert other.returncode == 2
    assert "config.epochs was 4, is now 9" in other.stderr


def test_sft_learns_replies_of_the_rows_that_were_asked_for(
    place: Path, tracefoundry: Command
) -> None:
    done = tracefoundry(*arguments(place, "sft", "warm", SFT), "--filter", "level < 3")
    assert done.returncode == 0, done.stderr
    facts = json.loads((place / "warm" / "finished.json").read_text())
    assert (facts["rows"], facts["left_out"]) == (30, {"longer_than_max_length": 0})
    logs = json.loads((place / "warm" / "trainer_state.json").read_text())["log_history"]
    losses = [log["loss"] for log in logs if "loss" in log]
    assert losses[-1] < losses[0]
    assert "does not end a reply with '<end>'" in done.stderr

    (place / "lora.yaml").write_text("lora_rank: 4\nmax_steps: 1\n")
    small = tracefoundry(*arguments(place, "sft", "lora", SFT), "--config", place / "lora.yaml")
    assert small.returncode == 0, small.stderr
    assert "1 of 40 conversations are longer than 120 tokens" in small.stderr
    assert (place / "lora" / "adapter_model.safetensors").exists()


@pytest.mark.parametrize(
    ("stage", "settings", "message"),
    [
        ("stage1", (*STAGE1, "pad_token=<end>"), "pads with its end token"),
        ("stage1", (*STAGE1, "pad_token=<none>"), "is not in the vocabulary"),
        ("stage1", (*STAGE1, "max_completion=4000"), "the model has 2048 positions"),
        ("stage1", (*STAGE1, "max_prompt=1"), "0 rows are fewer than one batch of 4"),
        ("sft", (*SFT, "batch=44"), "39 rows are fewer than one batch of 44"),
    ],
)
def test_what_cannot_be_trained_is_one_line_and_leaves_nothing(
    place: Path, tracefoundry: Command, stage: str, settings: tuple[str, ...], message: str
) -> None:
    done = tracefoundry(*arguments(place, stage, "never", settings))
    assert done.returncode == 2
    assert message in done.stderr
    assert done.stderr.splitlines()[-1].startswith("error: ")
    assert not (place / "never").exists()
