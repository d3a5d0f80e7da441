"""What the demo's model learns from: every lesson is right, what is held out is new."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest

from factory.practice import (
    SPLITS,
    answer,
    build_practice,
    solve,
    write_lessons,
    write_problem,
    write_program,
)
from factory.progress import SilentProgress
from trainer.evaluation.benchmarks import load_benchmark
from trainer.evaluation.rows import read_rows
from trainer.evaluation.verdicts import Examiner, Reply


@pytest.fixture(scope="module")
def lessons(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("practice")
    dataset = build_practice(folder, programs=24, workers=1, progress=SilentProgress())
    return write_lessons(dataset, folder / "lessons")


def rows(lessons: Path, config: str, split: str) -> list[dict[str, Any]]:
    return list(read_rows(str(lessons / config / f"{split}-00000.parquet"), None, split))


def test_programs_have_six_lines_and_one_decision() -> None:
    source = write_program(random.Random(3))
    assert source.count("\n") == 6
    assert source.count("if a") == 1
    compile(source, "program", "exec")


def test_every_lesson_is_right(lessons: Path) -> None:
    asked = rows(lessons, "stage1", "train")
    coded = rows(lessons, "problems", "train")[:40]
    tasks = [*load_benchmark("questions", asked).tasks, *load_benchmark("problems", coded).tasks]
    replies = [*map(answer, asked), *map(solve, coded)]
    assert len(tasks) == len(replies) > 60
    with Examiner() as examiner:
        judged = examiner.judge(
            [Reply(*pair) for pair in zip(tasks, replies, strict=True)], lambda done, total: None
        )
    assert {v.status for each in judged for v in each.verdicts} == {"correct"}
    chats = rows(lessons, "sft", "train")
    assert {chat["messages"][-1]["role"] for chat in chats} == {"assistant"}


def test_problems_are_asked_that_the_warm_up_does_not_show(lessons: Path) -> None:
    prompts = [chat["messages"][-2]["content"] for chat in rows(lessons, "sft", "train")]
    shown = {prompt for prompt in prompts if prompt.startswith("def f(") and "\n" not in prompt}
    asked, held_out = (
        {row["prompt"][0]["content"] for row in rows(lessons, "problems", split)}
        for split in ("train", "test")
    )
    assert 100 < len(shown) < len(asked - shown)
    assert not held_out & (shown | asked)


def test_prompts_are_short_and_still_ask(lessons: Path) -> None:
    for split in SPLITS:
        for row in rows(lessons, "stage1", split):
            text = row["prompt"][-1]["content"]
            assert "[q1]" in text
            assert "How to answer" not in text
            assert len(text) < 900


def test_what_is_held_out_is_new(lessons: Path) -> None:
    families = {
        split: {row["family_id"] for row in rows(lessons, "stage1", split)} for split in SPLITS
    }
    assert not families["train"] & families["test"]
    shapes: dict[str, set[str]] = {"train": set(), "test": set()}
    for number in range(300):
        problem = write_problem(random.Random(number), number)
        text = problem["prompt"][0]["content"]
        shapes[problem["split"]].add("".join("1" if c.isdigit() else c for c in text))
    assert not shapes["train"] & shapes["test"]
    assert len(shapes["test"]) > 5


def test_the_same_lessons_every_time(lessons: Path, tmp_path: Path) -> None:
    again = write_lessons(lessons.parent / "dataset", tmp_path)
    for file in lessons.rglob("*.parquet"):
        assert (again / file.relative_to(lessons)).read_bytes() == file.read_bytes()
    assert json.loads(rows(lessons, "problems", "test")[0]["tests"])["test_list"]
