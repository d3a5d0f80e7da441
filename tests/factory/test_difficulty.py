"""The score of a question, the interval of a share, and passes that a model really had."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace
from math import comb, sqrt
from pathlib import Path
from typing import Any

import planted_models
import pytest
from built_dataset import drawn_recipe
from hypothesis import given
from hypothesis import strategies as st
from planted_models import PlantedModel, fingerprint

from factory.audit import audit
from factory.difficulty.bounds import refusal
from factory.difficulty.effort import Path as Counts
from factory.difficulty.effort import nesting_of, score_of
from factory.difficulty.measuring import Asked, Measurer, prompt_of
from factory.errors import InfrastructureError, MissingExtra, RecipeError, UserError
from factory.files import file_sha256
from factory.load import read_rows
from factory.manifest import read_manifest
from factory.metrics import measure
from factory.models.backends import BACKENDS, Backend, backend_names, load_model
from factory.models.cache import CachedModel, CompletionCache, cache_file
from factory.pipeline import build
from factory.progress import SilentProgress
from factory.questions import choose_questions, kind_names
from factory.recipe import load_recipe
from factory.recipe_records import Fields, Inputs, QuestionPlan, Recipe, Source
from factory.store import write_rows
from factory.training_records import Difficulty
from tracer.interval import wilson
from tracer.judging import Judge
from tracer.records import Call, Program, Question, Trace
from tracer.runner import Runner

SOURCE = """\
def double(n):
    return n * 2

def f(xs):
    total = 0
    for x in xs:
        if x > 1:
            if x > 2:
                total += double(x)
        elif x == 1:
            total += 1
    return total
"""


@pytest.fixture(scope="module")
def runner() -> Iterator[Runner]:
    with Runner() as opened:
        yield opened


@pytest.fixture(scope="module")
def trace(runner: Runner) -> Trace:
    return runner.run(Program(SOURCE, "f"), Call("[3, 1]"))


def counts_of(trace: Trace) -> Counts:
    metrics = measure(trace.program.source)
    return Counts(trace, metrics.max_nesting, metrics.calls)


def test_effort_counts_what_comes_before_the_point(trace: Trace) -> None:
    question = next(
        each
        for each in choose_questions(trace, QuestionPlan(data_flow=None))
        if each.kind == "variable_state" and each.variable == "total" and each.line == 11
    )
    effort = counts_of(trace).effort(question)
    lines = [step.line for step in trace.steps]
    assert lines == [5, 6, 7, 8, 9, 2, 6, 7, 10, 11, 6, 12]
    assert effort.steps == 10
    assert effort.loops == 2
    assert effort.branches == 4
    assert effort.changes == 3
    assert (effort.depth, effort.nesting) == (1, 2)
    assert effort.calls == 1
    assert effort.value_size == len("7")


def test_a_question_without_a_point_is_about_the_whole_run(trace: Trace) -> None:
    output = choose_questions(trace, QuestionPlan(("output",)))[0]
    effort = counts_of(trace).effort(output)
    changes = sum(len(step.changes) for step in trace.steps)
    assert (effort.steps, effort.loops, effort.changes) == (12, 3, changes)
    assert effort.nesting == measure(SOURCE).max_nesting == 3
    assert effort.value_size == len(output.key)


def test_nesting_is_that_of_the_syntax_tree(trace: Trace) -> None:
    by_line = {each.line: nesting_of(trace.statements, each.stmt) for each in trace.statements}
    assert by_line == {1: 0, 2: 0, 4: 0, 5: 0, 6: 0, 7: 1, 8: 2, 9: 3, 10: 1, 11: 2, 12: 0}


def test_scores_grow_with_everything_that_is_counted(trace: Trace) -> None:
    counts = counts_of(trace)
    base = counts.effort(choose_questions(trace, QuestionPlan(("output",)))[0])
    for name in base.__slots__:
        more = replace(base, **{name: getattr(base, name) + 3})
        assert score_of("output", more) > score_of("output", base), name
    assert score_of("input", base) > score_of("output", base)


def test_a_call_without_steps_has_a_score() -> None:
    empty = Trace(Program("f = int", "f"), "", None, True, "", "3.11", (), (), ())  # type: ignore[arg-type]
    effort = Counts(empty, 0, 0).effort(Question("output", "", "0", ()))
    assert score_of("output", effort) == 0.25


def mean_scores(folder: Path, kinds: set[str]) -> list[float]:
    """Mean score by level, for the six levels of the paper."""
    scores: dict[int, list[float]] = defaultdict(list)
    for row in read_rows(folder, "questions"):
        if row["kind"] in kinds:
            scores[row["level"]].append(row["score"])
    return [sum(scores[level]) / len(scores[level]) for level in range(1, 7)]


KINDS = (set(kind_names()), {"output"}, {"input"}, {"variable_state"})


@pytest.mark.parametrize("kinds", KINDS)
def test_mean_scores_rise_from_straight_code_to_helpers(
    drawn_dataset: Path, kinds: set[str]
) -> None:
    """Four programs a level: neighbouring levels may still overlap."""
    means = mean_scores(drawn_dataset, kinds)
    assert max(means[:2]) < means[2] < min(means[3:])
    assert max(means[:5]) < means[5]


@pytest.mark.slow
def test_mean_scores_rise_with_every_level(tmp_path: Path) -> None:
    recipe = replace(drawn_recipe(), inputs=Inputs(0))
    build(recipe, tmp_path / "out", programs=180, workers=2, progress=SilentProgress())
    for kinds in KINDS:
        means = mean_scores(tmp_path / "out", kinds)
        assert means == sorted(means), (kinds, means)


@given(st.integers(1, 200).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_the_interval_is_wilsons(trial: tuple[int, int]) -> None:
    """Its bounds are the shares from which ``passes`` is z standard errors away."""
    passes, n = trial
    low, high = wilson(passes, n)
    assert 0 <= low <= passes / n <= high <= 1
    for bound in (low, high):
        if 0 < bound < 1:
            distance = abs(passes / n - bound) / sqrt(bound * (1 - bound) / n)
            assert distance == pytest.approx(1.959964, rel=2e-3)
    assert wilson(n - passes, n) == pytest.approx((1 - high, 1 - low))


def test_known_intervals() -> None:
    assert wilson(3, 10) == pytest.approx((0.107791, 0.603222), abs=1e-6)
    assert wilson(0, 10) == pytest.approx((0.0, 0.277533), abs=1e-6)
    assert wilson(0, 0) == (0.0, 1.0)
    with pytest.raises(ValueError, match="11 passes of 10"):
        wilson(11, 10)


def rows_of(folder: Path) -> tuple[dict[str, Any], dict[str, Any], list[Any]]:
    programs = {row["program_id"]: row for row in read_rows(folder, "programs")}
    traces = {row["trace_id"]: row for row in read_rows(folder, "traces")}
    return programs, traces, list(read_rows(folder, "questions"))


def asked_of(folder: Path) -> list[Asked]:
    programs, traces, questions = rows_of(folder)
    return [Asked(programs[q["program_id"]], traces[q["trace_id"]], q) for q in questions]


PLAN = Difficulty(backend="transformers", model="planted", kinds=kind_names())


def planted(asked: list[Asked], share: float, plan: Difficulty = PLAN) -> PlantedModel:
    keys = {fingerprint(prompt_of(each, plan)): each.question["key"] for each in asked}
    return PlantedModel(f"planted@{share}", keys, share)


@pytest.mark.parametrize("share", [0.0, 1.0])
def test_a_model_that_is_always_or_never_right(drawn_dataset: Path, share: float) -> None:
    asked = asked_of(drawn_dataset)[::12]
    assert {each.question["kind"] for each in asked} >= {"output", "input", "executed"}
    with Judge() as judge:
        rows = Measurer(PLAN, planted(asked, share), 0, judge).measure(asked)
    for row in rows:
        measured = row["difficulty"]
        assert (measured["n"], measured["passes"]) == (10, 10 * share), row["kind"]
        assert (measured["low"], measured["high"]) == wilson(int(10 * share), 10)


def test_a_model_that_is_right_in_three_of_ten(drawn_dataset: Path) -> None:
    asked = [each for each in asked_of(drawn_dataset) if each.question["kind"] != "input"][:400]
    with Judge() as judge:
        rows = Measurer(PLAN, planted(asked, 0.3), 5, judge).measure(asked)
    passes = [row["difficulty"]["passes"] for row in rows]
    mean = sum(passes) / (10 * len(passes))
    assert abs(mean - 0.3) < 4 * sqrt(0.3 * 0.7 / (10 * len(passes)))
    covered = sum(row["difficulty"]["low"] <= 0.3 <= row["difficulty"]["high"] for row in rows)
    expected = sum(
        comb(10, k) * 0.3**k * 0.7 ** (10 - k)
        for k in range(11)
        if wilson(k, 10)[0] <= 0.3 <= wilson(k, 10)[1]
    )
    assert covered / len(rows) == pytest.approx(expected, abs=0.05)
    kept = sum(refusal(row["difficulty"], PLAN) is None for row in rows)
    assert kept == sum(1 <= each <= 3 for each in passes)


def test_the_key_inside_a_longer_answer_is_no_pass(drawn_dataset: Path) -> None:
    """A truth that is only part of the answer's text counts for nothing."""
    asked = [each for each in asked_of(drawn_dataset) if each.question["kind"] == "output"][:20]
    model = planted(asked, 1.0)
    model.keys = {prompt: f"[{key}, {key}]" for prompt, key in model.keys.items()}
    with Judge() as judge:
        rows = Measurer(PLAN, model, 0, judge).measure(asked)
    assert [row["difficulty"]["passes"] for row in rows] == [0] * len(rows)
    assert all(row["difficulty"]["answers"][0].startswith("[") for row in rows)


def test_only_the_named_kinds_are_measured_and_nothing_else_is_a_pass(drawn_dataset: Path) -> None:
    assert all(row["difficulty"] is None for row in read_rows(drawn_dataset, "questions"))
    asked = asked_of(drawn_dataset)[:60]
    plan = replace(PLAN, kinds=("output",), n=2)
    model = planted([each for each in asked if each.question["kind"] == "output"], 1.0, plan)
    with Judge() as judge:
        rows = Measurer(plan, model, 0, judge).measure(asked)
    for row in rows:
        assert (row["difficulty"] is None) == (row["kind"] != "output")


def test_the_first_questions_of_each_program_are_asked(drawn_dataset: Path) -> None:
    asked = asked_of(drawn_dataset)
    plan = replace(PLAN, kinds=("output", "input"), per_program=3, n=1)
    with Judge() as judge:
        rows = Measurer(plan, planted(asked, 0.0), 0, judge).measure(asked)
    counts: dict[str, int] = defaultdict(int)
    for row in rows:
        if row["kind"] in plan.kinds:
            counts[row["program_id"]] += 1
            assert (row["difficulty"] is not None) == (counts[row["program_id"]] <= 3)
    assert min(counts.values()) > 3


def test_a_prompt_asks_one_question_and_hides_its_answer(drawn_dataset: Path) -> None:
    for each in asked_of(drawn_dataset)[:100]:
        system, user = prompt_of(each, PLAN)
        assert system["role"] == "system"
        assert each.question["text"] in user["content"]
        if each.question["kind"] == "input":
            assert each.question["key"].removeprefix("assert ") not in user["content"]


def test_a_failing_model_is_infrastructure() -> None:
    class Broken(PlantedModel):
        def complete(self, *args: Any, **options: Any) -> list[list[str]]:
            raise RuntimeError("out of memory\nmore")

    with Judge() as judge, pytest.raises(InfrastructureError, match="failed: out of memory; "):
        Measurer(PLAN, Broken("m", {}, 1.0), 0, judge).measure([])


def test_bounds_are_those_of_the_plan() -> None:
    plan = Difficulty(n=10)
    reasons = [refusal({"passes": passes}, plan) for passes in range(5)]
    assert reasons == ["unsolved", None, None, None, "too_easy"]
    open_plan = Difficulty(least_passes=None, most_passes=None)
    assert {refusal({"passes": passes}, open_plan) for passes in range(11)} == {None}
    assert refusal(None, plan) is None


PROMPTS = [[{"role": "user", "content": str(number)}] for number in range(150)]


def test_replies_are_asked_for_once(tmp_path: Path) -> None:
    keys = {fingerprint(prompt): "1" for prompt in PROMPTS}
    inner = PlantedModel("m", keys, 0.5)
    cache = CompletionCache(tmp_path / "deep" / "c.sqlite")
    how: dict[str, Any] = {"n": 3, "temperature": 1.0, "max_tokens": 9, "seed": 1}
    first = CachedModel(inner, cache).complete([*PROMPTS, PROMPTS[0]], **how)
    assert first == inner.complete([*PROMPTS, PROMPTS[0]], **how)
    asked = sum(inner.calls[:-1])
    assert asked == len(PROMPTS), "the repeated prompt is asked once"
    inner.calls.clear()
    cache.close()
    again = CachedModel(inner, CompletionCache(tmp_path / "deep" / "c.sqlite"))
    assert again.complete(PROMPTS[::-1], **how) == first[:-1][::-1]
    assert inner.calls == []
    for change in ({"n": 4}, {"temperature": 0.5}, {"max_tokens": 8}, {"seed": 2}):
        again.complete(PROMPTS[:1], **(how | change))
    other = CachedModel(PlantedModel("m2", keys, 0.5), CompletionCache(tmp_path / "c.sqlite"))
    other.complete(PROMPTS[:1], **how)
    assert inner.calls == [1] * 4
    assert other.asked == 1


def test_an_interrupted_run_keeps_the_replies_it_had(tmp_path: Path) -> None:
    class Dying(PlantedModel):
        def complete(self, prompts: Any, **options: Any) -> list[list[str]]:
            if len(self.calls) == 1:
                raise RuntimeError("killed")
            return super().complete(prompts, **options)

    keys = {fingerprint(prompt): "1" for prompt in PROMPTS}
    how: dict[str, Any] = {"n": 1, "temperature": 1.0, "max_tokens": 9, "seed": 1}
    cache = CompletionCache(tmp_path / "c.sqlite")
    with pytest.raises(RuntimeError, match="killed"):
        CachedModel(Dying("m", keys, 0.5), cache).complete(PROMPTS, **how)
    whole = PlantedModel("m", keys, 0.5)
    CachedModel(whole, cache).complete(PROMPTS, **how)
    assert 0 < sum(whole.calls) < len(PROMPTS)


def test_the_cache_is_where_the_user_says(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("TRACEFOUNDRY_CACHE", str(tmp_path / "mine"))
    assert cache_file().parent == tmp_path / "mine"
    monkeypatch.delenv("TRACEFOUNDRY_CACHE")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert cache_file().parent == tmp_path / "tracefoundry"
    (tmp_path / "file").write_text("")
    with pytest.raises(UserError, match="TRACEFOUNDRY_CACHE"):
        CompletionCache(tmp_path / "file" / "c.sqlite")


def use(monkeypatch: pytest.MonkeyPatch, model: Any) -> None:
    monkeypatch.setitem(BACKENDS, "planted", Backend("planted_models:load", None))
    monkeypatch.setattr(planted_models, "model", model)


MEASURED = Difficulty(backend="planted", model="m", n=10)


@pytest.fixture(scope="module")
def measured(
    drawn_dataset: Path, tmp_path_factory: pytest.TempPathFactory
) -> tuple[Path, int, int]:
    """A build of the first of the drawn programs, whose model is right in 30 %, and a larger one.

    With them the prompts that the model was given for each.
    """
    folder = tmp_path_factory.mktemp("measured")
    recipe = replace(drawn_recipe(), difficulty=MEASURED)
    asked = [each for each in asked_of(drawn_dataset) if each.question["kind"] in MEASURED.kinds]
    model = planted(asked, 0.3, MEASURED)
    with pytest.MonkeyPatch.context() as monkeypatch:
        monkeypatch.setenv("TRACEFOUNDRY_CACHE", str(folder / "cache"))
        use(monkeypatch, model)
        build(recipe, folder / "out", programs=5, progress=SilentProgress())
        calls = sum(model.calls)
        build(recipe, folder / "again", programs=6, progress=SilentProgress())
        again = sum(model.calls) - calls
    return folder, calls, again


def test_a_build_measures_and_filters(measured: tuple[Path, int, int], drawn_dataset: Path) -> None:
    """Right in 30 %: some prompts go as too easy, some as unsolved."""
    out, calls = measured[0] / "out", measured[1]
    questions = list(read_rows(out, "questions"))
    programs = {row["program_id"] for row in questions}
    assert {question["question_id"] for question in questions} == {
        each.question["question_id"]
        for each in asked_of(drawn_dataset)
        if each.program["program_id"] in programs
    }
    known = [question for question in questions if question["difficulty"]]
    assert {question["kind"] for question in known} == set(MEASURED.kinds)
    manifest = read_manifest(out)
    assert manifest["difficulty"]["questions"] == len(known)
    assert manifest["difficulty"]["model"] == "planted@0.3"
    assert calls == len({question["program_id"] + question["text"] for question in known})
    prompts = list(read_rows(out, "stage1"))
    assert {row["passes"] for row in prompts} <= {1, 2, 3}
    dropped = manifest["drops"]["difficulty"]
    assert dropped["too_easy"] > 0
    assert set(dropped) <= {"too_easy", "unsolved"}
    same = manifest["drops"].get("curriculum", {}).get("same_prompt", 0)
    assert len(prompts) + sum(dropped.values()) + same == len(known)


def test_a_larger_build_asks_only_for_what_is_new(measured: tuple[Path, int, int]) -> None:
    folder, calls, again = measured
    assert 0 < again < calls
    large = {row["question_id"]: row for row in read_rows(folder / "again", "questions")}
    for row in read_rows(folder / "out", "questions"):
        assert large[row["question_id"]] == row


def test_an_audit_judges_the_answers_again_without_the_model(
    measured: tuple[Path, int, int], tmp_path: Path
) -> None:
    out = Path(shutil.copytree(measured[0] / "out", tmp_path / "out"))
    report = audit(out)
    assert report.ok, report.problems[:3]
    rows = list(read_rows(out, "questions", "train"))
    target = next(row for row in rows if row["difficulty"])
    low, high = wilson(10, 10)
    target["difficulty"] = {**target["difficulty"], "passes": 10, "low": low, "high": high}
    name = "questions/train-00000.parquet"
    write_rows(out / name, "questions", rows)
    manifest = read_manifest(out)
    manifest["checksums"][name] = file_sha256(out / name)
    (out / "manifest.json").write_text(json.dumps(manifest))
    found = {(problem.config, problem.id) for problem in audit(out).problems}
    assert ("questions", target["question_id"]) in found
    assert ("manifest", "difficulty") in found


def test_without_the_libraries_an_optional_measurement_is_left_out_and_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from io import StringIO

    from rich.console import Console

    from factory.cli.reports import print_build

    monkeypatch.setitem(BACKENDS, "lacking", Backend("planted_models.no_such_part:load", "train"))
    with pytest.raises(MissingExtra, match=r"pip install 'tracefoundry\[train\]'"):
        load_model("lacking", "m")
    plan = Difficulty(backend="lacking", model="m", optional=True)
    (tmp_path / "p.jsonl").write_text('{"code": "def f(x): return x + 1", "input": "1"}')
    source = Source("jsonl", path=str(tmp_path / "p.jsonl"), fields=Fields(output=None))
    recipe = Recipe(source, difficulty=plan)
    report = build(recipe, tmp_path / "out", progress=SilentProgress())
    assert report.manifest["difficulty"] == {"status": "not_run"}
    assert {row["difficulty"] for row in read_rows(tmp_path / "out", "questions")} == {None}
    text = StringIO()
    print_build(Console(file=text, width=300), report)
    assert "difficulty: not measured, passes are null: the model backend 'lacking'" in (
        text.getvalue()
    )
    needed = replace(recipe, difficulty=replace(plan, optional=False))
    with pytest.raises(MissingExtra):
        build(needed, tmp_path / "needed", progress=SilentProgress())


def test_a_model_that_cannot_be_loaded_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    def load(name: str, revision: str | None) -> Any:
        raise OSError("no such repository\nlong help")

    monkeypatch.setattr(planted_models, "load", load)
    monkeypatch.setitem(BACKENDS, "planted", Backend("planted_models:load", None))
    with pytest.raises(UserError, match=r"difficulty\.model: 'm' cannot be loaded: no such rep"):
        load_model("planted", "m")
    with pytest.raises(UserError, match="no model backend 'gguf'"):
        load_model("gguf", "m")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("{backend: transformer, model: m}", ["difficulty.backend", "'transformers'"]),
        ("{backend: transformers}", ["a backend needs a model"]),
        ("{model: m}", ["difficulty.model", "'m'", "models (none)"]),
        ("{revision: r}", ["revision needs a backend"]),
        ("{optional: true}", ["optional needs a model"]),
        ("{kinds: [outputs]}", ["difficulty.kinds", "'output'"]),
        ("{n: 0}", ["n must be at least 1"]),
        ("{per_program: 0}", ["per_program must be at least 1"]),
        ("{least_passes: 5}", ["between 5 and 3"]),
        ("{temperature: -1.0}", ["temperature"]),
        ("{passes: 3}", ["unknown key 'difficulty.passes'"]),
        ("{prompt: '$program'}", ["prompt", "$questions"]),
        ("{prompt: '$program $question'}", ["unknown placeholder $question;", "$questions"]),
        ("{prompt: '$program $questions costs $'}", ["'$$'"]),
    ],
)
def test_wrong_keys_are_named(tmp_path: Path, text: str, words: list[str]) -> None:
    path = tmp_path / "r.yaml"
    path.write_text(f"source: {{kind: templates}}\ndifficulty: {text}\n")
    with pytest.raises(RecipeError) as caught:
        load_recipe(path)
    for word in words:
        assert word in caught.value.message


def test_a_curriculum_of_passes_needs_measured_passes(tmp_path: Path) -> None:
    path = tmp_path / "r.yaml"
    path.write_text("source: {kind: templates}\ncurriculum: {by: passes}\n")
    with pytest.raises(RecipeError, match=r"curriculum\.by: passes needs"):
        load_recipe(path)


def test_reading_a_recipe_imports_no_model_library() -> None:
    assert "transformers" in backend_names()
    code = (
        "import sys; from factory.recipe import load_recipe; load_recipe('paper'); "
        "print(*{'torch', 'transformers'} & set(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == []


def test_recipes_of_a_model_keep_it_in_the_manifest() -> None:
    recipe: Recipe = load_recipe("paper")
    contents = recipe.contents()
    assert contents["difficulty"]["model"] == "Qwen/Qwen2.5-Coder-7B-Instruct"
    assert recipe.difficulty.bounds == (1, 3)
    assert "$questions" in contents["difficulty"]["prompt"]
    assert load_recipe("paper-15k").stage1.rows == 15_000
