"""The picture of a run's curves."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

import pytest

from trainer.plots import FILE, draw_curves

LOGS = [{"step": k, "reward": k / 9, "loss": 1.0 if k else None} for k in range(9)]


def test_what_was_logged_is_drawn(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib", reason="pictures need tracefoundry[plots]")
    line = draw_curves(tmp_path, "stage1: run", LOGS, ("reward", "loss", "none"))
    assert line == f"the curves are in {tmp_path / FILE}"
    assert (tmp_path / FILE).read_bytes().startswith(b"\x89PNG")
    assert "nothing was logged" in draw_curves(tmp_path, "x", [], ("reward",))


def test_without_matplotlib_a_line_says_what_is_missing(tmp_path: Path) -> None:
    if find_spec("matplotlib") is not None:
        pytest.skip("matplotlib is installed")
    assert "pip install 'tracefoundry[plots]'" in draw_curves(tmp_path, "x", LOGS, ("reward",))
    assert not (tmp_path / FILE).exists()
