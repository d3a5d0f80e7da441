"""The demo's training; real, with few steps, where the libraries are there."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from factory.practice import build_practice, solve, write_lessons, write_problem, write_program
from factory.progress import SilentProgress
from trainer.demonstration import STEPS, missing_library, train_tiny

pytestmark = [
    pytest.mark.filterwarnings("default"),  # the libraries warn of themselves
]


def test_what_is_missing_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    import importlib.util

    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    assert missing_library() == "torch"


def test_what_is_held_out_is_written_in_tokens_that_were_learned(tmp_path: Path) -> None:
    for name in ("torch", "transformers"):
        pytest.importorskip(name, reason="needs tracefoundry[train]")
    from transformers import AutoTokenizer

    from trainer.models.scratch import make_model

    rng = random.Random(5)
    texts: dict[str, list[str]] = {"train": [], "test": []}
    for number in range(400):
        row = write_problem(rng, number)
        texts[row["split"]] += [row["prompt"][0]["content"], solve(row)]
    texts["train"] += [write_program(rng) for _ in range(200)]
    texts["test"] += [write_program(rng) for _ in range(50)]
    make_model(tmp_path, texts["train"], seed=0)
    tokenizer = AutoTokenizer.from_pretrained(tmp_path)
    train, test = (tokenizer(texts[split])["input_ids"] for split in ("train", "test"))
    learned = {token for tokens in train for token in tokens}
    assert len(test) > 100
    assert {token for tokens in test for token in tokens} <= learned
    assert tokenizer.decode(test[0]) == texts["test"][0]
    assert len(tokenizer("12")["input_ids"]) == 2
    assert len(tokenizer("assistant")["input_ids"]) == 1


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_a_tiny_model_goes_through_every_stage(tmp_path: Path) -> None:
    for name in ("torch", "transformers", "trl", "peft", "accelerate"):
        pytest.importorskip(name, reason="needs tracefoundry[train]")
    dataset = build_practice(tmp_path, programs=160, workers=2, progress=SilentProgress())
    lessons = write_lessons(dataset, tmp_path / "lessons")
    lines: list[str] = []
    few = dict.fromkeys(STEPS, 2)
    found = train_tiny(lessons, tmp_path / "runs", lines.append, steps=few, asked=4)
    assert [each.stage for each in found.measured] == [None, "sft", "stage1", "stage2"]
    kinds = {kind for kind, *_ in found.measured[0].shares}
    assert kinds == {"output", "next_statement", "variable_state", "code"}
    assert found.pairs[0] > 0
    again = train_tiny(lessons, tmp_path / "runs", lines.append, steps=few, asked=4)
    assert again == found
    assert sum("this stage is finished" in line for line in lines) == 4
