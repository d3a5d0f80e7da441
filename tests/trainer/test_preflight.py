"""What is checked before the first step; every mend that is proposed is accepted."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trainer.configs import SftConfig, Stage1Config
from trainer.errors import TrainingError
from trainer.preflight import (
    RESERVED,
    Layout,
    check_columns,
    check_count,
    check_padding,
    check_room,
    fitting,
    plan_batches,
    plan_grpo,
)


def mend_of(error: TrainingError) -> tuple[str, int]:
    """Key and value that a message proposes."""
    found = re.search(r"--set (\w+)=(\d+)$", error.message)
    assert found, error.message
    return found[1], int(found[2])


def test_the_paper_on_eight_devices() -> None:
    assert plan_grpo(Stage1Config(), 8) == Layout(accumulation=8, passes=16)
    assert Layout(accumulation=8, passes=16).updates == 2
    assert plan_batches(SftConfig(), 8) == Layout(accumulation=1, passes=1)


@given(
    st.integers(1, 6),
    st.integers(1, 6),
    st.integers(2, 9),
    st.integers(1, 9),
    st.integers(1, 4),
    st.integers(1, 12),
)
def test_a_plan_takes_exactly_what_the_config_says_and_mends_are_accepted(
    mini: int, times: int, generations: int, batch: int, devices: int, save: int
) -> None:
    config = Stage1Config(
        prompts_per_step=mini * times,
        mini_batch=mini,
        generations=generations,
        per_device_batch=batch,
        save_steps=save,
    )
    layout = None
    for _ in range(4):
        try:
            layout = plan_grpo(config, devices)
            break
        except TrainingError as error:
            key, value = mend_of(error)
            changes = {key: value}
            if "mini_batch" in changes:
                changes["prompts_per_step"] = config.prompts_per_step * devices
            config = replace(config, **changes)  # type: ignore[arg-type]
    assert layout is not None
    at_once = config.per_device_batch * devices
    assert layout.accumulation * at_once == config.mini_batch * generations
    assert layout.passes * at_once == config.prompts_per_step * generations
    assert config.save_steps % layout.updates == 0


@given(st.integers(1, 64), st.integers(1, 9), st.integers(1, 8))
def test_a_batch_of_conversations_is_whole(batch: int, per_device: int, devices: int) -> None:
    config = SftConfig(batch=batch, per_device_batch=per_device)
    try:
        layout = plan_batches(config, devices)
    except TrainingError as error:
        config = replace(config, batch=mend_of(error)[1])
        layout = plan_batches(config, devices)
    assert layout.accumulation * per_device * devices == config.batch


def test_save_steps_off_a_drawing_are_refused() -> None:
    with pytest.raises(TrainingError, match=r"save_steps=5 is no multiple of 2.*save_steps=4"):
        plan_grpo(Stage1Config(save_steps=5), 1)


@pytest.mark.parametrize("name", sorted(RESERVED))
def test_reserved_columns_are_refused(name: str) -> None:
    with pytest.raises(TrainingError, match=f"'{name}'"):
        check_columns(["prompt", name], ["prompt"])


def test_missing_columns_are_named() -> None:
    check_columns(["prompt", "kinds", "extra"], ["prompt", "kinds"])
    with pytest.raises(TrainingError, match="no column 'keys'; there are: kinds, prompt"):
        check_columns(["prompt", "kinds"], ["prompt", "kinds", "keys"])


@given(st.lists(st.integers(0, 50)), st.integers(0, 50))
def test_what_fits_stays_in_order(lengths: list[int], limit: int) -> None:
    kept = fitting(lengths, limit)
    assert kept == sorted(set(kept))
    assert len(kept) == sum(length <= limit for length in lengths)
    assert all(lengths[place] <= limit for place in kept)


def test_less_than_one_batch_is_refused() -> None:
    check_count(128, 128, "prompts_per_step")
    with pytest.raises(TrainingError, match="127 rows are fewer than one batch of 128"):
        check_count(127, 128, "prompts_per_step")


def test_tokens_need_positions() -> None:
    check_room(None, 10**9, "max_length")
    check_room(6144, 6144, "max_length")
    with pytest.raises(TrainingError, match="6145 tokens, but the model has 6144"):
        check_room(6144, 6145, "max_prompt + max_completion")


def test_padding_needs_a_token_of_its_own() -> None:
    check_padding("<pad>", "<end>")
    with pytest.raises(TrainingError, match="no token to pad with"):
        check_padding(None, "<end>")
    with pytest.raises(TrainingError, match="pads with its end token '<end>'"):
        check_padding("<end>", "<end>")
