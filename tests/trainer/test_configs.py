"""Configs of the stages: the papers' numbers, where keys come from, and what is refused."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from trainer.configs import CONFIGS, SftConfig, Stage, Stage1Config, describe
from trainer.errors import TrainingError
from trainer.settings import load_config


def test_what_is_not_set_is_the_number_of_the_paper() -> None:
    sft = load_config("sft", None, [])
    assert isinstance(sft, SftConfig)
    assert (sft.learning_rate, sft.epochs, sft.schedule, sft.warmup) == (1e-5, 2, "cosine", 0.1)
    assert (sft.batch, sft.max_length, sft.precision) == (16, 4096, "bf16")
    stage1 = load_config("stage1", None, [])
    assert isinstance(stage1, Stage1Config)
    assert (stage1.learning_rate, stage1.schedule, stage1.epochs) == (1e-6, "constant", 4)
    assert (stage1.prompts_per_step, stage1.mini_batch, stage1.generations) == (128, 64, 8)
    assert (stage1.max_prompt, stage1.max_completion) == (2048, 4096)
    assert (stage1.beta, stage1.temperature) == (0.0, 1.0)
    assert (stage1.epsilon, stage1.epsilon_high) == (0.2, None)


def test_settings_win_over_the_file_and_the_file_over_the_paper(tmp_path: Path) -> None:
    file = tmp_path / "stage1.yaml"
    file.write_text("learning_rate: 3e-4\nepochs: 2\nreport_to: [tensorboard]\n")
    found = load_config("stage1", file, ["epochs=7", "epsilon_high=0.28", "max_steps=null"])
    assert found == Stage1Config(
        learning_rate=3e-4, epochs=7, epsilon_high=0.28, report_to=("tensorboard",)
    )


@given(st.sampled_from(sorted(CONFIGS)), st.data())
def test_a_saved_config_is_read_as_itself(stage: Stage, data: st.DataObject) -> None:
    numbers = st.floats(1e-9, 100, allow_nan=False)
    kind = CONFIGS[stage]
    config = kind(
        **{
            "learning_rate": data.draw(numbers),
            "epochs": data.draw(numbers),
            "lora_rank": data.draw(st.integers(0, 64)),
            "report_to": tuple(data.draw(st.lists(st.text("abc", min_size=1)))),
            "pad_token": data.draw(st.none() | st.text("<|pad>", min_size=1)),
            "max_steps": data.draw(st.none() | st.integers(1, 100)),
        }  # type: ignore[arg-type]
    )
    text = yaml.safe_dump(describe(config))
    settings = [f"{key}={yaml.safe_dump(value)}" for key, value in yaml.safe_load(text).items()]
    assert load_config(stage, None, settings) == config


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        (["learning_rat=1"], "did you mean 'learning_rate'"),
        (["zzz=1"], "no key 'zzz'; there are: learning_rate"),
        (["learning_rate"], "write key=value"),
        (["learning_rate=[1"], "is no YAML"),
        (["learning_rate=fast"], "learning_rate: Input should be a valid number"),
        (["learning_rate=0"], "learning_rate can't be 0"),
        (["learning_rate=.nan"], "learning_rate can't be nan"),
        (["epochs=-1"], "epochs can't be -1"),
        (["per_device_batch=1.5"], "per_device_batch"),
        (["precision=fp8"], "precision: Input should be 'bf16' or 'fp32'"),
        (["warmup=1"], "warmup is a share"),
        (["generations=1"], "at least 2"),
        (["mini_batch=48"], "no multiple of mini_batch"),
    ],
)
def test_a_bad_setting_is_one_line(settings: list[str], message: str) -> None:
    with pytest.raises(TrainingError) as caught:
        load_config("stage1", None, settings)
    assert message in caught.value.message
    assert "\n" not in caught.value.message


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("a: [", "can't be read as YAML"),
        ("[1, 2]", "not keys and values"),
        ("epoch: 1", "did you mean 'epochs'"),
        ("1: 2", "no key '1'"),
    ],
)
def test_a_bad_file_is_one_line(tmp_path: Path, content: str, message: str) -> None:
    file = tmp_path / "config.yaml"
    file.write_text(content)
    with pytest.raises(TrainingError, match=message) as caught:
        load_config("sft", file, [])
    assert str(file) in caught.value.message
    with pytest.raises(TrainingError, match="No such file"):
        load_config("sft", tmp_path / "none.yaml", [])


def test_an_empty_file_changes_nothing(tmp_path: Path) -> None:
    (tmp_path / "c.yaml").write_text("# nothing\n")
    assert load_config("sft", tmp_path / "c.yaml", []) == SftConfig()


@pytest.mark.parametrize("kind", CONFIGS.values())
def test_configs_cannot_be_changed(kind: Any) -> None:
    with pytest.raises((AttributeError, TypeError)):
        kind().epochs = 9
