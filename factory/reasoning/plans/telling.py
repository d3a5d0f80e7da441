"""Tells a plan: its steps, for what some variables are needed, and the examples."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace

from factory.reasoning.plans.outline import Plan
from factory.reasoning.plans.sentences import Step, write_step
from factory.reasoning.telling import MAX_CLAIMS

NEED_SHARE = 0.5
"""How often it is said for what a variable is set."""
MOST_STATES = 2
"""Variables that are told of an example, at most."""
_WORDINGS_DRAWN = 3


def tell_plan(plan: Plan, rng: random.Random) -> list[Step] | None:
    """The sentences of a plan, the task first and the examples last.

    Returns:
        ``None`` when they are too many.
    """
    told: list[Step] = []
    needed: set[str] = set()
    for step in plan.steps:
        told.append(step)
        if step.kind == "set" and step.name in plan.needs and step.name not in needed:
            if rng.random() < NEED_SHARE:
                needed.add(step.name)
                use = rng.choice(plan.needs[step.name])
                told.append(Step("need", step.depth, step.name, use))
    for example in plan.examples:
        names = sorted(example.states)
        for name in sorted(rng.sample(names, min(len(names), rng.randint(1, MOST_STATES)))):
            told.append(Step("state", name=name, text=example.states[name], call=example.call))
        told.append(Step("check", text=example.value, call=example.call))
    if len(told) > MAX_CLAIMS:
        return None
    return [replace(step, wording=rng.randrange(_WORDINGS_DRAWN)) for step in told]


def plan_text(steps: Sequence[Step]) -> str:
    """The text of a plan, one sentence a line."""
    return "\n".join(map(write_step, steps))
