"""`tracefoundry train`: what is said before anything heavy is imported."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

import pytest
from command_line import Command

from trainer.jobs import LIBRARIES


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["sft", "--data", "nowhere"], "--data nowhere: no such folder"),
        (["stage1", "--data", ".", "--set", "lr=1"], "no key 'lr'"),
        (["stage1", "--data", ".", "--set", "save_steps=3"], "--set save_steps=4"),
        (["sft", "--data", ".", "--set", "per_device_batch=3"], "--set batch=15"),
        (["stage3", "--data", "."], "'stage3' is not one of 'sft', 'stage1', 'reward', 'stage2'"),
        (["stage2", "--data", "."], "stage2 needs a reward model: --reward-model DIR"),
        (["stage1", "--data", ".", "--reward-model", "."], "only stage2 uses one, not stage1"),
        (["sft", "--data", ".", "--recipe", "full"], "only `train all` follows one, not sft"),
        (["all", "--data", ".", "--recipe", "white"], "there are: full, io_only, sft_io"),
        (["all", "--data", ".", "--set", "stage3.epochs=1"], "no stage 'stage3' here"),
        (["all", "--data", ".", "--set", "sft.epsilon=1"], "no key 'epsilon'"),
        (["all", "--data", ".", "--set", "stage2.save_steps=3"], "--set save_steps=4"),
        (["all", "--data", "."], "no sft/train-*.parquet there, so no config 'sft'"),
        (["stage1", "--data", ".", "--config", "none.yaml"], "none.yaml: can't be read"),
    ],
)
def test_bad_input_is_one_line(
    tracefoundry: Command,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    arguments: list[str],
    message: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    done = tracefoundry("train", *arguments, "--model", "m", "--out", "out")
    assert (done.returncode, done.stdout) == (2, "")
    assert message in done.stderr
    assert done.stderr.count("\n") == 1
    assert not (tmp_path / "out").exists()


def test_a_folder_of_somebody_else_is_refused(tracefoundry: Command, tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("mine")
    done = tracefoundry("train", "sft", "--data", tmp_path, "--model", "m", "--out", tmp_path)
    assert done.returncode == 2
    assert "no run of ours" in done.stderr


def test_a_missing_library_is_one_line_with_the_command_to_install_it(
    tracefoundry: Command, tmp_path: Path
) -> None:
    if all(find_spec(name) for name in LIBRARIES):
        pytest.skip("everything is installed, so nothing is missing")
    done = tracefoundry(
        "train", "stage1", "--data", tmp_path, "--model", "m", "--out", tmp_path / "out"
    )
    assert done.returncode == 2
    assert "pip install 'tracefoundry[train]'" in done.stderr
    assert done.stderr.count("\n") == 1
    assert not (tmp_path / "out").exists()
