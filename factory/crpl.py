"""The config ``crpl``: pairs of rationales of one run, better and worse along one dimension.

Both sides of a pair come from one generator (:mod:`factory.reasoning`), so nothing but what was
done to one of them sets them apart; the checker, which reads the texts alone, agrees.

Source: CRPL of ReCode (https://arxiv.org/abs/2508.05170); pairs from traces are ours.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

from factory.identity import content_id
from factory.reasoning.checking import Dimension
from factory.reasoning.pairs import Pair, PairKind, make_pairs
from factory.recipe_records import Recipe
from factory.sft import ToldRun
from tracer.prompts import chat, describe, fill

Row = dict[str, Any]

TASK, GENERATOR = "execution", "grounded"
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
    rng = random.Random(content_id([program["program_id"], "crpl"]))
    stories = [run.story for run in asked]
    rows: dict[str, Row] = {}
    for kind, dimension in _order(rng):
        if len(rows) >= most:
            break
        draws = (make_pairs(stories, kind, dimension, rng) for _ in range(DRAWS))
        made = next(filter(None, draws), ())
        new = {row["crpl_id"]: row for row in (_row(program, asked, p, recipe) for p in made)}
        if len(new) == len(made) and len(rows) + len(new) <= most and not rows.keys() & new.keys():
            rows.update(new)
    return tuple(rows.values())


def _order(rng: random.Random) -> list[tuple[PairKind, Dimension]]:
    """The kinds and dimensions in the order in which they are tried.

    A draw without replacement by weights (Efraimidis and Spirakis 2006,
    https://doi.org/10.1016/j.ipl.2005.11.003).
    """
    keys = {cell: rng.random() ** (1 / weight) for cell, weight in CELLS.items()}
    return sorted(CELLS, key=lambda cell: -keys[cell])


def _row(program: Row, runs: Sequence[ToldRun], pair: Pair, recipe: Recipe) -> Row:
    plan, run = recipe.crpl, runs[pair.run]
    question = run.questions["output"]
    values = describe(
        program["source"], program["entry_point"], run.story.call, {"q1": question["text"]}
    )
    told = [run.trace_id, pair.kind, pair.dimension, pair.chosen, pair.rejected]
    return {
        "crpl_id": content_id(told),
        "program_id": program["program_id"],
        "trace_id": run.trace_id,
        "question_id": question["question_id"],
        "family_id": program["family_id"],
        "split": program["split"],
        "level": program["level"],
        "prompt": chat(plan.system, fill(plan.prompt, values)),
        "chosen": _thought(pair.chosen),
        "rejected": _thought(pair.rejected),
        "pair_kind": pair.kind,
        "dimension": pair.dimension,
        "task": TASK,
        "generator": GENERATOR,
        "injury": pair.injury,
        "weakness": pair.weakness,
        "claims": pair.claims,
        "chosen_chars": len(pair.chosen),
        "rejected_chars": len(pair.rejected),
    }


def _thought(rationale: str) -> list[dict[str, str]]:
    return [{"role": "assistant", "content": f"<think>\n{rationale}\n</think>"}]
