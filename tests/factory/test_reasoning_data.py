"""The configs `sft` and `crpl`: what is published of rationales, checked from the files alone."""

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

from factory.cli.reports import warn_of_shortcuts
from factory.crpl import make_preferences
from factory.load import question_of, read_rows, trace_of
from factory.manifest import read_manifest
from factory.reasoning.checking import check
from factory.reasoning.claims import Claim, read, write
from factory.reasoning.injuries import BY_NAME
from factory.reasoning.lengths import count_tokens
from factory.reasoning.plans.checking import check_plan
from factory.reasoning.plans.injuries import BY_NAME as PLAN_INJURY
from factory.reasoning.plans.outline import plan_of
from factory.reasoning.shortcuts import MAX_PAIRS, MIN_PAIRS, Sample
from factory.reasoning.telling import Story, story_of, with_answer
from factory.recipe_records import Recipe
from factory.sft import (
    TASKS,
    WHITE_BOX,
    ToldRun,
    make_conversations,
    story_to_tell,
    told_runs,
)
from factory.training_records import Preferences, Reasoning
from tracer.judging import Judge, submissions_of
from tracer.records import Program, Trace

Row = dict[str, Any]


@pytest.fixture(scope="module")
def programs(drawn_dataset: Path) -> dict[str, Row]:
    return {row["program_id"]: row for row in read_rows(drawn_dataset, "programs")}


@pytest.fixture(scope="module")
def questions(drawn_dataset: Path) -> dict[str, Row]:
    return {row["question_id"]: row for row in read_rows(drawn_dataset, "questions")}


@pytest.fixture(scope="module")
def stories(drawn_dataset: Path, programs: dict[str, Row]) -> dict[str, Story]:
    """The runs that can be told, by the ids of their traces, read back from the files."""
    found = {}
    for row in read_rows(drawn_dataset, "traces"):
        story = story_of(trace_of(row, programs[row["program_id"]]))
        if story is not None:
            found[row["trace_id"]] = story
    return found


@pytest.fixture(scope="module")
def conversations(drawn_dataset: Path) -> list[Row]:
    return list(read_rows(drawn_dataset, "sft"))


@pytest.fixture(scope="module")
def pairs(drawn_dataset: Path) -> list[Row]:
    """Those about runs."""
    rows = read_rows(drawn_dataset, "crpl")
    return [row for row in rows if row["task"] == "execution"]


@pytest.fixture(scope="module")
def plan_pairs(drawn_dataset: Path) -> list[Row]:
    """Those of reasoning that precedes code."""
    rows = read_rows(drawn_dataset, "crpl")
    return [row for row in rows if row["task"] == "generation"]


@pytest.fixture(scope="module")
def runs(
    drawn_dataset: Path, programs: dict[str, Row], questions: dict[str, Row]
) -> list[tuple[Row, tuple[ToldRun, ...]]]:
    """Each program with its runs."""
    traces: dict[str, list[Row]] = {own_id: [] for own_id in programs}
    for row in read_rows(drawn_dataset, "traces"):
        traces[row["program_id"]].append(row)
    found = []
    for own_id, program in programs.items():
        ids = [row["trace_id"] for row in traces[own_id]]
        asked = [row for row in questions.values() if row["program_id"] == own_id]
        found.append(
            (program, told_runs([trace_of(row, program) for row in traces[own_id]], ids, asked))
        )
    return found


def thought(messages: list[dict[str, str]]) -> str:
    text = messages[-1]["content"]
    assert text.startswith("<think>\n")
    return text.removeprefix("<think>\n").partition("\n</think>")[0]


def words_of(*texts: str) -> str:
    return " ".join(texts).lower()


# Conversations.


def test_there_are_conversations_of_both_tasks(conversations: list[Row]) -> None:
    counts = Counter(row["task"] for row in conversations)
    assert set(counts) == set(TASKS)
    assert max(counts.values()) - min(counts.values()) < len(conversations) / 4
    assert len({row["sft_id"] for row in conversations}) == len(conversations)
    assert len({row["detail"] for row in conversations}) > 2


def test_every_answer_is_judged_right(
    conversations: list[Row], questions: dict[str, Row], programs: dict[str, Row]
) -> None:
    with Judge() as judge:
        for row in conversations:
            program = programs[row["program_id"]]
            (submission,) = submissions_of(
                row["messages"][-1]["content"],
                {"q1": question_of(questions[row["question_id"]])},
                Program(program["source"], program["entry_point"]),
                "think+answer",
            )
            (verdict,) = judge.judge([submission])
            assert verdict.status == "correct", row["sft_id"]


def test_every_claim_holds(
    conversations: list[Row], stories: dict[str, Story], questions: dict[str, Row]
) -> None:
    for row in conversations:
        question = questions[row["question_id"]]
        story = story_to_tell(stories[row["trace_id"]], row["task"], question)
        assert story is not None
        text = thought(row["messages"])
        report = check(text, story)
        assert report.findings == ()
        assert report.claims == row["claims"] == len(text.splitlines())
        assert row["verified"] == "trace"


def test_a_rationale_about_inputs_ends_with_the_value_that_was_asked_for(
    conversations: list[Row], stories: dict[str, Story], questions: dict[str, Row]
) -> None:
    for row in conversations:
        claims = read(thought(row["messages"]))
        question = questions[row["question_id"]]
        first, last = claims[0], claims[-1]
        if row["task"] == WHITE_BOX:
            assert isinstance(last, Claim)
            key = question["key"]
            if question["kind"] == "variable_state":
                state = json.loads(key)
                key = f"{state['value']}; {state['type']}"
            assert (last.kind, last.value) == ("answer", key)
            last = claims[-2]
        assert isinstance(first, Claim)
        assert isinstance(last, Claim)
        story = stories[row["trace_id"]]
        assert first.call == last.call == story.call
        assert last.value == story.trace.outcome.value
        prompt = row["messages"][-2]["content"]
        if row["task"] == WHITE_BOX:
            assert (first.kind, last.kind) == ("start", "result")
        elif row["task"] == "input":
            assert (first.kind, last.kind) == ("try", "found")
            assert f"returns `{last.value}`" in questions[row["question_id"]]["text"]
            assert story.call not in prompt
        else:
            assert (first.kind, last.kind) == ("start", "result")
            assert questions[row["question_id"]]["key"] == last.value
        assert questions[row["question_id"]]["text"] in prompt


def test_the_checker_tells_a_tried_call_from_a_given_one(stories: dict[str, Story]) -> None:
    story = next(iter(stories.values()))
    call, value = story.call, story.trace.outcome.value
    text = f"So `{call}` returns `{value}`, which is the value that was asked for."
    assert any(f.name == "irrelevant" for f in check(text, story).injuries)
    sought = replace(story, sought=True)
    assert not any(f.name == "irrelevant" for f in check(text, sought).injuries)
    other = text.replace(f"returns `{value}`", "returns `'nothing of the kind'`")
    assert any(f.name == "wrong" for f in check(other, sought).injuries)


def test_a_wrong_or_missing_answer_to_a_question_about_a_step_is_found(
    conversations: list[Row], stories: dict[str, Story], questions: dict[str, Row]
) -> None:
    rows = [row for row in conversations if row["task"] == WHITE_BOX]
    assert rows
    for row in rows[:10]:
        question = questions[row["question_id"]]
        story = story_to_tell(stories[row["trace_id"]], WHITE_BOX, question)
        assert story is not None
        *run, answer = thought(row["messages"]).splitlines()
        missing = check("\n".join(run), story).injuries
        assert [(f.dimension, f.name) for f in missing] == [("rigor", "skipped")]
        other = write(Claim("answer", value="another"))
        assert other != answer
        wrong = check("\n".join([*run, other]), story).injuries
        assert [(f.dimension, f.name) for f in wrong] == [("factual", "wrong")]
    assert with_answer(stories[rows[0]["trace_id"]], "two\nlines") is None


@pytest.mark.parametrize("most", [0, 1, 3, 50])
def test_no_program_has_more_rows_than_asked_for(
    runs: list[tuple[Row, tuple[ToldRun, ...]]], most: int
) -> None:
    recipe = replace(drawn_recipe(), sft=Reasoning(most), crpl=Preferences(most))
    for program, own in runs:
        rows = make_conversations(program, own, recipe)
        assert len(rows) <= min(most, 3 * len(own))
        prompts = [row["messages"][-2]["content"] for row in rows if row["task"] != WHITE_BOX]
        assert len(set(prompts)) == len(prompts)
        preferences = make_preferences(program, own, recipe)
        assert len(preferences) <= most
        assert len({row["crpl_id"] for row in preferences}) == len(preferences)


def test_the_words_of_the_prompts_are_the_recipes(
    runs: list[tuple[Row, tuple[ToldRun, ...]]],
) -> None:
    plan = Reasoning(system="", prompt="Here: $numbered Now: $questions")
    recipe = replace(drawn_recipe(), sft=plan, crpl=Preferences(system="", prompt=plan.prompt))
    program, own = next((program, own) for program, own in runs if own)
    for row in make_conversations(program, own, recipe):
        assert [message["role"] for message in row["messages"]] == ["user", "assistant"]
        assert row["messages"][0]["content"].startswith("Here: ")
    for row in make_preferences(program, own, recipe):
        assert row["prompt"][0]["content"].startswith("Here: ")


def test_what_follows_from_the_files_is_what_was_published(
    runs: list[tuple[Row, tuple[ToldRun, ...]]], conversations: list[Row], pairs: list[Row]
) -> None:
    recipe = drawn_recipe()
    made = [make_conversations(program, own, recipe) for program, own in runs]
    assert [row for rows in made for row in rows] == conversations
    made = [make_preferences(program, own, recipe) for program, own in runs]
    assert [row for rows in made for row in rows] == pairs


# Pairs.


def test_the_better_side_is_right_and_the_worse_one_is_what_the_row_says(
    pairs: list[Row], stories: dict[str, Story]
) -> None:
    assert {row["pair_kind"] for row in pairs} == {"strong", "optimised", "degraded"}
    assert {row["dimension"] for row in pairs} == {"factual", "rigor", "coherence"}
    for row in pairs:
        story = stories[row["trace_id"]]
        better, worse = thought(row["chosen"]), thought(row["rejected"])
        good, bad = check(better, story), check(worse, story)
        assert good.injuries == ()
        assert good.weaknesses(row["dimension"]) == ()
        assert row["claims"] == good.claims + bad.claims
        assert (row["chosen_chars"], row["rejected_chars"]) == (len(better), len(worse))
        found = [(finding.dimension, finding.name) for finding in bad.injuries]
        if row["pair_kind"] == "optimised":
            assert (found, row["injury"]) == ([], None)
        else:
            assert found == [(row["dimension"], BY_NAME[row["injury"]].finds)]
        if row["pair_kind"] == "degraded":
            assert row["weakness"] is None
        else:
            assert bad.weaknesses(row["dimension"])
        assert (row["task"], row["generator"]) == ("execution", "grounded")


def test_nothing_in_a_pair_names_what_is_wrong(pairs: list[Row], questions: dict[str, Row]) -> None:
    for row in pairs:
        text = words_of(thought(row["chosen"]), thought(row["rejected"]))
        for word in ("factual", "rigor", "coheren", "injur"):
            assert word not in text
        prompt = row["prompt"][-1]["content"]
        assert questions[row["question_id"]]["text"] in prompt
        assert thought(row["chosen"]) not in prompt


def test_pairs_that_undo_each_other_are_both_there(pairs: list[Row]) -> None:
    """Twins have the same kind and dimension; a pair without a twin changes no length."""
    groups: dict[tuple[str, str, str], list[Row]] = {}
    for row in pairs:
        key = (row["program_id"], row["pair_kind"], row["dimension"])
        groups.setdefault(key, []).append(row)
    for rows in groups.values():
        if len(rows) == 1:
            assert rows[0]["injury"] is None
            assert rows[0]["weakness"] in ("misplaced", "late_reason", "late_end")


def test_pairs_that_precede_code_are_what_they_say(
    drawn_dataset: Path, programs: dict[str, Row], plan_pairs: list[Row]
) -> None:
    traces: dict[str, list[Trace]] = {}
    for row in read_rows(drawn_dataset, "traces"):
        program = programs[row["program_id"]]
        traces.setdefault(row["program_id"], []).append(trace_of(row, program))
    prompts = {row["program_id"]: row["prompt"] for row in read_rows(drawn_dataset, "problems")}
    assert len(plan_pairs) > 20
    for row in plan_pairs:
        program = programs[row["program_id"]]
        prompt = prompts[row["program_id"]]
        shown = [
            trace
            for trace in traces[row["program_id"]]
            if f"`{program['entry_point']}({trace.args})`" in prompt[-1]["content"]
        ]
        plan = plan_of(program["source"], program["entry_point"], shown)
        assert plan is not None
        better, worse = thought(row["chosen"]), thought(row["rejected"])
        good, bad = check_plan(better, plan), check_plan(worse, plan)
        assert good.injuries == ()
        assert good.weaknesses(row["dimension"]) == ()
        found = {(finding.dimension, finding.name) for finding in bad.injuries}
        if row["injury"] is None:
            assert found == set()
        else:
            assert found == {(row["dimension"], PLAN_INJURY[row["injury"]].finds)}
        assert row["prompt"] == prompt
        assert (row["question_id"], row["generator"]) == (None, "grounded")
        assert row["chosen_tokens"] == count_tokens(better)
        for word in ("factual", "rigor", "coheren", "injur"):
            assert word not in words_of(better, worse)


# Shortcuts.


def sample(given: Callable[[int], tuple[str, str]], number: int) -> Sample:
    found = Sample()
    for place in range(number):
        chosen, rejected = given(place)
        found.add(
            {
                "task": "execution",
                "dimension": "rigor",
                "pair_kind": "strong",
                "split": "test" if place % 2 else "train",
                "chosen": [{"role": "assistant", "content": chosen}],
                "rejected": [{"role": "assistant", "content": rejected}],
            }
        )
    return found


def test_a_shortcut_is_measured_and_said_aloud(capsys: pytest.CaptureFixture[str]) -> None:
    told = sample(lambda place: (f"a b {place % 9}", f"a b c {place % 9}"), 4 * MIN_PAIRS).report()
    assert told["groups"] == [
        {
            "group": "execution/rigor/strong",
            "held_out_pairs": 2 * MIN_PAIRS,
            "length": 1.0,
            "words": 1.0,
        }
    ]
    warn_of_shortcuts({"shortcuts": told})
    said = capsys.readouterr().err
    assert (
        "SHORTCUT: of 40 held-out pairs execution/rigor/strong 100.0% give the better side away"
        in said
    )
    assert said.count("SHORTCUT") == 2


def test_pairs_that_are_alike_are_no_shortcut(capsys: pytest.CaptureFixture[str]) -> None:
    rng = random.Random(5)
    told = sample(lambda _: (f"a {rng.randrange(9)}", f"a {rng.randrange(9)}"), 900).report()
    warn_of_shortcuts({"shortcuts": told})
    assert capsys.readouterr().err == ""


def test_the_memory_of_the_classifiers_is_bounded() -> None:
    found = sample(lambda place: (f"{place} a", f"{place} b"), 2 * MAX_PAIRS + 90)
    (group,) = found.report()["groups"]
    assert group["held_out_pairs"] == MAX_PAIRS


def test_the_manifest_has_the_shortcuts(
    drawn_dataset: Path, pairs: list[Row], plan_pairs: list[Row]
) -> None:
    every = [*pairs, *plan_pairs]
    told = read_manifest(drawn_dataset)["shortcuts"]
    assert told["status"] == "measured"
    assert {g["group"] for g in told["groups"]} == {
        f"{row['task']}/{row['dimension']}/{row['pair_kind']}" for row in every
    }
    held_out = sum(row["split"] != "train" for row in every)
    assert sum(group["held_out_pairs"] for group in told["groups"]) == held_out


def test_without_pairs_nothing_is_measured() -> None:
    assert Sample().report() == {"status": "not_run"}


def test_a_recipe_may_want_none(runs: list[tuple[Row, tuple[ToldRun, ...]]]) -> None:
    with pytest.raises(ValueError, match="per_program must be at least 0"):
        Reasoning(-1)
    with pytest.raises(ValueError, match=r"needs \$questions"):
        Reasoning(prompt="$numbered")
    recipe: Recipe = replace(drawn_recipe(), sft=Reasoning(0), crpl=Preferences(0))
    assert all(
        not make_conversations(program, own, recipe) + make_preferences(program, own, recipe)
        for program, own in runs
    )
