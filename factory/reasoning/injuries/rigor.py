"""Injuries to logical rigor: a step left out, said before it is earned, or given no good reason."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace

from factory.reasoning.injuries.places import pick, places
from factory.reasoning.telling import Sentence, Story


def skipped_effect(
    sentences: Sequence[Sentence], story: Story, rng: random.Random, longer: bool
) -> list[Sentence] | None:
    """What a statement does is not said."""
    return _without(sentences, rng, "effect")


def skipped_decision(
    sentences: Sequence[Sentence], story: Story, rng: random.Random, longer: bool
) -> list[Sentence] | None:
    """How a condition turns out is not said."""
    return _without(sentences, rng, "decision")


def skipped_return(
    sentences: Sequence[Sentence], story: Story, rng: random.Random, longer: bool
) -> list[Sentence] | None:
    """What a call returns is not said."""
    return _without(sentences, rng, "return")


def _without(sentences: Sequence[Sentence], rng: random.Random, kind: str) -> list[Sentence] | None:
    place = pick(sentences, rng, (kind,))
    return None if place is None else [*sentences[:place], *sentences[place + 1 :]]


def premature_effect(
    sentences: Sequence[Sentence], story: Story, rng: random.Random, longer: bool
) -> list[Sentence] | None:
    """What a statement does is said before anything bears it out, and again in its place."""
    return _said_before(sentences, rng, "effect")


def premature_decision(
    sentences: Sequence[Sentence], story: Story, rng: random.Random, longer: bool
) -> list[Sentence] | None:
    """How a condition turns out is said before anything bears it out, and again in its place."""
    return _said_before(sentences, rng, "decision")


def premature_return(
    sentences: Sequence[Sentence], story: Story, rng: random.Random, longer: bool
) -> list[Sentence] | None:
    """What a call returns is said before it was followed, and again in its place."""
    return _said_before(sentences, rng, "return")


def _said_before(
    sentences: Sequence[Sentence], rng: random.Random, kind: str
) -> list[Sentence] | None:
    found = [place for place in places(sentences, kind) if place > 1]
    if not found:
        return None
    place = rng.choice(found)
    before = rng.randrange(1, place)
    return [*sentences[:before], sentences[place], *sentences[before:]]


def beside_the_point(
    sentences: Sequence[Sentence], story: Story, rng: random.Random, longer: bool
) -> list[Sentence] | None:
    """A condition is justified with variables that it does not depend on.

    Its true ground is told where the others were recalled, so that every word stays.
    """
    decisions = [place for place in places(sentences, "decision") if sentences[place].claim.reasons]
    recalled = [place for place in places(sentences, "now") if not _is_ground(sentences, place)]
    found = [
        (place, other)
        for place in decisions
        for other in recalled
        if _can_exchange(sentences[place], sentences[other])
    ]
    if not found:
        return None
    place, other = rng.choice(found)
    decision, now = sentences[place].claim, sentences[other].claim
    changed = list(sentences)
    changed[place] = replace(sentences[place], claim=replace(decision, reasons=now.bindings))
    changed[other] = replace(sentences[other], claim=replace(now, bindings=decision.reasons))
    return changed


def _is_ground(sentences: Sequence[Sentence], place: int) -> bool:
    """Whether a sentence that recalls the state is the ground of the decision after it."""
    following = sentences[place + 1].claim if place + 1 < len(sentences) else None
    return following is not None and following.kind == "decision" and not following.reasons


def _can_exchange(decision: Sentence, now: Sentence) -> bool:
    """Whether both stay true when they exchange what they name, and the decision loses its ground.

    As many are named in both, so that the sentences stay as long.
    """
    reasons, bindings = decision.claim.reasons, now.claim.bindings
    if len(reasons) != len(bindings) or {n for n, _ in reasons} & {n for n, _ in bindings}:
        return False
    return set(bindings) <= set(decision.state) and set(reasons) <= set(now.state)
