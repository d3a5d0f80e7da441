"""Injuries to logical coherence: order, contradiction, and sentences that belong nowhere."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace

from factory.reasoning.injuries.places import pick, places, with_other
from factory.reasoning.telling import Sentence, Story

_MOVED = ("effect", "decision", "return")


def swapped(
    sentences: Sequence[Sentence], story: Story, rng: random.Random, longer: bool
) -> list[Sentence] | None:
    """Two neighbouring steps change places."""
    found = [
        place
        for place in places(sentences, *_MOVED)
        if place + 1 < len(sentences) and sentences[place + 1].claim.kind in _MOVED
    ]
    if not found:
        return None
    place = rng.choice(found)
    return [
        *sentences[:place],
        sentences[place + 1],
        sentences[place],
        *sentences[place + 2 :],
    ]


def displaced(
    sentences: Sequence[Sentence], story: Story, rng: random.Random, longer: bool
) -> list[Sentence] | None:
    """A step is told far from where it happens."""
    place = pick(sentences, rng, _MOVED)
    if place is None:
        return None
    rest = [*sentences[:place], *sentences[place + 1 :]]
    goals = [goal for goal in range(1, len(rest)) if abs(goal - place) > 1]
    if not goals:
        return None
    rest.insert(rng.choice(goals), sentences[place])
    return rest


def contradiction(
    sentences: Sequence[Sentence], story: Story, rng: random.Random, longer: bool
) -> list[Sentence] | None:
    """The state that is recalled is not the one that was reached."""
    place = pick(sentences, rng, ("now",))
    if place is None:
        return None
    claim = sentences[place].claim
    bindings = with_other(claim.bindings, story, rng, longer)
    if bindings is None:
        return None
    wrong = replace(sentences[place], claim=replace(claim, bindings=bindings))
    return [*sentences[:place], wrong, *sentences[place + 1 :]]


def unannounced_pass(
    sentences: Sequence[Sentence], story: Story, rng: random.Random, longer: bool
) -> list[Sentence] | None:
    """The reader is not told that the next pass of a loop begins."""
    return _without(sentences, rng, "pass")


def unannounced_call(
    sentences: Sequence[Sentence], story: Story, rng: random.Random, longer: bool
) -> list[Sentence] | None:
    """The reader is not told that a function is called."""
    return _without(sentences, rng, "call")


def _without(sentences: Sequence[Sentence], rng: random.Random, kind: str) -> list[Sentence] | None:
    place = pick(sentences, rng, (kind,))
    return None if place is None else [*sentences[:place], *sentences[place + 1 :]]


def stray_pass(
    sentences: Sequence[Sentence], story: Story, rng: random.Random, longer: bool
) -> list[Sentence] | None:
    """A pass of a loop is announced once more, where none begins."""
    return _once_more(sentences, rng, "pass")


def stray_call(
    sentences: Sequence[Sentence], story: Story, rng: random.Random, longer: bool
) -> list[Sentence] | None:
    """A call is announced once more, where none begins."""
    return _once_more(sentences, rng, "call")


def _once_more(
    sentences: Sequence[Sentence], rng: random.Random, kind: str
) -> list[Sentence] | None:
    place = pick(sentences, rng, (kind,))
    if place is None:
        return None
    goals = [goal for goal in range(1, len(sentences)) if goal not in (place, place + 1)]
    if not goals:
        return None
    goal = rng.choice(goals)
    return [*sentences[:goal], sentences[place], *sentences[goal:]]
