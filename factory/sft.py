"""The config ``sft``: conversations in which a run is followed line by line before the answer.

The rationale is written from the trace (:mod:`factory.reasoning`), at a level of detail that is
drawn for each row, and kept only when the checker, which reads its text alone, finds nothing.
The task ``output`` asks what a call returns; ``input`` for arguments that give a value, where the
rationale tries the call that is known to and ends with the value that was asked for; ``white_box``
asks about a step of the run: what comes after it, what a variable is, which way a condition goes.

Source: https://arxiv.org/abs/2603.11226 (warm-up on both tasks); rationales from traces are ours.
"""

from __future__ import annotations

import json
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, zip_longest
from typing import Any

from factory.identity import content_id
from factory.question_groups import kind_group
from factory.reasoning.checking import check
from factory.reasoning.telling import Story, story_of, tell, text_of, with_answer
from factory.recipe_records import Recipe
from tracer.prompts import chat, describe, fill
from tracer.records import Trace

Row = dict[str, Any]

BLACK_BOX = ("output", "input")
"""The question kinds that are tasks of their own."""
WHITE_BOX = "white_box"
"""The task of all question kinds about the steps of a run."""
TASKS = (*BLACK_BOX, WHITE_BOX)
DETAILS = (1, 2, 3, 5, 8)
"""Passes of each loop that are told one by one; of these a row has one."""
VERIFIED = "trace"
"""How a rationale of this module was verified: every claim against the trace."""


@dataclass(frozen=True, slots=True)
class ToldRun:
    """A run that can be told, and what is asked about it."""

    story: Story
    trace_id: str
    questions: Mapping[str, Row]
    """Published rows by kind: of :data:`BLACK_BOX` those that are asked."""
    steps: tuple[Row, ...] = ()
    """Published rows of questions about the run's steps."""


def told_runs(
    traces: Sequence[Trace], ids: Sequence[str], questions: Sequence[Row]
) -> tuple[ToldRun, ...]:
    """The runs of one program that can be told.

    Args:
        traces: The runs.
        ids: Their ids, in the same order.
        questions: Rows of the questions about them.
    """
    asked: dict[str, dict[str, Row]] = {own_id: {} for own_id in ids}
    steps: dict[str, list[Row]] = {own_id: [] for own_id in ids}
    for row in questions:
        if row["kind"] in BLACK_BOX:
            asked[row["trace_id"]].setdefault(row["kind"], row)
        elif kind_group(row["kind"]) is not None:
            steps[row["trace_id"]].append(row)
    found = ((story_of(trace), own_id) for trace, own_id in zip(traces, ids, strict=True))
    return tuple(
        ToldRun(story, own_id, asked[own_id], tuple(steps[own_id]))
        for story, own_id in found
        if story is not None
    )


def story_to_tell(story: Story, task: str, question: Row) -> Story | None:
    """The run as the rationale of a row tells it; ``None`` when the answer cannot be told.

    The answer about a variable is told as value and type.
    """
    if task != WHITE_BOX:
        return replace(story, sought=task == "input")
    answer = question["key"]
    if question["kind"] == "variable_state":
        answer = "{value}; {type}".format(**json.loads(answer))
    return with_answer(story, answer)


def make_conversations(program: Row, runs: Sequence[ToldRun], recipe: Recipe) -> tuple[Row, ...]:
    """The rows of one program, its tasks in turn; each prompt is there once.

    Args:
        program: Its row.
        runs: What :func:`told_runs` found.
        recipe: Says how many rows at most, and the words of the prompt.
    """
    rng = random.Random(content_id([program["program_id"], "sft"]))
    rows: list[Row] = []
    seen: set[tuple[str, str]] = set()
    for run, task, question in _in_turn(runs, rng):
        if len(rows) >= recipe.sft.per_program:
            break
        shown = (run.trace_id if task == WHITE_BOX else "", question["text"])
        row = None if shown in seen else _row(program, run, task, question, recipe, rng)
        if row is not None:
            seen.add(shown)
            rows.append(row)
    return tuple(rows)


def _in_turn(runs: Sequence[ToldRun], rng: random.Random) -> list[tuple[ToldRun, str, Row]]:
    """Every run with every task that it has, drawn; one task after the other."""
    queues = []
    for task in rng.sample(TASKS, len(TASKS)):
        asked = [(run, task, question) for run in runs for question in _asked(run, task, rng)]
        queues.append(rng.sample(asked, len(asked)))
    return [each for each in chain.from_iterable(zip_longest(*queues)) if each is not None]


def _asked(run: ToldRun, task: str, rng: random.Random) -> list[Row]:
    """The question of a task about a run; of those about its steps one is drawn."""
    if task == WHITE_BOX:
        return [rng.choice(run.steps)] if run.steps else []
    return [run.questions[task]] if task in run.questions else []


def _row(
    program: Row, run: ToldRun, task: str, question: Row, recipe: Recipe, rng: random.Random
) -> Row | None:
    """The conversation about one run; ``None`` when it is too long to be told.

    Where a step is asked about, as many passes of the loops are told as there is room for.
    """
    plan = recipe.sft
    details = DETAILS[::-1] if task == WHITE_BOX else rng.sample(DETAILS, len(DETAILS))
    story = story_to_tell(run.story, task, question)
    if story is None:
        return None
    for detail in details:
        sentences = tell(story, rng, detail)
        if sentences is not None:
            break
    else:
        return None
    rationale = text_of(sentences)
    report = check(rationale, story)
    if report.findings:
        return None
    answer = story.call if task == "input" else question["key"]
    call = "" if task == "input" else story.call
    asked = {"q1": question["text"]}
    values = describe(program["source"], program["entry_point"], call, asked)
    reply = f"<think>\n{rationale}\n</think>\n<answer>\n{answer}\n</answer>"
    return {
        "sft_id": content_id([task, question["question_id"]]),
        "program_id": program["program_id"],
        "trace_id": run.trace_id,
        "question_id": question["question_id"],
        "family_id": program["family_id"],
        "split": program["split"],
        "level": program["level"],
        "task": task,
        "messages": [
            *chat(plan.system, fill(plan.prompt, values)),
            {"role": "assistant", "content": reply},
        ],
        "claims": report.claims,
        "detail": detail,
        "verified": VERIFIED,
        "generation": None,
    }
