"""Prompts for GRPO: their answer keys earn full marks, they are balanced, and in order."""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from built_dataset import drawn_recipe
from hypothesis import given
from hypothesis import strategies as st

from factory.curriculum import phases_of, position_of
from factory.errors import RecipeError
from factory.load import read_rows
from factory.pipeline import build
from factory.progress import SilentProgress
from factory.question_groups import DATA_FLOW
from factory.recipe import load_recipe
from factory.recipe_records import Fields, Grid, QuestionPlan, Recipe, Shares, Source
from factory.stage1 import ORDER, balance_executed, choose_white_box, make_prompts
from factory.training_records import Curriculum, Difficulty, Stage1
from tracer.prompts import IO_MIXED, SYSTEM, describe, fill, number_lines
from trainer.rewards import stage1_reward

Row = dict[str, Any]
CODE = "def f(x):\n    y = x + 1\n    return y\n"


@pytest.fixture(scope="module")
def prompts(drawn_dataset: Path) -> list[Row]:
    return list(read_rows(drawn_dataset, "stage1"))


@pytest.fixture(scope="module")
def remade(drawn_dataset: Path) -> Callable[[Recipe], list[Row]]:
    """The prompts that another recipe makes of the same questions."""
    traces = list(read_rows(drawn_dataset, "traces"))
    questions = list(read_rows(drawn_dataset, "questions"))

    def make(recipe: Recipe) -> list[Row]:
        found: list[Row] = []
        for program in read_rows(drawn_dataset, "programs"):
            own = program["program_id"]
            made = make_prompts(
                program,
                [row for row in traces if row["program_id"] == own],
                [row for row in questions if row["program_id"] == own],
                recipe,
            )
            found.extend(made.rows)
        return found

    return make


def columns_of(rows: list[Row]) -> dict[str, list[Any]]:
    return {name: [row[name] for row in rows] for name in rows[0]}


def reply(row: Row, answers: list[str]) -> str:
    keyed = dict(zip(row["answer_ids"], answers, strict=True))
    return f"<think>one step after another</think>\n<answer>\n{json.dumps(keyed)}\n</answer>"


def spoil(key: str, kind: str) -> str:
    """An answer of the same form that is wrong."""
    if kind == "variable_state":
        return json.dumps({**json.loads(key), "value": "'spoiled'"})
    if key in ("yes", "no"):
        return "no" if key == "yes" else "yes"
    return {"next_statement": "99", "loop_count": "12345", "call_stack": "g > h"}.get(
        kind, "'spoiled'"
    )


def test_every_key_earns_full_marks(prompts: list[Row]) -> None:
    replies = [reply(row, row["keys"]) for row in prompts]
    assert stage1_reward(completions=replies, **columns_of(prompts)) == [2.0] * len(prompts)


def test_every_spoiled_key_costs_marks(prompts: list[Row]) -> None:
    """One answer at a time, of every kind."""
    rng = random.Random(0)
    rows, replies = [], []
    for row in prompts:
        for place in rng.sample(range(len(row["keys"])), min(3, len(row["keys"]))):
            answers = list(row["keys"])
            answers[place] = spoil(answers[place], row["kinds"][place])
            rows.append(row)
            replies.append(reply(row, answers))
    rewards = stage1_reward(completions=replies, **columns_of(rows))
    for row, reward in zip(rows, rewards, strict=True):
        assert reward is not None
        assert reward < 2.0, row["kinds"]
        assert reward == 0.0 if row["task"] == "oi" else reward >= 1.0


def test_a_reverse_prompt_takes_the_call_alone(prompts: list[Row]) -> None:
    rows = [row for row in prompts if row["task"] == "oi"]
    replies = [f"<answer>{row['keys'][0].removeprefix('assert ')}</answer>" for row in rows]
    assert stage1_reward(completions=replies, **columns_of(rows)) == [2.0] * len(rows)


def test_other_right_answers_are_right(tmp_path: Path) -> None:
    """A method may be named without its class."""
    code = "class C:\n    def grow(self, n):\n        n += 1\n        return n\n\n"
    code += "def f(x):\n    y = C().grow(x)\n    return y\n"
    (tmp_path / "p.jsonl").write_text(json.dumps({"code": code, "input": "3"}))
    recipe = Recipe(
        Source("jsonl", path=str(tmp_path / "p.jsonl"), fields=Fields(output=None)),
        questions=QuestionPlan(("output", "call_stack")),
    )
    build(recipe, tmp_path / "out", progress=SilentProgress())
    (row,) = read_rows(tmp_path / "out", "stage1")
    pairs = list(zip(row["keys"], row["valids"], strict=True))
    assert any(others for _, others in pairs)
    answers = [others[0] if others else key for key, others in pairs]
    assert stage1_reward(completions=[reply(row, answers)], **columns_of([row])) == [2.0]


def test_what_a_prompt_asks(prompts: list[Row], drawn_dataset: Path) -> None:
    questions = {row["question_id"]: row for row in read_rows(drawn_dataset, "questions")}
    tasks = Counter(row["task"] for row in prompts)
    assert tasks["io_mixed"] == len(list(read_rows(drawn_dataset, "traces")))
    for row in prompts:
        kinds = Counter(row["kinds"])
        if row["task"] == "oi":
            assert kinds == {"input": 1}
        else:
            assert (row["kinds"][0], kinds["output"], kinds["input"]) == ("output", 1, 0)
            assert sum(kinds[kind] for kind in ORDER) <= 5
            assert sum(kinds[kind] for kind in DATA_FLOW) <= 5
        asked = [questions[name] for name in row["question_ids"]]
        assert [each["trace_id"] for each in asked] == [row["trace_id"]] * len(asked)
        assert [each["key"] for each in asked] == row["keys"]
        assert [each["kind"] for each in asked] == row["kinds"]
        assert row["answer_ids"] == [f"q{n}" for n in range(1, len(asked) + 1)]


def test_no_prompt_is_repeated_and_none_tells_its_answer(prompts: list[Row]) -> None:
    texts = [row["prompt"][-1]["content"] for row in prompts]
    assert len(set(texts)) == len(texts)
    for row, text in zip(prompts, texts, strict=True):
        assert row["prompt"][0] == {"role": "system", "content": SYSTEM}
        assert all(f"[{name}]" in text for name in row["answer_ids"]) or row["task"] == "oi"
        if row["task"] == "oi":
            assert row["keys"][0].removeprefix("assert ") not in text
            call = row["keys"][0].removeprefix("assert ").rpartition(" == ")[0]
            assert call not in text


def test_executed_is_balanced_in_every_prompt_and_overall(prompts: list[Row]) -> None:
    total: Counter[str] = Counter()
    for row in prompts:
        said = [k for kind, k in zip(row["kinds"], row["keys"], strict=True) if kind == "executed"]
        assert abs(said.count("yes") - said.count("no")) <= 1
        total.update(said)
    assert total.total() > 20
    assert 0.3 < total["yes"] / total.total() < 0.7


def test_no_question_tells_that_a_line_was_executed(
    prompts: list[Row], drawn_dataset: Path
) -> None:
    questions = {row["question_id"]: row for row in read_rows(drawn_dataset, "questions")}
    for row in prompts:
        asked = [questions[name] for name in row["question_ids"]]
        lines = {each["line"] for each in asked if each["kind"] == "executed"}
        counted = {each["line"] for each in asked if each["occurrence"] is not None}
        assert not lines & counted


@given(st.lists(st.sampled_from(["yes", "no"]), max_size=9), st.integers())
def test_balance_keeps_one_more_at_most(keys: list[str], seed: int) -> None:
    rows = [{"key": key, "number": number} for number, key in enumerate(keys)]
    kept = balance_executed(rows, random.Random(seed))
    count = Counter(row["key"] for row in kept)
    assert abs(count["yes"] - count["no"]) <= 1
    assert min(count["yes"], count["no"]) == min(keys.count("yes"), keys.count("no"))
    assert {row["number"] for row in kept} <= set(range(len(keys)))


def test_a_told_line_gives_way_to_another_question() -> None:
    def question(number: int, kind: str, line: int, occurrence: int | None, key: str) -> Row:
        return {
            "question_id": str(number),
            "kind": kind,
            "line": line,
            "occurrence": occurrence,
            "key": key,
        }

    asked = [
        question(0, "executed", 3, None, "yes"),
        question(1, "next_statement", 3, 1, "4"),
        question(2, "variable_state", 3, 2, "{}"),
        question(3, "variable_state", 5, 1, "{}"),
    ]
    chosen = choose_white_box({"trace_id": "t"}, asked, Recipe(Source("templates")))
    assert [row["question_id"] for row in chosen] == ["0", "3"]


def test_the_texts_are_those_of_the_recipe(
    remade: Callable[[Recipe], list[Row]], prompts: list[Row]
) -> None:
    recipe = replace(
        drawn_recipe(),
        stage1=Stage1(
            tasks=("io_mixed",),
            control_flow=1,
            data_flow=0,
            alpha=0.25,
            layout="think+answer",
            system="",
            io_mixed="$entry_point costs $$$count: $program|$questions",
        ),
    )
    rows = remade(recipe)
    assert {row["task"] for row in rows} == {"io_mixed"}
    assert {(row["alpha"], row["layout"]) for row in rows} == {(0.25, "think+answer")}
    for row in rows:
        (message,) = row["prompt"]
        count = len(row["keys"])
        assert count <= 2
        source = row["source"].rstrip("\n")
        assert message["content"].startswith(f"{row['entry_point']} costs ${count}: {source}|")
    replies = [reply(row, row["keys"]) for row in rows]
    assert stage1_reward(completions=replies, **columns_of(rows)) == [2.0] * len(rows)
    contents = recipe.contents()["stage1"]
    assert contents["io_mixed"].startswith("$entry_point costs")
    assert remade(drawn_recipe()) == prompts, "the published rows follow from the others"


def test_lines_are_numbered_as_python_counts_them() -> None:
    source = "\n".join(f"x = {n}" for n in range(12)) + "\n\n"
    numbered = number_lines(source.replace("\n", "\r\n")).split("\n")
    assert numbered[0] == " 1 | x = 0"
    assert numbered[11] == "12 | x = 11"
    assert len(numbered) == 12


def test_what_questions_share_is_said_once() -> None:
    texts = {
        "q1": "What does the call `f(1)` return?\nAnswer with a literal.",
        "q2": "While `f(1)` runs, is line 2 executed?\nAnswer with yes.",
        "q3": "While `f(1)` runs, is line 3 executed?\nAnswer with yes.",
    }
    prompt = fill(IO_MIXED, describe(CODE, "f", "f(1)", texts))
    assert prompt.count("f(1)") == 1
    assert prompt.count("Answer with yes.") == 1
    assert "- q2, q3: Answer with yes." in prompt
    assert "[q1] What does the call return?" in prompt
    assert '{"q1": "...", "q2": "...", "q3": "..."}' in prompt
    assert describe(CODE, "f", "f(1)", {"q1": texts["q1"]})["questions"] == texts["q1"]


def position(number: int, recipe: Recipe, level: int | None = 1, score: float = 0.0) -> int:
    return position_of(
        f"row {number}",
        level=level,
        score=score,
        wrong=None,
        recipe=recipe,
        phases=phases_of(recipe, (1, 2, 3, 4, 5, 6)),
    ).phase


def test_warm_up_and_mix_take_their_shares() -> None:
    recipe = replace(drawn_recipe(), curriculum=Curriculum(warm_up=0.2, mix=0.3))
    easy = Counter(position(number, recipe, level=1) for number in range(4000))
    assert easy[0] / 4000 == pytest.approx(0.2, abs=0.03)
    elsewhere = sum(easy[phase] for phase in range(2, 7)) / 4000
    assert elsewhere == pytest.approx(0.8 * 0.3 * 5 / 6, abs=0.03)
    hard = Counter(position(number, recipe, level=5) for number in range(4000))
    assert hard[0] == 0
    assert hard[5] / 4000 == pytest.approx(0.7 + 0.3 / 6, abs=0.03)
    assert set(hard) == {1, 2, 3, 4, 5, 6}


def test_phases_are_levels_scores_or_passes() -> None:
    pure = Curriculum(warm_up=0.0, mix=0.0)
    by_level = replace(drawn_recipe(), curriculum=pure)
    assert [position(0, by_level, level=level) for level in (1, 4, 6)] == [1, 4, 6]
    assert phases_of(by_level, ()) == (1,)
    by_score = replace(by_level, curriculum=replace(pure, by="score", edges=(5.0, 9.0)))
    assert [position(0, by_score, score=score) for score in (1.0, 5.0, 8.9, 30.0)] == [1, 2, 2, 3]
    flat = replace(by_level, curriculum=replace(pure, by="none"))
    assert {position(n, flat, level=n % 6 + 1) for n in range(20)} == {1}
    by_passes = replace(
        by_level,
        difficulty=Difficulty(backend="transformers", model="m", n=4),
        curriculum=replace(pure, by="passes"),
    )
    phases = phases_of(by_passes, (1,))
    assert phases == (1, 2, 3, 4, 5)
    for wrong, phase in ((0, 1), (3, 4), (None, 5)):
        found = position_of("row", level=1, score=0.0, wrong=wrong, recipe=by_passes, phases=phases)
        assert found.phase == phase


def test_the_order_is_a_shuffle_that_growth_leaves_alone(prompts: list[Row]) -> None:
    places = [row["place"] for row in prompts]
    assert all(0 <= place < 1 for place in places)
    assert len(set(places)) == len(places)
    assert places != sorted(places)
    recipe = drawn_recipe()
    for row in prompts:
        again = position_of(
            row["stage1_id"],
            level=row["level"],
            score=row["score"],
            wrong=None,
            recipe=recipe,
            phases=(1, 2, 3, 4, 5, 6),
        )
        assert (again.phase, again.place) == (row["phase"], row["place"])


def write_programs(folder: Path, count: int) -> Recipe:
    records = [
        {"code": CODE.replace("1", str(number)), "input": "3", "output": str(number + 3)}
        for number in range(1, count + 1)
    ]
    (folder / "p.jsonl").write_text("\n".join(map(json.dumps, records)))
    source = Source("jsonl", path=str(folder / "p.jsonl"), fields=Fields())
    return Recipe(source, splits=Shares(1.0, 0.0, 0.0))


def test_rows_bound_the_training_prompts_and_larger_bounds_only_add(tmp_path: Path) -> None:
    recipe = write_programs(tmp_path, 8)
    found = {}
    for most in (5, 9, None):
        out = tmp_path / f"out{most}"
        bounded = replace(recipe, stage1=Stage1(rows=most))
        report = build(bounded, out, progress=SilentProgress())
        found[most] = [row["stage1_id"] for row in read_rows(out, "stage1", "train")]
        assert report.manifest["counts"]["questions"]["total"] == 8 * 5
        if most is not None:
            assert len(found[most]) == most
    assert found[9][:5] == found[5]
    assert found[None][:9] == found[9]
    from factory.audit import audit

    assert audit(tmp_path / "out5").ok


def test_programs_without_a_level_are_one_phase(tmp_path: Path) -> None:
    build(write_programs(tmp_path, 3), tmp_path / "out", progress=SilentProgress())
    assert {row["phase"] for row in read_rows(tmp_path / "out", "stage1")} <= {0, 1}


def test_cells_are_filled_to_the_number_asked_for(tmp_path: Path) -> None:
    grid = Grid(types=("int",), levels=(1, 2), methods=("bit_length", "abs"), per_cell=3)
    recipe = replace(load_recipe("tiny"), grid=grid, programs=None)
    report = build(recipe, tmp_path / "out", progress=SilentProgress())
    programs = read_rows(tmp_path / "out", "programs")
    cells = Counter((row["constraint"]["method"], row["level"]) for row in programs)
    assert report.programs == sum(cells.values())
    assert set(cells.values()) == {3}


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("stage1: {task: [oi]}", ["unknown key 'stage1.task'", "'tasks'"]),
        ("stage1: {tasks: [io]}", ["stage1.tasks", "'io_mixed'"]),
        ("stage1: {alpha: 2}", ["stage1:", "alpha must be between 0 and 1"]),
        ("stage1: {rows: 0}", ["rows must be at least 1"]),
        ("stage1: {oi: 'no placeholders'}", ["stage1:", "oi: needs $questions"]),
        ("stage1: {io_mixed: '$program $questions $answer'}", ["unknown placeholder $answer"]),
        ("curriculum: {by: size}", ["curriculum.by", "'level'"]),
        ("curriculum: {warm_up: 1.5}", ["warm_up must be between 0 and 1"]),
        ("curriculum: {edges: [3.0, 2.0]}", ["edges must rise"]),
        ("grid: {per_cell: 0}", ["per_cell must be at least 1"]),
    ],
)
def test_wrong_keys_are_named(tmp_path: Path, text: str, words: list[str]) -> None:
    path = tmp_path / "r.yaml"
    path.write_text(f"source: {{kind: templates}}\n{text}\n")
    with pytest.raises(RecipeError) as caught:
        load_recipe(path)
    for word in words:
        assert word in caught.value.message
