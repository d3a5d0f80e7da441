"""The config ``crpl``: pairs of rationales, better and worse along one dimension.

They reason about a run (task ``execution``) or precede the code of a problem (``generation``).
Both sides of a pair come from one generator (:mod:`factory.reasoning`), so nothing but what was
done to one of them sets them apart; the checker, which reads the texts alone, agrees.

Source: CRPL of ReCode (https://arxiv.org/abs/2508.05170); pairs from traces and plans are ours.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

from factory.identity import content_id
from factory.reasoning.checking import Dimension
from factory.reasoning.lengths import count_tokens
from factory.reasoning.pairs import Pair, PairKind, make_pairs
from factory.reasoning.plans.outline import plan_of
from factory.reasoning.plans.pairs import make_plan_pairs
from factory.recipe_records import Recipe
from factory.sft import ToldRun
from tracer.prompts import chat, describe, fill
from tracer.records import Trace

Row = dict[str, Any]
Cell: TypeAlias = tuple[PairKind, Dimension]

EXECUTION, GENERATION = "execution", "generation"
"""The tasks."""
GROUNDED = "grounded"
"""The generator whose sides are written from a trace or a plan."""
CELLS: dict[tuple[PairKind, Dimension], float] = {
    ("strong", "factual"): 1,
    ("strong", "rigor"): 12,
    ("strong", "coherence"): 70,
    ("optimised", "factual"): 0.2,
    ("optimised", "rigor"): 80,
    ("optimised", "coherence"): 100,
    ("degraded", "factual"): 1.2,
    ("degraded", "rigor"): 1.2,
    ("degraded", "coherence"): 1,
}
"""What pairs can be, and how early each is tried: the fewer runs allow it, the earlier, so that
there is as much of one as of another. Fitted to what 180 drawn programs allow at four pairs each.
"""
PLAN_CELLS: dict[tuple[PairKind, Dimension], float] = {
    ("strong", "factual"): 1.3,
    ("strong", "rigor"): 1.6,
    ("strong", "coherence"): 2.6,
    ("optimised", "factual"): 1.2,
    ("optimised", "rigor"): 1.6,
    ("optimised", "coherence"): 2.4,
    ("degraded", "factual"): 0.85,
    ("degraded", "rigor"): 1.1,
    ("degraded", "coherence"): 0.9,
}
"""The same for plans, which allow nearly everything; fitted to 53 drawn programs."""
DRAWS = 4
"""Draws of what is done to the worse side, after which a program has no such pair."""


def make_preferences(program: Row, runs: Sequence[ToldRun], recipe: Recipe) -> tuple[Row, ...]:
    """The pairs of one program.

    Two pairs that do the opposite of one another (:func:`factory.reasoning.pairs.make_pairs`)
    are both there or neither is.

    Args:
        program: Its row.
        runs: What :func:`factory.sft.told_runs` found.
        recipe: Says how many pairs at most, and the words of the prompt.
    """
    most = recipe.crpl.per_program
    asked = [run for run in runs if "output" in run.questions]
    if not asked or not most:
        return ()
    stories = [run.story for run in asked]
    rng = random.Random(content_id([program["program_id"], "crpl"]))

    def draw(kind: PairKind, dimension: Dimension) -> list[Row]:
        made = make_pairs(stories, kind, dimension, rng)
        return [_row(program, asked, pair, recipe) for pair in made]

    return _gather(CELLS, most, rng, draw)


def make_plan_preferences(
    program: Row, problem: Row, examples: Sequence[tuple[str, Trace]], recipe: Recipe
) -> tuple[Row, ...]:
    """The pairs of reasoning that precedes the code of a problem.

    Args:
        program: The row of the program that is the reference.
        problem: The row of its problem.
        examples: Ids and traces of the runs that the problem shows.
        recipe: Says how many pairs at most.
    """
    most = recipe.crpl.per_problem
    traces = [trace for _, trace in examples]
    plan = plan_of(program["source"], program["entry_point"], traces) if most else None
    if plan is None:
        return ()
    rng = random.Random(content_id([program["program_id"], "crpl", GENERATION]))

    def draw(kind: PairKind, dimension: Dimension) -> list[Row]:
        made = make_plan_pairs(plan, kind, dimension, rng)
        return [_plan_row(program, problem, examples[0][0], pair) for pair in made]

    return _gather(PLAN_CELLS, most, rng, draw)


def _gather(
    cells: Mapping[Cell, float],
    most: int,
    rng: random.Random,
    draw: Callable[[PairKind, Dimension], list[Row]],
) -> tuple[Row, ...]:
    """Rows of kinds and dimensions in their order; what belongs together is there whole or not."""
    rows: dict[str, Row] = {}
    for kind, dimension in _order(cells, rng):
        if len(rows) >= most:
            break
        made = next(filter(None, (draw(kind, dimension) for _ in range(DRAWS))), [])
        new = {row["crpl_id"]: row for row in made}
        if len(new) == len(made) and len(rows) + len(new) <= most and not rows.keys() & new.keys():
            rows.update(new)
    return tuple(rows.values())


def _order(cells: Mapping[Cell, float], rng: random.Random) -> list[Cell]:
    """The kinds and dimensions in the order in which they are tried.

    A draw without replacement by weights (Efraimidis and Spirakis 2006,
    https://doi.org/10.1016/j.ipl.2005.11.003).
    """
    keys = {cell: rng.random() ** (1 / weight) for cell, weight in cells.items()}
    return sorted(cells, key=lambda cell: -keys[cell])


def _row(program: Row, runs: Sequence[ToldRun], pair: Pair, recipe: Recipe) -> Row:
    plan, run = recipe.crpl, runs[pair.run]
    question = run.questions["output"]
    values = describe(
        program["source"], program["entry_point"], run.story.call, {"q1": question["text"]}
    )
    prompt = chat(plan.system, fill(plan.prompt, values))
    return pair_row(program, run.trace_id, question["question_id"], EXECUTION, prompt, pair)


def _plan_row(program: Row, problem: Row, trace_id: str, pair: Pair) -> Row:
    return pair_row(program, trace_id, None, GENERATION, problem["prompt"], pair)


def pair_row(
    program: Row,
    trace_id: str,
    question_id: str | None,
    task: str,
    prompt: list[dict[str, str]],
    pair: Pair,
) -> Row:
    """The row of a pair that no model wrote.

    Args:
        program: The row of its program.
        trace_id: The run that it is about, or the first example of its problem.
        question_id: What is asked about the run; ``None`` for code.
        task: :data:`EXECUTION` or :data:`GENERATION`.
        prompt: What both sides answer.
        pair: The sides.
    """
    told = [trace_id, pair.kind, pair.dimension, pair.chosen, pair.rejected]
    return {
        "crpl_id": content_id(told),
        "program_id": program["program_id"],
        "trace_id": trace_id,
        "question_id": question_id,
        "family_id": program["family_id"],
        "split": program["split"],
        "level": program["level"],
        "prompt": prompt,
        "chosen": _thought(pair.chosen),
        "rejected": _thought(pair.rejected),
        "pair_kind": pair.kind,
        "dimension": pair.dimension,
        "task": task,
        "generator": GROUNDED,
        "injury": pair.injury,
        "weakness": pair.weakness,
        "claims": pair.claims,
        "chosen_chars": len(pair.chosen),
        "rejected_chars": len(pair.rejected),
        "chosen_tokens": count_tokens(pair.chosen),
        "rejected_tokens": count_tokens(pair.rejected),
        "generation": None,
    }


def _thought(rationale: str) -> list[dict[str, str]]:
    return [{"role": "assistant", "content": f"<think>\n{rationale}\n</think>"}]
