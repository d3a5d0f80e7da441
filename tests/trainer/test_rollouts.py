"""Who draws completions: the options of vLLM, down to TRL's own arguments."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import Any

import pytest

from trainer.configs import GrpoConfig, Stage1Config, Stage2Config
from trainer.errors import TrainingError
from trainer.grpo import grpo_arguments, require_vllm
from trainer.jobs import Job
from trainer.places import Place
from trainer.preflight import plan_grpo


def job(config: GrpoConfig, out: Path) -> Job:
    stage: Any = "stage2" if isinstance(config, Stage2Config) else "stage1"
    return Job(stage, Place("d"), None, "m", out, config)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"vllm": "server"}, "vllm_url"),
        ({"vllm_url": "http://h:8000"}, "vllm_url"),
        ({"vllm": "colocate", "vllm_url": "http://h:8000"}, "vllm_url"),
        ({"vllm": "colocate", "vllm_memory": 1.5}, "vllm_memory is a share"),
    ],
)
def test_options_that_mean_nothing_are_refused(settings: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Stage1Config(**settings)


def test_copies_of_vllm_fill_the_devices() -> None:
    config = Stage1Config(vllm="colocate", vllm_tensor_parallel=4)
    assert plan_grpo(config, 8).passes == 16
    with pytest.raises(TrainingError, match="does not divide 2 devices"):
        plan_grpo(config, 2)


def test_vllm_must_be_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    require_vllm(job(Stage1Config(), tmp_path))
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    require_vllm(job(Stage1Config(), tmp_path))
    with pytest.raises(TrainingError, match=r"pip install 'tracefoundry\[vllm\]'"):
        require_vllm(job(Stage1Config(vllm="colocate"), tmp_path))


@pytest.mark.filterwarnings("default")
def test_trl_takes_the_options(tmp_path: Path) -> None:
    trl = pytest.importorskip("trl", reason="needs tracefoundry[train]")

    def made(config: GrpoConfig) -> Any:
        return trl.GRPOConfig(**grpo_arguments(job(config, tmp_path)))

    off = made(Stage1Config(precision="fp32"))
    assert (off.use_vllm, off.epsilon_high, off.shuffle_dataset) == (False, None, False)
    beside = made(
        Stage1Config(precision="fp32", vllm="colocate", vllm_memory=0.5, vllm_tensor_parallel=1)
    )
    assert (beside.use_vllm, beside.vllm_mode) == (True, "colocate")
    assert beside.vllm_gpu_memory_utilization == 0.5
    assert beside.vllm_max_model_length == 2048 + 4096
    server = made(Stage2Config(precision="fp32", vllm="server", vllm_url="http://h:8000"))
    assert (server.use_vllm, server.vllm_mode) == (True, "server")
    assert server.vllm_server_base_url == "http://h:8000"
    assert server.epsilon_high == 0.28
