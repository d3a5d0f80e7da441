"""The config ``stage1``: prompts for GRPO, made of the questions of one trace.

A trace gives one prompt of the task ``io_mixed`` (the output, and white-box questions about order
and variables) and one of the task ``oi`` (arguments that give the output). Both follow from the
published rows alone. The answers are keyed by ``answer_ids`` (``q1``, ``q2``, …); the columns are
those that :func:`trainer.rewards.stage1_reward` takes.

``executed`` is asked as often with yes as with no, one more of either by the toss of a published
row; a question that counts executions of a line that is asked for is left out of the same prompt,
because it would tell the answer.

Source: https://arxiv.org/abs/2603.11226 (stage I: the tasks, five and five questions, alpha); the
choice among questions is ours.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from factory.curriculum import phases_of, position_of
from factory.difficulty.bounds import refusal
from factory.grid import LEVELS
from factory.identity import content_id
from factory.question_groups import CONTROL_FLOW, DATA_FLOW
from factory.questions import take_turns
from factory.recipe_records import Recipe
from factory.records import Dropped
from tracer.prompts import chat, describe, fill
from tracer.wording import YES

Row = dict[str, Any]

ORDER = CONTROL_FLOW | {"exception"}
"""Kinds that count as control flow here: how a call ends belongs to the order of steps."""
REVERSE, FORWARD = "input", "output"
MIXED, OI = "io_mixed", "oi"


@dataclass(frozen=True, slots=True)
class Prompts:
    """The rows that one program gives, and what was left out.

    Two calls with the same result ask for an input in the same words: the first one stays.
    """

    rows: tuple[Row, ...]
    dropped: tuple[Dropped, ...]


def make_prompts(
    program: Row, traces: Iterable[Row], questions: Iterable[Row], recipe: Recipe
) -> Prompts:
    """The prompts of one program, trace by trace.

    Args:
        program: Its row.
        traces: Their rows, in order.
        questions: Rows of the questions of these traces, in order, measured or not.
        recipe: Says which tasks, how many questions, which texts, which difficulty.
    """
    of_trace: dict[str, list[Row]] = {}
    for question in questions:
        of_trace.setdefault(question["trace_id"], []).append(question)
    rows: list[Row] = []
    dropped: list[Dropped] = []
    seen: set[str] = set()
    for trace in traces:
        asked = of_trace.get(trace["trace_id"], [])
        for task, chosen in _tasks(trace, asked, recipe):
            where, measured = chosen[0]["question_id"], chosen[0]["difficulty"]
            reason = refusal(measured, recipe.difficulty)
            if reason is not None:
                detail = f"{task}: {measured['passes']} of {measured['n']} answers right"
                dropped.append(Dropped("difficulty", reason, where, detail))
            elif chosen[0]["text"] in seen:
                dropped.append(Dropped("curriculum", "same_prompt", where, task))
            else:
                seen.add(chosen[0]["text"])
                rows.append(_row(task, program, trace, chosen, recipe))
    return Prompts(tuple(rows), tuple(dropped))


def _tasks(trace: Row, questions: Sequence[Row], recipe: Recipe) -> Iterable[tuple[str, list[Row]]]:
    """The tasks of a trace with their questions, the one about input or output first."""
    for kind, task in ((FORWARD, MIXED), (REVERSE, OI)):
        first = next((each for each in questions if each["kind"] == kind), None)
        if first is None or task not in recipe.stage1.tasks:
            continue
        white = choose_white_box(trace, questions, recipe) if task == MIXED else []
        yield task, [first, *white]


def choose_white_box(trace: Row, questions: Sequence[Row], recipe: Recipe) -> list[Row]:
    """The white-box questions of a prompt, in the order of the published rows."""
    plan = recipe.stage1
    rng = random.Random(content_id([trace["trace_id"], "stage1"]))
    ordered = _by_kind(questions, ORDER)
    ordered["executed"] = balance_executed(ordered.get("executed", []), rng)
    turns = take_turns(ordered, plan.control_flow, rng)
    executed = balance_executed([each for each in turns if each["kind"] == "executed"], rng)
    told = {each["line"] for each in executed if each["key"] == YES}
    others = {
        kind: [each for each in rows if not _tells(each, told)]
        for kind, rows in ordered.items()
        if kind != "executed"
    }
    about_data = {
        kind: [each for each in rows if not _tells(each, told)]
        for kind, rows in _by_kind(questions, DATA_FLOW).items()
    }
    chosen = [
        *executed,
        *take_turns(others, plan.control_flow - len(executed), rng),
        *take_turns(about_data, plan.data_flow, rng),
    ]
    ids = {each["question_id"] for each in chosen}
    return [each for each in questions if each["question_id"] in ids]


def balance_executed(questions: Sequence[Row], rng: random.Random) -> list[Row]:
    """As many answered yes as answered no, and one more of whichever there are more."""
    yes = [each for each in questions if each["key"] == YES]
    no = [each for each in questions if each["key"] != YES]
    rng.shuffle(yes)
    rng.shuffle(no)
    most = min(len(yes), len(no)) + 1
    return [*yes[:most], *no[:most]]


def _by_kind(questions: Iterable[Row], kinds: frozenset[str]) -> dict[str, list[Row]]:
    found: dict[str, list[Row]] = {}
    for question in questions:
        if question["kind"] in kinds:
            found.setdefault(question["kind"], []).append(question)
    return found


def _tells(question: Row, lines: set[int]) -> bool:
    """Whether a question says that one of the lines was executed."""
    return question["occurrence"] is not None and question["line"] in lines


def _row(task: str, program: Row, trace: Row, questions: Sequence[Row], recipe: Recipe) -> Row:
    plan = recipe.stage1
    row_id = content_id([task, trace["trace_id"], [each["question_id"] for each in questions]])
    names = [f"q{number}" for number in range(1, len(questions) + 1)]
    call = f"{program['entry_point']}({trace['args']})" if task == MIXED else ""
    values = describe(
        program["source"],
        program["entry_point"],
        call,
        {name: each["text"] for name, each in zip(names, questions, strict=True)},
    )
    score = round(sum(each["score"] for each in questions) / len(questions), 3)
    measured = questions[0]["difficulty"] or {"n": None, "passes": None}
    wrong = None if measured["n"] is None else measured["n"] - measured["passes"]
    levels = () if program["level"] is None else recipe.grid.levels or LEVELS
    position = position_of(
        row_id,
        level=program["level"],
        score=score,
        wrong=wrong,
        recipe=recipe,
        phases=phases_of(recipe, tuple(sorted(levels))),
    )
    return {
        "stage1_id": row_id,
        "program_id": program["program_id"],
        "trace_id": trace["trace_id"],
        "family_id": program["family_id"],
        "split": program["split"],
        "level": program["level"],
        "task": task,
        "prompt": chat(plan.system, fill(plan.io_mixed if task == MIXED else plan.oi, values)),
        "question_ids": [each["question_id"] for each in questions],
        "answer_ids": names,
        "kinds": [each["kind"] for each in questions],
        "keys": [each["key"] for each in questions],
        "valids": [list(each["valid"]) for each in questions],
        "alpha": plan.alpha,
        "layout": plan.layout,
        "source": program["source"],
        "entry_point": program["entry_point"],
        "score": score,
        "n": measured["n"],
        "passes": measured["passes"],
        "phase": position.phase,
        "place": position.place,
    }
