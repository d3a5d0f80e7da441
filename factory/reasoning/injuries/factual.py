"""Injuries to factual accuracy: one sentence says what is not so."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace

from factory.reasoning.injuries.places import other_value, pick, with_other
from factory.reasoning.telling import Sentence, Story


def wrong_value(
    sentences: Sequence[Sentence], story: Story, rng: random.Random, longer: bool
) -> list[Sentence] | None:
    """A statement is said to give a variable a value that it has elsewhere, or another has."""
    return _rebound(sentences, story, rng, longer, ("effect", "pass", "summary"))


def wrong_argument(
    sentences: Sequence[Sentence], story: Story, rng: random.Random, longer: bool
) -> list[Sentence] | None:
    """A call is said to begin with another argument."""
    return _rebound(sentences, story, rng, longer, ("call", "start"))


def _rebound(
    sentences: Sequence[Sentence],
    story: Story,
    rng: random.Random,
    longer: bool,
    kinds: tuple[str, ...],
) -> list[Sentence] | None:
    place = pick(sentences, rng, kinds, lambda claim: bool(claim.bindings))
    if place is None:
        return None
    claim = sentences[place].claim
    bindings = with_other(claim.bindings, story, rng, longer)
    if bindings is None:
        return None
    return _put(
        sentences, place, replace(sentences[place], claim=replace(claim, bindings=bindings))
    )


def wrong_decision(
    sentences: Sequence[Sentence], story: Story, rng: random.Random, longer: bool
) -> list[Sentence] | None:
    """A condition is said to turn out the other way."""
    place = pick(sentences, rng, ("decision",), lambda claim: claim.holds is longer)
    if place is None:
        return None
    claim = sentences[place].claim
    return _put(
        sentences, place, replace(sentences[place], claim=replace(claim, holds=not claim.holds))
    )


def wrong_count(
    sentences: Sequence[Sentence], story: Story, rng: random.Random, longer: bool
) -> list[Sentence] | None:
    """A loop is said to have made one pass more or less."""
    place = pick(sentences, rng, ("loop_end",), lambda claim: claim.number > 1)
    if place is None:
        return None
    claim = sentences[place].claim
    number = claim.number + (1 if longer else -1)
    return _put(sentences, place, replace(sentences[place], claim=replace(claim, number=number)))


def wrong_return(
    sentences: Sequence[Sentence], story: Story, rng: random.Random, longer: bool
) -> list[Sentence] | None:
    """A call is said to return another value."""
    place = pick(sentences, rng, ("return", "result"))
    if place is None:
        return None
    claim = sentences[place].claim
    value = other_value(claim.value, story, rng, longer)
    if value is None:
        return None
    return _put(sentences, place, replace(sentences[place], claim=replace(claim, value=value)))


def _put(sentences: Sequence[Sentence], place: int, sentence: Sentence) -> list[Sentence]:
    return [*sentences[:place], sentence, *sentences[place + 1 :]]
