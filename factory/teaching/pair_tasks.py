"""What a rewriter is asked for: a pair about a run, or about the plan of a problem's code.

Source: own.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from factory.crpl import EXECUTION, GENERATION
from factory.identity import content_id
from factory.load import trace_of
from factory.reasoning.checking import DIMENSIONS, Dimension, Report, check
from factory.reasoning.pairs import PAIR_KINDS, PairKind
from factory.reasoning.plans.checking import check_plan
from factory.reasoning.telling import Story, story_of
from factory.recipe_records import Recipe
from factory.rows import ExampleRows, Row
from factory.teaching.asking import plan_of_problem, shown_runs
from tracer.prompts import chat, describe, fill

Check: TypeAlias = Callable[[str], Report]
"""Holds a text against the run or the reference that it is about."""
_CELLS: tuple[tuple[PairKind, Dimension], ...] = tuple(
    (kind, dimension) for kind in PAIR_KINDS for dimension in DIMENSIONS
)


@dataclass(frozen=True, slots=True)
class PairTask:
    """A pair that is wanted."""

    program: Row
    name: str
    """:data:`factory.crpl.EXECUTION` or :data:`factory.crpl.GENERATION`."""
    trace_id: str
    question_id: str | None
    about: str
    """Id of the question or the problem."""
    kind: PairKind
    dimension: Dimension
    prompt: list[dict[str, str]]
    check: Check


def tasks_of(rows: ExampleRows, recipe: Recipe) -> Iterator[PairTask]:
    """The pairs that are wanted of one program, about its runs and then about its problem."""
    yield from _of_runs(rows, recipe)
    for problem in rows.problems:
        yield from _of_problem(problem, rows, recipe)


def check_of(row: Row, program: Row, traces: Sequence[Row], problems: Sequence[Row]) -> Check | str:
    """The check of a published pair, or why there is none."""
    if row["task"] == EXECUTION:
        trace = next(trace for trace in traces if trace["trace_id"] == row["trace_id"])
        story = story_of(trace_of(trace, program))
        return "its run cannot be told" if story is None else _of_story(story)
    for problem in problems:
        plan = plan_of_problem(problem, program, traces)
        if plan is not None:
            return lambda text: check_plan(text, plan)
    return "its problem has no plan"


def _of_story(story: Story) -> Check:
    return lambda text: check(text, story)


def _of_runs(rows: ExampleRows, recipe: Recipe) -> Iterator[PairTask]:
    rng = random.Random(content_id([rows.program["program_id"], "rewriter"]))
    traces = {trace["trace_id"]: trace for trace in rows.traces}
    found = 0
    for question in rows.questions:
        if question["kind"] == "output" and found < recipe.rewriter.per_program:
            story = story_of(trace_of(traces[question["trace_id"]], rows.program))
            if story is not None:
                found += 1
                kind, dimension = rng.choice(_CELLS)
                yield PairTask(
                    program=rows.program,
                    name=EXECUTION,
                    trace_id=question["trace_id"],
                    question_id=question["question_id"],
                    about=question["question_id"],
                    kind=kind,
                    dimension=dimension,
                    prompt=_prompt(rows.program, story, question, recipe),
                    check=_of_story(story),
                )


def _of_problem(problem: Row, rows: ExampleRows, recipe: Recipe) -> Iterator[PairTask]:
    plan = plan_of_problem(problem, rows.program, rows.traces)
    examples = shown_runs(problem, rows.program, rows.traces)
    if plan is None or not examples:
        return
    rng = random.Random(content_id([rows.program["program_id"], "rewriter", GENERATION]))
    for kind, dimension in rng.sample(_CELLS, min(recipe.rewriter.per_problem, len(_CELLS))):
        yield PairTask(
            program=rows.program,
            name=GENERATION,
            trace_id=examples[0]["trace_id"],
            question_id=None,
            about=problem["problem_id"],
            kind=kind,
            dimension=dimension,
            prompt=problem["prompt"],
            check=lambda text: check_plan(text, plan),
        )


def _prompt(program: Row, story: Story, question: Row, recipe: Recipe) -> list[dict[str, str]]:
    plan = recipe.crpl
    values = describe(
        program["source"], program["entry_point"], story.call, {"q1": question["text"]}
    )
    return chat(plan.system, fill(plan.prompt, values))
