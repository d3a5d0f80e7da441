"""`benchmarks/gpu.sh` at a size for a CPU; real training, where the libraries are there."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

pytestmark = [pytest.mark.slow, pytest.mark.timeout(1_800)]


def test_the_script_runs_every_stage(tmp_path: Path) -> None:
    for name in ("torch", "transformers", "trl", "peft", "accelerate"):
        pytest.importorskip(name, reason="needs tracefoundry[train]")
    python = [sys.executable, str(ROOT / "benchmarks" / "gpu.py")]
    environment = os.environ | {"PYTHONPATH": str(ROOT), "OMP_NUM_THREADS": "1"}
    data = tmp_path / "data"
    subprocess.run(
        [*python, "prepare", "--data", str(data), "--programs", "30"],
        check=True,
        env=environment,
    )
    done = subprocess.run(
        [str(ROOT / "benchmarks" / "gpu.sh"), "--size", "tiny"],
        capture_output=True,
        text=True,
        env=environment
        | {"PYTHON": sys.executable, "CARRIED": str(tmp_path), "OUT": str(tmp_path / "out")}
        | {"LIMIT": "1700"},
        check=False,
    )
    assert done.returncode == 0, done.stderr[-2_000:]
    for stage in ("sft", "stage1", "reward", "stage2"):
        assert f"{stage}: 2 steps" in done.stdout
    assert done.stdout.count("tokens drawn") == 2
    assert done.stdout.count("generate ") == 2
    assert "stage1/io: " in done.stdout
    assert "all: " in done.stdout
