"""Contrastive pairs of rationales: better and worse along one dimension.

A base rationale ``t`` is right and has weaknesses. ``t+`` has none in the dimension; ``t-`` is
``t`` with one injury. Kinds: ``strong`` ``t+ ≻ t-``, ``optimised`` ``t+ ≻ t``, ``degraded``
``t ≻ t-``. Every side is checked by its text alone before a pair is given out.

Source: CRPL of ReCode (https://arxiv.org/abs/2508.05170).
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias, TypeVar

from factory.reasoning.checking import Dimension, Report, check
from factory.reasoning.events import EventKind
from factory.reasoning.injuries import BY_NAME as INJURY
from factory.reasoning.injuries import INJURIES, Injury
from factory.reasoning.telling import Sentence, Story, tell, text_of
from factory.reasoning.weaknesses import BY_NAME as WEAKNESS
from factory.reasoning.weaknesses import WEAKNESSES, Weakness

PairKind: TypeAlias = Literal["strong", "optimised", "degraded"]
PAIR_KINDS: tuple[PairKind, ...] = ("strong", "optimised", "degraded")
_Kind = TypeVar("_Kind", Injury, Weakness)
_PASSES = (2, 2, 3, 4)
_TRIES = 6
_ABOUT: dict[Dimension, EventKind] = {
    "factual": "effect",
    "rigor": "decision",
    "coherence": "loop_end",
}
"""What the weaknesses of a dimension are about."""


@dataclass(frozen=True, slots=True)
class Pair:
    """Two rationales of the same run, and what sets them apart."""

    kind: PairKind
    dimension: Dimension
    chosen: str
    rejected: str
    injury: str | None
    """What was done to the rejected side, unless it is the base."""
    weakness: str | None
    """What the chosen side was freed of, unless it is the base."""
    claims: int
    """Claims checked on both sides together."""
    run: int = 0
    """Which of the runs it tells."""


def make_pairs(
    stories: Sequence[Story], kind: PairKind, dimension: Dimension, rng: random.Random
) -> tuple[Pair, ...]:
    """Pairs of a kind along a dimension, made of the runs of one program.

    Where what is done to a text changes its length or its words there are two pairs, of which one
    does the opposite of the other; so neither tells the sides apart. If one of them can't be made
    there is none.

    Args:
        stories: Runs of one program.
        kind: Which two of ``t+``, ``t`` and ``t-``.
        dimension: What they differ in.
        rng: Draws everything.
    """
    about = [each for story in stories for each in story.events if each.kind == _ABOUT[dimension]]
    if kind != "degraded" and not about:
        return ()
    weakness = None if kind == "degraded" else _draw(WEAKNESSES, dimension, rng)
    injury = None if kind == "optimised" else _draw(INJURIES, dimension, rng)
    first = _pair(stories, kind, dimension, _Change(weakness, injury, False), rng)
    if first is None or (injury is None and weakness is not None and _is_neutral(weakness)):
        return () if first is None else (first,)
    twins = _Change(
        None if weakness is None else WEAKNESS[weakness.twin],
        None if injury is None else INJURY[injury.twin],
        True,
    )
    second = _pair(stories, kind, dimension, twins, rng)
    return () if second is None else (first, second)


@dataclass(frozen=True, slots=True)
class _Change:
    """What is done to the rejected side."""

    weakness: Weakness | None
    injury: Injury | None
    flag: bool


def _draw(choices: Sequence[_Kind], dimension: Dimension, rng: random.Random) -> _Kind:
    return rng.choice([choice for choice in choices if choice.dimension == dimension])


def _is_neutral(weakness: Weakness) -> bool:
    return weakness.twin == weakness.name


def _pair(
    stories: Sequence[Story],
    kind: PairKind,
    dimension: Dimension,
    change: _Change,
    rng: random.Random,
) -> Pair | None:
    for _ in range(_TRIES):
        run = rng.randrange(len(stories))
        story = stories[run]
        told = tell(story, rng, rng.choice(_PASSES))
        if told is None:
            continue
        pair = _try_pair(told, story, kind, dimension, change, rng)
        if pair is not None:
            return replace(pair, run=run)
    return None


def _try_pair(
    told: list[Sentence],
    story: Story,
    kind: PairKind,
    dimension: Dimension,
    change: _Change,
    rng: random.Random,
) -> Pair | None:
    good = bad = _weakened(told, dimension, rng)
    if change.weakness is not None:
        weak = change.weakness.weaken(good, rng)
        if weak is None:
            return None
        bad = weak
    if change.injury is not None:
        injured = change.injury.injure(bad, story, rng, change.flag)
        if injured is None:
            return None
        bad = injured
    chosen, rejected = text_of(good), text_of(bad)
    if chosen == rejected:
        return None
    first = check(chosen, story)
    if first.injuries or first.weaknesses(dimension):
        return None
    second = check(rejected, story)
    if not _is_worse(second, dimension, change):
        return None
    return Pair(
        kind,
        dimension,
        chosen,
        rejected,
        None if change.injury is None else change.injury.name,
        None if change.weakness is None else change.weakness.name,
        first.claims + second.claims,
    )


def _weakened(told: list[Sentence], kept_clean: Dimension, rng: random.Random) -> list[Sentence]:
    """The base rationale: with a weakness or two in the other dimensions."""
    sentences = told
    others = [w for w in WEAKNESSES if w.dimension != kept_clean]
    for weakness in rng.sample(others, rng.randrange(3)):
        sentences = weakness.weaken(sentences, rng) or sentences
    return sentences


def _is_worse(bad: Report, dimension: Dimension, change: _Change) -> bool:
    """Whether the checker, which sees the text alone, finds what was done to it and no more."""
    wanted = [] if change.injury is None else [(dimension, change.injury.finds)]
    if [(f.dimension, f.name) for f in bad.injuries] != wanted:
        return False
    return change.weakness is None or bool(bad.weaknesses(dimension))
