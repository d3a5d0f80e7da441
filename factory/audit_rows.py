"""Runs one published program again and compares every value of its rows."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from itertools import islice

from factory.audit_groups import LooseProblem, Problem, ProgramRows
from factory.constraints import check_dynamic, check_static
from factory.crpl import make_preferences
from factory.difficulty.measuring import Asked, Baseline, measure_again
from factory.execute import run_calls, run_tests
from factory.models.base import find_plan
from factory.problems.making import Problemsmith
from factory.problems.public import Publisher
from factory.problems.results import Made
from factory.questions import choose_questions
from factory.records import Draft, Origin
from factory.row_differences import RowsOf, compare, compare_rows
from factory.rows import (
    Context,
    Row,
    draft_of,
    make_plan_rows,
    program_row,
    question_rows,
    trace_row,
)
from factory.sft import make_conversations, told_runs
from factory.stage1 import make_prompts
from factory.teaching.conversations import recheck
from factory.teaching.rewriting import recheck_pair
from tracer.judging import Judge
from tracer.records import Call, Trace
from tracer.runner import Runner
from tracer.unit_tests import UnitTester

OF_QUESTIONS = RowsOf("questions", "question_id", "trace")
OF_PROMPTS = RowsOf("stage1", "stage1_id", "program")
OF_CONVERSATIONS = RowsOf("sft", "sft_id", "program")
OF_PAIRS = RowsOf("crpl", "crpl_id", "program")
OF_PROBLEMS = RowsOf("problems", "problem_id", "program")


@dataclass(frozen=True, slots=True)
class AuditJob:
    """Checks batches of programs; a worker keeps its sandboxes from batch to batch."""

    context: Context
    """Recipe and versions that the manifest names."""

    @contextmanager
    def open(self) -> Iterator[Callable[[Sequence[ProgramRows | LooseProblem]], bytes]]:
        """Start the sandboxes."""
        recipe = self.context.recipe
        with Runner(recipe.limits) as runner, UnitTester() as tester, Judge() as judge:
            smith = Problemsmith(runner, tester, recipe)
            publisher = Publisher(tester, recipe)

            def check(batch: Sequence[ProgramRows | LooseProblem]) -> bytes:
                programs = [rows for rows in batch if isinstance(rows, ProgramRows)]
                loose = [rows for rows in batch if isinstance(rows, LooseProblem)]
                found = [
                    *check_programs(programs, runner, smith, judge, self.context),
                    *check_loose(loose, publisher),
                ]
                return json.dumps([asdict(problem) for problem in found]).encode("ascii")

            yield check


def read_problems(content: bytes) -> tuple[Problem, ...]:
    """The problems that the function of :meth:`AuditJob.open` wrote."""
    return tuple(Problem(**problem) for problem in json.loads(content))


def check_loose(loose: Sequence[LooseProblem], publisher: Publisher) -> Iterator[Problem]:
    """Run the references of problems that belong to no program, and see that their ids fit."""
    for each in loose:
        row = each.problem
        reason = publisher.recheck(row)
        if reason:
            yield Problem("problems", row["problem_id"], "reference", reason)


def check_programs(
    batch: Sequence[ProgramRows],
    runner: Runner,
    smith: Problemsmith,
    judge: Judge,
    context: Context,
) -> Iterator[Problem]:
    """Run programs again on every published input and compare all of their rows.

    Answers of a baseline model are judged again, not asked for again.
    """
    drafts = [draft_of(rows.program) for rows in batch]
    calls = [
        (draft.program, Call(row["args"], row["stdin"]))
        for draft, rows in zip(drafts, batch, strict=True)
        for row in rows.traces
    ]
    traces = iter(run_calls(calls, runner))
    checks: list[_Check] = []
    for draft, rows in zip(drafts, batch, strict=True):
        own = tuple(islice(traces, len(rows.traces)))
        expected = _program_again(draft, own, rows.program, context)
        if isinstance(expected, Problem):
            yield expected
        else:
            checks.append(_Check(rows, draft, own, expected))
    made = smith.make_many([(check.parent, check.traces) for check in checks])
    for check, problem in zip(checks, made, strict=True):
        yield from _check_program(check, problem, runner, judge, context)


@dataclass(frozen=True, slots=True)
class _Check:
    """A program that was run again."""

    rows: ProgramRows
    draft: Draft
    traces: Sequence[Trace]
    expected: Row
    """What its row must be."""

    @property
    def parent(self) -> Row:
        """The same under the id that the other rows name."""
        return {**self.expected, "program_id": self.rows.program["program_id"]}


def _program_again(
    draft: Draft, traces: Sequence[Trace], published: Row, context: Context
) -> Row | Problem:
    own_id = published["program_id"]
    if not traces:
        return Problem("programs", own_id, "", "no trace of it is in the data")
    try:
        return program_row(draft, traces[0].statements, context)
    except (SyntaxError, ValueError) as error:
        return Problem("programs", own_id, "source", f"does not compile: {error}")


def _check_program(
    check: _Check, made: Made, runner: Runner, judge: Judge, context: Context
) -> Iterator[Problem]:
    """Compare all rows of a program with what its runs on the published inputs gave."""
    rows, draft, traces = check.rows, check.draft, check.traces
    own_id = rows.program["program_id"]
    yield from compare("programs", own_id, rows.program, check.expected)
    if not _is_owned_up_to(draft.origin, context):
        yield Problem("programs", own_id, "generation", "not what the recipe asks of its writer")
    if draft.tests is not None:
        outcome = run_tests(draft.program, draft.tests, runner)
        if outcome.kind != "returned":
            yield Problem("programs", own_id, "tests", f"they end as {outcome.kind}")
    if draft.origin.constraint is not None:
        for violation in (
            *check_static(draft.program, draft.origin.constraint),
            *check_dynamic(traces, draft.origin.constraint),
        ):
            yield Problem("programs", own_id, "constraint", violation.reason)
    yield from compare_rows(OF_PROBLEMS, own_id, rows.problems, made.rows)
    yield from _check_traces(rows, traces, check.parent, made, judge, context)


def _is_owned_up_to(origin: Origin, context: Context) -> bool:
    """Whether a program says how a model was asked if one wrote it, and only then."""
    asked, writer = origin.generation, context.recipe.writer
    if origin.generator != "llm":
        return asked is None and origin.repairs is None
    if asked is None or origin.repairs is None:
        return False
    numbers = (asked.temperature, asked.max_tokens)
    return numbers == (writer.temperature, writer.max_tokens) and (
        0 <= origin.repairs <= writer.repairs
    )


def _check_traces(
    rows: ProgramRows,
    traces: Sequence[Trace],
    parent: Row,
    made: Made,
    judge: Judge,
    context: Context,
) -> Iterator[Problem]:
    asked: dict[str, list[Row]] = {row["trace_id"]: [] for row in rows.traces}
    if len(asked) < len(rows.traces):
        yield Problem("traces", rows.traces[0]["trace_id"], "trace_id", "two rows share an id")
    for question in rows.questions:
        asked[question["trace_id"]].append(question)
    every: list[Row] = []
    for published, trace in zip(rows.traces, traces, strict=True):
        own_id = published["trace_id"]
        expected = trace_row(trace, parent, published["stdin"])
        expected["python"] = context.versions.python
        yield from compare("traces", own_id, published, expected)
        chosen = choose_questions(trace, context.recipe.questions)
        named = {**expected, "trace_id": own_id}
        questions = [
            {
                **row,
                "difficulty": _judge_again(
                    Asked(parent, named, row), asked[own_id], judge, context
                ),
            }
            for row in question_rows(chosen, trace, named, parent)
        ]
        yield from compare_rows(OF_QUESTIONS, own_id, asked[own_id], questions)
        every.extend(questions)
    prompts = make_prompts(parent, rows.traces, every, context.recipe).rows
    if parent["split"] == "train" and context.recipe.stage1.rows is not None:
        there = {row["stage1_id"] for row in rows.stage1}
        prompts = tuple(row for row in prompts if row["stage1_id"] in there)
    own_id = parent["program_id"]
    yield from compare_rows(OF_PROMPTS, own_id, rows.stage1, prompts)
    runs = told_runs(traces, [row["trace_id"] for row in rows.traces], every)
    conversations = make_conversations(parent, runs, context.recipe)
    yield from compare_rows(OF_CONVERSATIONS, own_id, _own(rows.sft), conversations)
    pairs = (
        *make_preferences(parent, runs, context.recipe),
        *make_plan_rows(parent, made, context.recipe),
    )
    yield from compare_rows(OF_PAIRS, own_id, _own(rows.crpl), pairs)
    yield from _check_written(rows, parent, judge)


def _own(rows: Sequence[Row]) -> list[Row]:
    """The rows that no model wrote."""
    return [row for row in rows if row["generation"] is None]


def _check_written(rows: ProgramRows, program: Row, judge: Judge) -> Iterator[Problem]:
    """Judge and check again what models wrote about a program's runs."""
    traces = {row["trace_id"]: row for row in rows.traces}
    questions = {row["question_id"]: row for row in rows.questions}
    for row in rows.sft:
        if row["generation"] is not None:
            question = questions.get(row["question_id"])
            trace = traces[row["trace_id"]]
            reason = "its question is not in the data"
            if question is not None:
                reason = recheck(row, program, trace, question, judge)
            if reason:
                yield Problem("sft", row["sft_id"], "messages", reason)
    for row in rows.crpl:
        if row["generation"] is not None:
            reason = recheck_pair(row, program, rows.traces, rows.problems)
            if reason:
                yield Problem("crpl", row["crpl_id"], "rejected", reason)


def _judge_again(
    expected: Asked, published: Sequence[Row], judge: Judge, context: Context
) -> Row | None:
    """What the column ``difficulty`` of a question must hold, by the published answers."""
    recipe = context.recipe
    plan = recipe.difficulty
    if context.model is None or expected.question["kind"] not in plan.kinds:
        return None
    own_id = expected.question["question_id"]
    measured = next((row["difficulty"] for row in published if row["question_id"] == own_id), None)
    if measured is None:
        return None
    named = find_plan(plan, recipe.models)
    revision = None if named is None else named.revision
    baseline = Baseline(context.model, revision, plan, recipe.seed)
    return measure_again(expected, measured["answers"] or [], baseline, judge)
