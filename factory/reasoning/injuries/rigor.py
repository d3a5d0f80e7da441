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
    """A condition is justified with variables that it does not depend on."""
    place = pick(sentences, rng, ("decision",), lambda claim: bool(claim.reasons))
    if place is None:
        return None
    sentence = sentences[place]
    named = {name for name, _ in sentence.claim.reasons}
    rest = [pair for pair in sentence.state if pair[0] not in named]
    wanted = len(named)
    if len(rest) < wanted:
        return None
    claim = replace(sentence.claim, reasons=tuple(sorted(rng.sample(rest, wanted))))
    return [*sentences[:place], replace(sentence, claim=claim), *sentences[place + 1 :]]
