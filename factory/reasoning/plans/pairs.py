"""Contrastive pairs of plans: better and worse along one dimension, as of rationales of runs."""

from __future__ import annotations

import random

from factory.reasoning.checking import Dimension, Report
from factory.reasoning.pairs import Pair, PairKind
from factory.reasoning.plans.checking import check_plan
from factory.reasoning.plans.injuries import BY_NAME as INJURY
from factory.reasoning.plans.injuries import INJURIES, PlanInjury
from factory.reasoning.plans.outline import Plan
from factory.reasoning.plans.sentences import Step
from factory.reasoning.plans.telling import plan_text, tell_plan
from factory.reasoning.plans.weaknesses import BY_NAME as WEAKNESS
from factory.reasoning.plans.weaknesses import WEAKNESSES, PlanWeakness

_TRIES = 6


def make_plan_pairs(
    plan: Plan, kind: PairKind, dimension: Dimension, rng: random.Random
) -> tuple[Pair, ...]:
    """Pairs of a kind along a dimension; where a change shows in length or words, two of them.

    Args:
        plan: What the sides are about.
        kind: Which two of ``t+``, ``t`` and ``t-``.
        dimension: What they differ in.
        rng: Draws everything.
    """
    weakness = injury = None
    if kind != "degraded":
        weakness = rng.choice([w for w in WEAKNESSES if w.dimension == dimension])
    if kind != "optimised":
        injury = rng.choice([i for i in INJURIES if i.dimension == dimension])
    first = _pair(plan, kind, dimension, weakness, injury, False, rng)
    if first is None:
        return ()
    neutral = weakness is None or weakness.twin == weakness.name
    if injury is None and neutral:
        return (first,)
    second = _pair(
        plan,
        kind,
        dimension,
        None if weakness is None else WEAKNESS[weakness.twin],
        None if injury is None else INJURY[injury.twin],
        True,
        rng,
    )
    return () if second is None or second == first else (first, second)


def _pair(
    plan: Plan,
    kind: PairKind,
    dimension: Dimension,
    weakness: PlanWeakness | None,
    injury: PlanInjury | None,
    flag: bool,
    rng: random.Random,
) -> Pair | None:
    for _ in range(_TRIES):
        told = tell_plan(plan, rng)
        if told is None:
            return None
        good = _weakened(told, dimension, rng)
        bad: list[Step] | None = good
        if weakness is not None:
            bad = weakness.change(good, rng, flag)
        if injury is not None and bad is not None:
            bad = injury.change(bad, rng, flag)
        if bad is None:
            continue
        chosen, rejected = plan_text(good), plan_text(bad)
        reports = check_plan(chosen, plan), check_plan(rejected, plan)
        if chosen != rejected and _holds(*reports, dimension, weakness, injury):
            return Pair(
                kind,
                dimension,
                chosen,
                rejected,
                None if injury is None else injury.name,
                None if weakness is None else weakness.name,
                sum(report.claims for report in reports),
            )
    return None


def _weakened(told: list[Step], kept_clean: Dimension, rng: random.Random) -> list[Step]:
    """The base plan: with a weakness or two in the other dimensions."""
    steps = told
    others = [w for w in WEAKNESSES if w.dimension != kept_clean]
    for weakness in rng.sample(others, rng.randrange(3)):
        steps = weakness.change(steps, rng, False) or steps
    return steps


def _holds(
    good: Report,
    bad: Report,
    dimension: Dimension,
    weakness: PlanWeakness | None,
    injury: PlanInjury | None,
) -> bool:
    """Whether the checker, which sees the texts alone, agrees with what was done to them."""
    if good.injuries or good.weaknesses(dimension):
        return False
    found = {(finding.dimension, finding.name) for finding in bad.injuries}
    if found != (set() if injury is None else {(dimension, injury.finds)}):
        return False
    return weakness is None or bool(bad.weaknesses(dimension))
