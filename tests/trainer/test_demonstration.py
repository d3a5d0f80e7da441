"""The demo's training; real, with few steps, where the libraries are there."""

from __future__ import annotations

from pathlib import Path

import pytest

from factory.practice import build_practice, write_lessons
from factory.progress import SilentProgress
from trainer.demonstration import STEPS, missing_library, train_tiny

pytestmark = [
    pytest.mark.filterwarnings("default"),  # the libraries warn of themselves
]


def test_what_is_missing_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    import importlib.util

    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    assert missing_library() == "torch"


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
    assert [each.stage for each in found.measured] == ["sft", "stage1", "stage2"]
    kinds = {kind for kind, *_ in found.measured[0].shares}
    assert kinds == {"output", "next_statement", "variable_state", "code"}
    assert found.pairs[0] > 0
    again = train_tiny(lessons, tmp_path / "runs", lines.append, steps=few, asked=4)
    assert again == found
    assert sum("this stage is finished" in line for line in lines) == 4
