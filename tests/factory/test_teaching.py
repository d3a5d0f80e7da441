"""Reasoning that models write: what a teacher and a rewriter may add, and what is refused."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import planted_models
import pytest
from built_dataset import drawn_recipe
from planted_reasoning import Rewriting

from factory.load import read_rows, trace_of
from factory.models.backends import BACKENDS, Backend
from factory.models.base import Prompt, Sampling
from factory.reasoning.checking import check
from factory.reasoning.plans.injuries import BY_NAME as PLAN_INJURY
from factory.reasoning.plans.sentences import read_plan
from factory.reasoning.plans.telling import plan_text, tell_plan
from factory.reasoning.telling import story_of, tell, text_of
from factory.recipe_records import Recipe
from factory.rows import ExampleRows
from factory.teaching.asking import Asker, plan_of_problem, reasoning_of
from factory.teaching.conversations import Teacher, recheck
from factory.teaching.forms import plan_forms, sentence_forms
from factory.teaching.rewriting import Rewriter, judge_sides, recheck_pair
from factory.training_records import Preferences, RewriterPlan, TeacherPlan
from tracer.judging import Judge

Row = dict[str, Any]


class Scripted:
    """A model that answers each prompt by a function, and remembers the prompts."""

    name = "scripted"

    def __init__(self, answer: Callable[[str], str]) -> None:
        self.answer = answer
        self.prompts: list[str] = []

    def complete(
        self, prompts: Sequence[Prompt], *, n: int, temperature: float, max_tokens: int, seed: int
    ) -> list[list[str]]:
        texts = [prompt[-1]["content"] for prompt in prompts]
        self.prompts += texts
        return [[self.answer(text)] * n for text in texts]


@pytest.fixture(scope="module")
def programs(drawn_dataset: Path) -> list[ExampleRows]:
    """Programs with a run that can be told, and no rows of reasoning."""
    traces: dict[str, list[Row]] = {}
    for row in read_rows(drawn_dataset, "traces"):
        traces.setdefault(row["program_id"], []).append(row)
    questions: dict[str, list[Row]] = {}
    for row in read_rows(drawn_dataset, "questions"):
        questions.setdefault(row["program_id"], []).append(row)
    found = []
    for program in read_rows(drawn_dataset, "programs"):
        own = traces[program["program_id"]]
        if story_of(trace_of(own[0], program)) is not None:
            asked = questions[program["program_id"]]
            found.append(ExampleRows(program, tuple(own), tuple(asked)))
    return found[:8]


def asker(answer: Callable[[str], str]) -> Asker:
    return Asker(Scripted(answer), None, Sampling(1.0, 100, 7))


def keys(programs: Sequence[ExampleRows]) -> dict[str, str]:
    """Answer keys of the questions about outputs and inputs, by their text."""
    return {q["text"]: q["key"] for rows in programs for q in rows.questions}


def key_of(prompt: str, known: dict[str, str]) -> str:
    return next(key for text, key in known.items() if text in prompt)


def test_a_teacher_is_kept_only_where_its_answer_is_right(programs: list[ExampleRows]) -> None:
    known = keys(programs)
    recipe = replace(drawn_recipe(), teacher=TeacherPlan(per_program=2))

    def answer(prompt: str) -> str:
        return f"I look at it.\n<answer>\n{key_of(prompt, known)}\n</answer>"

    with Judge() as judge:
        taught = Teacher(asker(answer), judge, recipe).teach(programs)
        rows = [row for each in taught for row in each.rows]
        assert len(rows) == 2 * len(programs)
        assert not any(each.dropped for each in taught)
        for row in rows:
            text = row["messages"][-1]["content"]
            assert text.startswith("<think>\nI look at it.\n</think>\n<answer>\n")
            assert (row["verified"], row["claims"]) == ("answer", 0)
            assert row["generation"]["model"] == "scripted"
        wrong = Teacher(asker(lambda _: "<answer>'never'</answer>"), judge, recipe).teach(programs)
        assert not any(each.rows for each in wrong)
        assert {d.reason for each in wrong for d in each.dropped} == {"wrong_answer"}
        silent = Teacher(asker(lambda _: ""), judge, recipe).teach(programs[:1])
        assert {d.reason for d in silent[0].dropped} == {"unread_answer"}


def test_the_claims_of_a_teacher_are_counted_and_none_may_be_wrong(
    programs: list[ExampleRows],
) -> None:
    rows = next(r for r in programs if any(q["kind"] == "output" for q in r.questions))
    output = next(q for q in rows.questions if q["kind"] == "output")
    trace = next(t for t in rows.traces if t["trace_id"] == output["trace_id"])
    story = story_of(trace_of(trace, rows.program))
    assert story is not None
    told = tell(story, random.Random(1), 2)
    assert told is not None
    good = text_of(told)
    lied = good.replace(f"`{trace['output_value']}`", "`'another thing'`")
    recipe = replace(drawn_recipe(), teacher=TeacherPlan(per_program=1))
    one = ExampleRows(rows.program, rows.traces, (output,))

    def teach(text: str) -> Any:
        reply = f"<think>\n{text}\n</think>\n<answer>{output['key']}</answer>"
        with Judge() as judge:
            (taught,) = Teacher(asker(lambda _: reply), judge, recipe).teach([one])
            for row in taught.rows:
                assert recheck(row, rows.program, trace, output, judge) == ""
                worse = {**row, "claims": row["claims"] + 1}
                assert "claims hold" in recheck(worse, rows.program, trace, output, judge)
        return taught

    taught = teach(good)
    assert taught.rows[0]["claims"] == check(good, story).claims > 2
    assert [d.reason for d in teach(lied).dropped] == ["wrong_claim"]


def test_a_rewriter_gives_pairs_that_the_checker_agrees_with(programs: list[ExampleRows]) -> None:
    recipe = replace(
        drawn_recipe(), crpl=Preferences(0, per_problem=0), rewriter=RewriterPlan(per_program=2)
    )
    written = Rewriter(asker(Rewriting(programs, True)), recipe).rewrite(programs)
    rows = [row for pairs, _ in written for row in pairs]
    assert len(rows) > len(programs) / 2
    assert {row["generator"] for row in rows} == {"scripted"}
    by_id = {rows.program["program_id"]: rows for rows in programs}
    for row in rows:
        own = by_id[row["program_id"]]
        assert recheck_pair(row, own.program, own.traces, ()) == ""
        turned = {**row, "chosen": row["rejected"], "rejected": row["chosen"]}
        if row["pair_kind"] != "optimised":
            assert recheck_pair(turned, own.program, own.traces, ()) == "better_is_wrong"
        for word in ("factual", "rigor", "coheren"):
            assert word not in reasoning_of(row["rejected"][0]["content"])


@pytest.fixture(scope="module")
def with_problems(drawn_dataset: Path, programs: list[ExampleRows]) -> list[ExampleRows]:
    """The same programs with their problems."""
    problems = {row["program_id"]: row for row in read_rows(drawn_dataset, "problems")}
    return [
        replace(rows, problems=(problems[rows.program["program_id"]],))
        for rows in programs
        if rows.program["program_id"] in problems
    ]


class Planning:
    """Plans the code as its reference does, and injures the plan where it is to be worse."""

    def __init__(self, programs: Sequence[ExampleRows]) -> None:
        self.plans = {}
        for rows in programs:
            for problem in rows.problems:
                plan = plan_of_problem(problem, rows.program, rows.traces)
                if plan is not None:
                    self.plans[problem["prompt"][-1]["content"]] = plan

    def __call__(self, prompt: str) -> str:
        plan = next(plan for text, plan in self.plans.items() if text in prompt)
        told = tell_plan(plan, random.Random(3))
        assert told is not None
        if "The reasoning:" not in prompt:
            return f"<think>\n{plan_text(told)}\n</think>"
        injuries = {"another than": "exchanged_results", "leave out one": "skipped_step"}
        name = next((own for words, own in injuries.items() if words in prompt), "displaced")
        if (
            "otherwise" not in prompt
            and "leave out one" not in prompt
            and "stand where" not in prompt
        ):
            if "another than" not in prompt:
                return f"<think>\n{plan_text(told)}\nThat will do.\n</think>"
        for seed in range(20):
            changed = PLAN_INJURY[name].change(told, random.Random(seed), False)
            if changed is not None:
                return f"<think>\n{plan_text(changed)}\n</think>"
        return "nothing"


def test_a_rewriter_gives_pairs_of_plans(with_problems: list[ExampleRows]) -> None:
    recipe = replace(
        drawn_recipe(),
        crpl=Preferences(0, per_problem=0),
        rewriter=RewriterPlan(per_program=0, per_problem=3),
    )
    model = asker(Planning(with_problems))
    written = Rewriter(model, recipe).rewrite(with_problems)
    rows = [row for pairs, _ in written for row in pairs]
    assert len(rows) > len(with_problems)
    by_id = {rows.program["program_id"]: rows for rows in with_problems}
    for row in rows:
        own = by_id[row["program_id"]]
        assert (row["task"], row["question_id"]) == ("generation", None)
        assert row["prompt"] == own.problems[0]["prompt"]
        assert recheck_pair(row, own.program, own.traces, own.problems) == ""
        assert recheck_pair(row, own.program, own.traces, ()) == "its problem has no plan"
        turned = {**row, "chosen": row["rejected"], "rejected": row["chosen"]}
        if row["pair_kind"] != "optimised":
            reason = recheck_pair(turned, own.program, own.traces, own.problems)
            assert reason == "better_is_wrong"
    assert all(f in prompt for prompt in model.model.prompts for f in plan_forms().splitlines())


def test_a_worse_text_that_is_right_makes_no_pair(programs: list[ExampleRows]) -> None:
    recipe = replace(
        drawn_recipe(), crpl=Preferences(0, per_problem=0), rewriter=RewriterPlan(per_program=2)
    )
    written = Rewriter(asker(Rewriting(programs, False)), recipe).rewrite(programs)
    assert all(row["pair_kind"] == "optimised" for pairs, _ in written for row in pairs)
    assert {d.reason for _, dropped in written for d in dropped} == {"worse_is_right"}


def test_texts_without_claims_are_no_pair(programs: list[ExampleRows]) -> None:
    story = story_of(trace_of(programs[0].traces[0], programs[0].program))
    assert story is not None
    assert (
        judge_sides("Fine.", "Well.", lambda text: check(text, story), "strong", "rigor")
        == "too_few_claims"
    )


def test_a_backend_alone_loads_the_papers_model() -> None:
    assert RewriterPlan(backend="vllm").model == "Qwen/Qwen2.5-Coder-32B-Instruct"
    assert RewriterPlan(backend="vllm", model="own").model == "own"
    assert RewriterPlan().model is None


def test_a_rewriter_is_told_forms_that_the_checker_reads() -> None:
    forms = sentence_forms().splitlines()
    assert "- After line LINE, `NAME` is `VALUE`." in forms
    assert len(forms) > 10
    assert not any("{" in form for form in forms)
    steps = plan_forms().splitlines()
    assert "- Set `NAME` to `TEXT`." in steps
    assert not any(isinstance(step, str) for form in steps for step in read_plan(form[2:]))


def test_generators_are_not_mixed_unless_asked() -> None:
    plan = RewriterPlan(backend="tiny", model="guesser")
    with pytest.raises(ValueError, match="rewriter: its pairs would stand beside"):
        replace(drawn_recipe(), rewriter=plan)
    mixed: Recipe = replace(drawn_recipe(), rewriter=replace(plan, mix=True))
    assert mixed.rewriter.mix
    assert replace(drawn_recipe(), rewriter=plan, crpl=Preferences(0, per_problem=0))
    with pytest.raises(ValueError, match=r"transform: needs \$reasoning and \$how"):
        RewriterPlan(transform="$task")


def test_reasoning_is_found_in_a_reply() -> None:
    assert reasoning_of("a\nb <answer>1</answer>") == "a\nb"
    assert reasoning_of("<think> a </think><answer>1</answer>") == "a"
    assert reasoning_of("<think>a</think><think>b</think>") is None
    assert reasoning_of("<think>a") is None
    assert reasoning_of("<answer>1</answer>") is None


def test_a_build_with_both_is_audited_without_the_model(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """The model sees only prompts; what it wrote is judged again by the audit."""
    from factory.audit import audit
    from factory.load import read_rows as rows_of
    from factory.pipeline import build
    from factory.progress import SilentProgress

    plain = replace(drawn_recipe(), crpl=Preferences(1, per_problem=1))
    build(plain, tmp_path / "plain", programs=4, progress=SilentProgress())
    known = {q["text"]: q["key"] for q in rows_of(tmp_path / "plain", "questions")}
    programs = {p["program_id"]: p for p in rows_of(tmp_path / "plain", "programs")}
    own = [
        ExampleRows(
            program,
            tuple(t for t in rows_of(tmp_path / "plain", "traces") if t["program_id"] == own_id),
            tuple(q for q in rows_of(tmp_path / "plain", "questions") if q["program_id"] == own_id),
            problems=tuple(
                p for p in rows_of(tmp_path / "plain", "problems") if p["program_id"] == own_id
            ),
        )
        for own_id, program in programs.items()
    ]
    rewriting, planning = Rewriting(own, True), Planning(own)

    def answer(prompt: str) -> str:
        if "think tags" in prompt:
            plans = any(text in prompt for text in planning.plans)
            return planning(prompt) if plans else rewriting(prompt)
        return f"So.\n<answer>\n{key_of(prompt, known)}\n</answer>"

    model = Scripted(answer)
    monkeypatch.setattr(planted_models, "model", model)
    monkeypatch.setitem(BACKENDS, "planted", Backend("planted_models:load", None))
    monkeypatch.setenv("TRACEFOUNDRY_CACHE", str(tmp_path / "cache"))
    recipe = replace(
        plain,
        teacher=TeacherPlan(backend="planted", model="m", per_program=1),
        rewriter=RewriterPlan(backend="planted", model="m", per_program=1, per_problem=2, mix=True),
    )
    build(recipe, tmp_path / "taught", programs=4, progress=SilentProgress())
    taught = [row for row in rows_of(tmp_path / "taught", "sft") if row["generation"]]
    written = [row for row in rows_of(tmp_path / "taught", "crpl") if row["generation"]]
    assert len(taught) == 4
    assert {row["task"] for row in written} == {"execution", "generation"}
    asked = len(model.prompts)
    report = audit(tmp_path / "taught")
    assert report.ok, report.problems
    assert len(model.prompts) == asked
