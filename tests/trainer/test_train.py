"""Real training with TRL on a CPU, each stage killed and gone on with; skipped without torch."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
import yaml
from command_line import Command
from training_runs import REWARD, SFT, STAGE1, arguments, digest, kill_after, logs_of

from trainer.scorer import ProcessReward, Scorer, load_scorer, read_scale

pytestmark = pytest.mark.filterwarnings("default")  # the libraries warn of themselves


@pytest.mark.slow
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
    drawn = [log for log in logs_of(place / "whole") if "stage1/io" in log]
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

    out = place / "killed"
    kill_after(out / "checkpoint-2", arguments(place, "stage1", "killed", STAGE1))
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
    done = tracefoundry(*arguments(place, "sft", "warm", SFT, "chats"), "--filter", "level < 3")
    assert done.returncode == 0, done.stderr
    facts = json.loads((place / "warm" / "finished.json").read_text())
    assert (facts["rows"], facts["left_out"]) == (30, {"longer_than_max_length": 0})
    losses = [log["loss"] for log in logs_of(place / "warm") if "loss" in log]
    assert losses[-1] < losses[0]
    assert "does not end a reply with '<end>'" in done.stderr

    (place / "lora.yaml").write_text("lora_rank: 4\nmax_steps: 1\n")
    lora = ("--config", place / "lora.yaml")
    small = tracefoundry(*arguments(place, "sft", "lora", SFT, "chats"), *lora)
    assert small.returncode == 0, small.stderr
    assert "1 of 40 conversations are longer than 120 tokens" in small.stderr
    assert (place / "lora" / "adapter_model.safetensors").exists()
    onward = arguments(place, "reward", "lora-judge", (*REWARD, "lora_rank=4", "max_steps=1"))
    onward[onward.index("--model") + 1] = str(place / "lora")
    done = tracefoundry(*onward)
    assert done.returncode == 0, done.stderr
    assert load_scorer(place / "lora-judge", 1200).score(["a?"], ["b"])[0] != 0.0


def test_the_reward_model_is_examined_on_held_out_pairs(place: Path, tracefoundry: Command) -> None:
    from trainer.places import find_place, load_rows
    from trainer.reward import base_reasonings, side_of

    done = tracefoundry(*arguments(place, "reward", "judge", (*REWARD, "epochs=2")))
    assert done.returncode == 0, done.stderr
    judge = place / "judge"
    facts = json.loads((judge / "finished.json").read_text())
    for split in ("validation", "test"):
        found = facts["pair_accuracy"][split]
        kinds = {"strong", "optimised", "degraded"} & set(found)
        assert kinds
        assert sum(found[kind]["pairs"] for kind in kinds) == found["all"]["pairs"]
        assert 0 <= found["all"]["accuracy"] <= 1
        assert f"{split} all: " in done.stderr
    losses = [log["loss"] for log in logs_of(judge) if "loss" in log]
    assert losses[-1] < losses[0]

    scale = read_scale(judge)
    rows = load_rows(find_place(str(place / "data")), "crpl", "validation")
    base = base_reasonings(rows)
    assert scale.base_reasonings == len(base)
    scores = load_scorer(judge, 1200).score([p for p, _ in base], [text for _, text in base])
    assert sum(scores) / len(scores) == pytest.approx(scale.mean, abs=1e-5)
    rewards = ProcessReward(judge)(
        [row["prompt"] for row in rows], [side_of(r["chosen"]) for r in rows]
    )
    assert all(reward is not None and 0 < reward < 1 for reward in rewards)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("stage", "settings", "data"), [("sft", SFT, "chats"), ("reward", REWARD, "data")]
)
def test_a_run_that_was_killed_ends_with_the_same_weights(
    place: Path, tracefoundry: Command, stage: str, settings: tuple[str, ...], data: str
) -> None:
    cut, whole = f"cut-{stage}", f"whole-{stage}"
    kill_after(place / cut / "checkpoint-2", arguments(place, stage, cut, settings, data))
    assert not (place / cut / "finished.json").exists()
    for out in (cut, whole):
        done = tracefoundry(*arguments(place, stage, out, settings, data))
        assert done.returncode == 0, done.stderr
        assert ("going on from" in done.stderr) == (out == cut)
    assert digest(place / cut) == digest(place / whole)
    if stage == "reward":
        found = [(place / out / "process_reward.json").read_text() for out in (cut, whole)]
        assert found[0] == found[1]


def test_scores_of_reasonings_do_not_depend_on_what_is_scored_with_them(place: Path) -> None:
    import torch
    from transformers import AutoModelForSequenceClassification, AutoTokenizer

    tokenizer = AutoTokenizer.from_pretrained(place / "model")
    torch.manual_seed(0)
    model = AutoModelForSequenceClassification.from_pretrained(place / "model", num_labels=1)
    model.config.pad_token_id = tokenizer.pad_token_id
    scorer = Scorer(model.eval(), tokenizer, 200)
    texts = ["short", "a much longer one " * 9, "ends with <pad>", "x" * 900]
    prompts = [[{"role": "user", "content": f"What is {k}?"}] for k in range(4)]
    together = scorer.score(prompts, texts)
    alone = [scorer.score([prompt], [text])[0] for prompt, text in zip(prompts, texts, strict=True)]
    assert together == pytest.approx(alone, abs=1e-5)
    assert len(set(together)) == 4
    assert scorer.score([], []) == []


@pytest.mark.parametrize(
    ("stage", "settings", "message"),
    [
        ("stage1", (*STAGE1, "pad_token=<end>"), "pads with its end token"),
        ("stage1", (*STAGE1, "pad_token=<none>"), "is not in the vocabulary"),
        ("stage1", (*STAGE1, "max_completion=4000"), "the model has 2048 positions"),
        ("stage1", (*STAGE1, "max_prompt=1"), "0 rows are fewer than one batch of 4"),
        ("sft", (*SFT, "batch=44"), "39 rows are fewer than one batch of 44"),
        ("reward", (*REWARD, "max_length=100"), "0 rows are fewer than one batch of 4"),
    ],
)
def test_what_cannot_be_trained_is_one_line_and_leaves_nothing(
    place: Path, tracefoundry: Command, stage: str, settings: tuple[str, ...], message: str
) -> None:
    data = "chats" if stage == "sft" else "data"
    done = tracefoundry(*arguments(place, stage, "never", settings, data))
    assert done.returncode == 2
    assert message in done.stderr
    assert done.stderr.splitlines()[-1].startswith("error: ")
    assert not (place / "never").exists()
