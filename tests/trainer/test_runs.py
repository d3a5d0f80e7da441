"""The folder of a run: begun, gone on with, finished, or somebody else's."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from trainer.errors import TrainingError
from trainer.reporting import CLIPPED, EQUAL, PATIENCE, Standstill, line_of
from trainer.runs import begin_run, check_run, find_checkpoints, finish_run, first_difference

RUN: dict[str, Any] = {"stage": "sft", "filter": None, "config": {"epochs": 2, "report_to": []}}


def checkpoint(out: Path, step: int) -> Path:
    """A checkpoint with the files that decide whether it is whole."""
    folder = out / f"checkpoint-{step}"
    folder.mkdir(parents=True)
    header = json.dumps({"w": {"dtype": "F32", "shape": [2], "data_offsets": [0, 8]}}).encode()
    tensors = len(header).to_bytes(8, "little") + header + bytes(8)
    (folder / "model.safetensors").write_bytes(tensors)
    (folder / "trainer_state.json").write_text('{"global_step": 2}')
    return folder


def test_a_run_begins_goes_on_and_is_finished_once(tmp_path: Path) -> None:
    out = tmp_path / "run"
    assert not check_run(out, RUN)
    assert not out.exists(), "looking writes nothing"
    begin_run(out, RUN | {"rows": 3})
    assert not check_run(out, RUN), "what is not known yet is not compared"
    assert not check_run(out, RUN | {"rows": 3})
    finish_run(out, {"steps": 4})
    assert check_run(out, RUN)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"stage": "stage1"}, "stage was 'sft', is now 'stage1'"),
        ({"config": {"epochs": 3, "report_to": []}}, "config.epochs was 2, is now 3"),
        ({"config": {"epochs": 2}}, r"config.report_to was \[\], is now None"),
        ({"rows": 4}, "rows was 3, is now 4"),
    ],
)
def test_a_run_of_other_settings_is_not_gone_on_with(
    tmp_path: Path, change: dict[str, Any], message: str
) -> None:
    begin_run(tmp_path, RUN | {"rows": 3})
    with pytest.raises(TrainingError, match=message):
        check_run(tmp_path, RUN | change)
    assert first_difference(RUN, RUN) is None


@pytest.mark.parametrize("content", [b"\xff", b"a: [", b"text"])
def test_folders_of_others_are_left_alone(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "notes.txt"
    file.write_text("mine")
    for out, message in ((tmp_path, "no run of ours"), (file, "a file, not a folder")):
        with pytest.raises(TrainingError, match=message):
            check_run(out, RUN)
    (tmp_path / "run.yaml").write_bytes(content)
    with pytest.raises(TrainingError, match="name another --out folder"):
        check_run(tmp_path, RUN)
    assert file.read_text() == "mine"


def test_the_newest_whole_checkpoint_is_gone_on_from(tmp_path: Path) -> None:
    assert find_checkpoints(tmp_path / "none").newest is None
    second, tenth = checkpoint(tmp_path, 2), checkpoint(tmp_path, 10)
    (tmp_path / "checkpoint-x").mkdir()
    found = find_checkpoints(tmp_path)
    assert (found.newest, found.broken) == (tenth, ())
    whole = (tenth / "model.safetensors").read_bytes()
    for broken in (whole[:-1], whole[:20], whole[:4], b"", whole[:8] + b"[]" + whole[10:]):
        (tenth / "model.safetensors").write_bytes(broken)
        found = find_checkpoints(tmp_path)
        assert (found.newest, found.broken) == (second, (tenth,)), broken
    (tenth / "model.safetensors").write_bytes(whole)
    for state in ("", "{", None):
        (tenth / "trainer_state.json").unlink()
        if state is not None:
            (tenth / "trainer_state.json").write_text(state)
        else:
            (second / "model.safetensors").unlink()
        found = find_checkpoints(tmp_path)
        assert tenth in found.broken
        assert found.newest == (None if state is None else second)


def test_a_line_a_step() -> None:
    logs = {"loss": 0.5, "reward": 1.25, "reward_std": None, "note": "text"}
    shown = line_of(3, 9, logs, ("reward", "reward_std", "note", "loss"))
    assert shown == "step 3/9  reward 1.25  loss 0.5"


def test_a_standstill_is_named_once() -> None:
    watch = Standstill()
    still: dict[str, Any] = {EQUAL: 1.0, CLIPPED: 0.2}
    for _ in range(PATIENCE - 1):
        assert watch.see(still) == []
    assert watch.see({"loss": 0.1}) == []
    (advice,) = watch.see(still)
    assert EQUAL in advice
    assert watch.see(still) == []
    for _ in range(PATIENCE - 1):
        watch.see({CLIPPED: 1.0})
    assert watch.see({CLIPPED: 0.5}) == [], "it starts anew after a good step"
    for _ in range(PATIENCE - 1):
        assert watch.see({CLIPPED: 1.0}) == []
    assert len(watch.see({CLIPPED: 1.0})) == 1
