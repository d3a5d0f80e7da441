"""Which kinds a recipe asks, how many of each, and that an audit makes all of them again."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from built_dataset import INPUTS, PROGRAMS

from factory.audit import audit
from factory.load import find_shards, read_file
from factory.pipeline import build
from factory.progress import SilentProgress
from factory.question_groups import CONTROL_FLOW, DATA_FLOW
from factory.questions import choose_questions, kind_names
from factory.recipe import load_recipe
from factory.recipe_records import DEFAULT_KINDS, QuestionPlan
from tracer.records import Call, Program, Trace
from tracer.runner import Runner

SEARCH = """\
def first(xs, wanted):
    for place, x in enumerate(xs):
        if x == wanted:
            return place
    raise LookupError(wanted)

def f(xs, wanted):
    seen = xs
    copy = xs[:]
    while wanted not in seen:
        try:
            first(copy, wanted)
        except LookupError:
            seen.append(wanted)
        if first(seen, wanted) > 9:
            seen = None
    return len(copy), seen
"""


@pytest.fixture(scope="module")
def trace() -> Iterator[Trace]:
    with Runner() as runner:
        yield runner.run(Program(SEARCH, "f"), Call("[4, 5, 6], 7"))


def test_a_recipe_that_names_no_kinds_takes_those_of_the_paper(tmp_path: Path) -> None:
    (tmp_path / "r.yaml").write_text("source: {kind: templates}\n")
    assert load_recipe(tmp_path / "r.yaml").questions.kinds == DEFAULT_KINDS
    assert kind_names()[: len(DEFAULT_KINDS)] == DEFAULT_KINDS


@pytest.mark.parametrize("name", ["demo", "small", "tiny"])
def test_packaged_recipes_ask_every_kind(name: str) -> None:
    assert load_recipe(name).questions.kinds == kind_names()


def test_a_recipe_may_name_any_kind(tmp_path: Path) -> None:
    (tmp_path / "r.yaml").write_text(
        "source: {kind: templates}\nquestions: {kinds: [loop_count, alias]}\n"
    )
    recipe = load_recipe(tmp_path / "r.yaml")
    assert recipe.questions.kinds == ("loop_count", "alias")
    assert recipe.hash != load_recipe("tiny").hash


def test_every_kind_is_bounded_or_asked_at_most_five_times() -> None:
    assert CONTROL_FLOW | DATA_FLOW < set(kind_names())
    assert set(kind_names()) - CONTROL_FLOW - DATA_FLOW == {"output", "input", "exception"}


@pytest.mark.parametrize("most", [0, 1, 5, 8])
def test_kinds_of_a_group_take_turns(trace: Trace, most: int) -> None:
    plan = QuestionPlan(kind_names(), control_flow=most, data_flow=most)
    counts = Counter(question.kind for question in choose_questions(trace, plan))
    for group in (CONTROL_FLOW, DATA_FLOW):
        of_group = {kind: counts[kind] for kind in group}
        assert sum(of_group.values()) <= most
        if most >= len(group):
            assert all(of_group.values())
    assert counts["output"] == counts["input"] == 1
    assert counts["exception"] == 2  # one returns, one does not


def test_all_kinds_are_kept_without_bounds(trace: Trace) -> None:
    plan = QuestionPlan(kind_names(), control_flow=None, data_flow=None)
    questions = choose_questions(trace, plan)
    assert {question.kind for question in questions} == set(kind_names())
    kinds = [kind_names().index(question.kind) for question in questions]
    assert kinds == sorted(kinds)
    lines = [question.line for question in questions if question.kind == "executed"]
    assert lines == sorted(lines, key=lambda line: line or 0)


def test_an_audit_makes_every_kind_again(tmp_path: Path) -> None:
    rows = [
        {"code": (PROGRAMS / f"{name}.py").read_text(), "inputs": inputs, "entry": entry}
        for name, (entry, inputs) in INPUTS.items()
        if name != "endless"
    ]
    rows.append({"code": SEARCH, "inputs": ["[4, 5, 6], 7", "[], 1"], "entry": "f"})
    lines = "".join(json.dumps(row) + "\n" for row in rows)
    (tmp_path / "programs.jsonl").write_text(lines)
    (tmp_path / "recipe.yaml").write_text(
        "source: {kind: jsonl, path: programs.jsonl, "
        "fields: {code: code, input: inputs, output: null, entry_point: entry}}\n"
        f"questions: {{kinds: [{', '.join(kind_names())}], control_flow: 8}}\n"
    )
    data = tmp_path / "data"
    build(load_recipe(tmp_path / "recipe.yaml"), data, workers=1, progress=SilentProgress())
    report = audit(data)
    assert report.ok, report.problems
    found = [
        row
        for shard in find_shards(data)
        for row in read_file(data / shard.path("questions"), "questions").to_pylist()
    ]
    assert len(found) == report.questions
    assert {row["kind"] for row in found} == set(kind_names())
