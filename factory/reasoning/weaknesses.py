"""What a rationale may lack and still be right, and what it may say too much.

A base rationale has a few weaknesses; the optimised one has none of a dimension. For each that a
mend makes longer there is one that a mend makes shorter, by the same words.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from factory.reasoning.checking import Dimension
from factory.reasoning.claims import link_of
from factory.reasoning.telling import Sentence

Weaken: TypeAlias = Callable[[Sequence[Sentence], random.Random], list[Sentence] | None]


@dataclass(frozen=True, slots=True)
class Weakness:
    """One way in which a rationale is worse than it could be."""

    name: str
    dimension: Dimension
    twin: str
    """The weakness that does the opposite to the length and the words; itself where it does
    nothing to them."""
    weaken: Weaken


def open_end(sentences: Sequence[Sentence], rng: random.Random) -> list[Sentence] | None:
    """It is not said that a loop has ended."""
    found = [place for place, each in enumerate(sentences) if each.claim.kind == "loop_end"]
    if not found:
        return None
    place = rng.choice(found)
    return [*sentences[:place], *sentences[place + 1 :]]


def repeated(sentences: Sequence[Sentence], rng: random.Random) -> list[Sentence] | None:
    """It is said twice that a loop has ended."""
    found = [
        place
        for place, each in enumerate(sentences)
        if each.claim.kind == "loop_end" and place + 2 < len(sentences)
    ]
    if not found:
        return None
    place = rng.choice(found)
    return [*sentences[: place + 2], sentences[place], *sentences[place + 2 :]]


def misplaced(sentences: Sequence[Sentence], rng: random.Random) -> list[Sentence] | None:
    """An argument is not named where the call begins but at a statement that leaves it alone."""
    first = sentences[0]
    if len(first.claim.bindings) < 2:
        return None
    link = link_of(first.claim)
    order = list(first.claim.bindings)
    rng.shuffle(order)
    for pair in order:
        goals = [
            place
            for place, each in enumerate(sentences)
            if each.claim.kind == "effect"
            and pair in each.state
            and pair[0] not in dict(each.claim.bindings)
            and link_of(each.claim) == link
        ]
        if goals:
            place = rng.choice(goals)
            rest = tuple(each for each in first.claim.bindings if each != pair)
            claim = sentences[place].claim
            late = replace(claim, bindings=(*claim.bindings, pair))
            return [
                replace(first, claim=replace(first.claim, bindings=rest)),
                *sentences[1:place],
                replace(sentences[place], claim=late),
                *sentences[place + 1 :],
            ]
    return None


def late_end(sentences: Sequence[Sentence], rng: random.Random) -> list[Sentence] | None:
    """It is said a sentence too late that a loop has ended."""
    found = [
        place
        for place, each in enumerate(sentences)
        if each.claim.kind == "loop_end"
        and place + 2 < len(sentences)
        and sentences[place + 1].claim.kind not in ("now", "loop_end")
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


def late_reason(sentences: Sequence[Sentence], rng: random.Random) -> list[Sentence] | None:
    """The ground for a decision is given after it and not before."""
    found = [
        place
        for place, each in enumerate(sentences[:-2])
        if each.claim.kind == "now"
        and sentences[place + 1].claim.kind == "decision"
        and not sentences[place + 1].claim.reasons
        and sentences[place - 1].claim.kind != "now"
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


WEAKNESSES: tuple[Weakness, ...] = (
    Weakness("misplaced", "factual", "misplaced", misplaced),
    Weakness("late_reason", "rigor", "late_reason", late_reason),
    Weakness("late_end", "coherence", "late_end", late_end),
    Weakness("open_end", "coherence", "repeated", open_end),
    Weakness("repeated", "coherence", "open_end", repeated),
)
BY_NAME = {weakness.name: weakness for weakness in WEAKNESSES}
