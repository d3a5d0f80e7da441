"""Gated GRPO on problems, and the whole chain: real training with TRL on a CPU."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from command_line import Command
from training_runs import (
    ALL_STAGES,
    GRPO,
    REWARD,
    STAGE1,
    arguments,
    digest,
    kill_after,
    logs_of,
    problem_of,
    solution_of,
    write_rows,
)

pytestmark = pytest.mark.filterwarnings("default")  # the libraries warn of themselves

WARM = (
    *ALL_STAGES,
    "batch=16",
    "per_device_batch=16",
    "max_length=200",
    "epochs=45",
    "learning_rate=5e-3",
    "log_steps=30",
)
STAGE2 = (*GRPO, "max_completion=40", "floor_prompts=2")


def words(solver: Path, stage: str, out: str, settings: tuple[str, ...]) -> list[str]:
    """Words of `tracefoundry train` on the solver's data, from the solver's model."""
    listed = arguments(solver.parent, stage, out, settings, "problems")
    listed[listed.index("--model") + 1] = str(solver)
    return listed


@pytest.fixture(scope="module")
def solver(place: Path) -> Path:
    """A model that solves a few of the problems `problems`, by its warm-up on their solutions."""
    from factory.cli import run
    from trainer.models.scratch import make_model

    rows = [solution_of(k) for k in range(8)]
    texts = [message["content"] for row in rows for message in row["messages"]]
    make_model(place / "blank", texts * 5, seed=1, vocabulary=400)
    listed = arguments(place, "sft", "solver", WARM, "problems")
    listed[listed.index("--model") + 1] = str(place / "blank")
    assert run(listed) == 0
    return place / "solver"


@pytest.fixture(scope="module")
def judge(place: Path) -> Path:
    """A reward model, trained for a moment."""
    from factory.cli import run

    assert run(arguments(place, "reward", "quick-judge", (*REWARD, "max_steps=2"))) == 0
    return place / "quick-judge"


def test_stage2_pays_reasoning_where_all_tests_pass(
    solver: Path, judge: Path, tracefoundry: Command
) -> None:
    done = tracefoundry(*words(solver, "stage2", "gated", STAGE2), "--reward-model", judge)
    assert done.returncode == 0, done.stderr
    assert "before the first step, 8 completions of 2 prompts are paid" in done.stderr
    out = solver.parent / "gated"
    drawn = [log for log in logs_of(out) if "stage2/outcome" in log]
    assert len(drawn) == 2
    for log in drawn:
        assert log["stage2/gate"] == pytest.approx(log["stage2/outcome"])
        assert log["stage2/infrastructure"] == 0
        assert 0 <= log["reward"] <= 3
    assert any(log["stage2/outcome"] > 0 for log in drawn), "the warm-up taught something"
    sql = "SELECT outcome, process, format, stage2_reward AS paid FROM completions"
    rows = json.loads(tracefoundry("query", out, sql, "--json").stdout)
    assert len(rows) == 4 * 16
    for row in rows:
        process = row["process"] if row["outcome"] == 1 else 0
        assert row["paid"] == pytest.approx(row["format"] + row["outcome"] + process)
        assert row["process"] is None or (row["outcome"] == 1 and 0 <= row["process"] <= 1)
    assert digest(out) != digest(solver)

    for more, message in (
        (("--reward-model", str(solver)), "no reward model of `tracefoundry train reward` there"),
        (("--reward-model", str(judge), "--filter", "level > 9"), "0 rows are fewer"),
    ):
        refused = tracefoundry(*words(solver, "stage2", "never", STAGE2), *more)
        assert refused.returncode == 2
        assert message in refused.stderr
        assert not (solver.parent / "never").exists()


def test_rows_that_nothing_can_judge_stop_the_run_before_it_starts(
    solver: Path, tracefoundry: Command
) -> None:
    place = solver.parent
    for name, change, message in (
        ("no-tests", {"tests": None}, "not one completion could be judged"),
        ("unknown", {"verifier": "magic"}, "no verifier 'magic'; there are: code, answer"),
    ):
        write_rows(place / name, "problems", [problem_of(k) | change for k in range(8)])
        listed = words(solver, "stage2", "never", (*STAGE2, "weight=0"))
        listed[listed.index("--data") + 1] = str(place / name)
        done = tracefoundry(*listed)
        assert done.returncode == 2
        assert message in done.stderr
        assert not (place / "never").exists()


@pytest.mark.slow
def test_stage2_killed_and_gone_on_with_gives_the_same_weights(
    solver: Path, judge: Path, tracefoundry: Command
) -> None:
    model = ("--reward-model", str(judge))
    cut = [*words(solver, "stage2", "cut-stage2", STAGE2), *model]
    kill_after(solver.parent / "cut-stage2" / "checkpoint-2", cut)
    for out in ("cut-stage2", "whole-stage2"):
        done = tracefoundry(*words(solver, "stage2", out, STAGE2), *model)
        assert done.returncode == 0, done.stderr
        assert ("going on from" in done.stderr) == (out == "cut-stage2")
    assert digest(solver.parent / "cut-stage2") == digest(solver.parent / "whole-stage2")


@pytest.mark.slow
def test_all_stages_follow_one_another_and_finished_ones_are_passed(
    place: Path, solver: Path, tracefoundry: Command
) -> None:
    import pyarrow.parquet as pq

    data, out = place / "everything", place / "chain"
    for source, config in ((place / "data", "stage1"), (place / "data", "crpl")):
        for file in (source / config).glob("*.parquet"):
            (data / config).mkdir(parents=True, exist_ok=True)
            pq.write_table(pq.read_table(file), data / config / file.name)
    write_rows(data, "sft", [solution_of(k) for k in range(8)] * 4)
    write_rows(data, "problems", [problem_of(k) for k in range(8)])
    sections = {
        "sft": (*WARM, "max_steps=30"),
        "stage1": (*STAGE1, "max_steps=2"),
        "reward": (*REWARD, "max_length=1000", "max_steps=2"),
        "stage2": (*STAGE2, "max_steps=2"),
    }
    flags = [
        word
        for stage, keys in sections.items()
        for key in (*keys, "pad_token=<|pad|>")
        for word in ("--set", f"{stage}.{key}")
    ]
    base = ["train", "all", "--data", data, "--model", place / "blank", "--out", out]
    kill_after(out / "stage1" / "checkpoint-2", [*base, *flags])
    assert (out / "sft" / "finished.json").exists()
    done = tracefoundry(*base, *flags)
    assert done.returncode == 0, done.stderr
    assert f"{out / 'sft'}: this stage is finished" in done.stderr
    for stage in sections:
        assert (out / stage / "finished.json").exists()
        assert (out / stage / "model.safetensors").exists()
    card = (out / "stage2" / "README.md").read_text()
    assert "stage1" in card

    few = [
        w
        for k in range(0, len(flags), 2)
        if not flags[k + 1].startswith("reward.")
        for w in flags[k : k + 2]
    ]
    again = tracefoundry(*base, *few, "--recipe", "outcome_only")
    assert again.returncode == 0, again.stderr
    assert again.stderr.count("this stage is finished") == 2
    table = json.loads(tracefoundry("ablations", out, "--json").stdout)
    assert [line["recipe"] for line in table] == ["full", "white_box", "outcome_only"]
    assert table[0]["pairs"] is not None
    assert table[2]["II process"] is None
