"""Picks places in a rationale, and other values for them."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence

from factory.reasoning.claims import Claim
from factory.reasoning.events import Bindings
from factory.reasoning.telling import MAX_VALUE_CHARS, Sentence, Story


def places(sentences: Sequence[Sentence], *kinds: str) -> list[int]:
    """Numbers of the sentences of some kinds."""
    return [place for place, each in enumerate(sentences) if each.claim.kind in kinds]


def pick(
    sentences: Sequence[Sentence],
    rng: random.Random,
    kinds: tuple[str, ...],
    fits: Callable[[Claim], bool] = lambda claim: True,
) -> int | None:
    """The number of a random sentence of some kinds, if there is one that fits."""
    found = [place for place in places(sentences, *kinds) if fits(sentences[place].claim)]
    return rng.choice(found) if found else None


def other_value(value: str, story: Story, rng: random.Random, longer: bool) -> str | None:
    """Another value of the same type that occurs in the run, if there is one.

    It is longer or shorter as asked for, or at least as long.
    """
    kinds = _types(story)
    kind = kinds.get(value)
    found = sorted(
        other
        for other, its in kinds.items()
        if its == kind and other != value and len(other) <= MAX_VALUE_CHARS and "``" not in other
    )
    found = [other for other in found if _is_right_length(other, value, longer)]
    return rng.choice(found) if found else None


def _is_right_length(other: str, value: str, longer: bool) -> bool:
    return len(other) >= len(value) if longer else len(other) <= len(value)


def _types(story: Story) -> dict[str, str]:
    """The values that occur in a run, with their types."""
    trace = story.trace
    found: dict[str, str] = {}
    for activation in trace.activations:
        found.update((v.value, v.type) for v in activation.entry)
        if activation.value is not None and activation.type is not None:
            found[activation.value] = activation.type
    for step in trace.steps:
        for change in step.changes:
            if change.value is not None and change.type is not None:
                found[change.value] = change.type
    return found


def with_other(
    bindings: Bindings, story: Story, rng: random.Random, longer: bool
) -> Bindings | None:
    """Bindings of which one has another value, if there is one to have."""
    order = list(range(len(bindings)))
    rng.shuffle(order)
    for place in order:
        name, value = bindings[place]
        other = other_value(value, story, rng, longer)
        if other is not None:
            return (*bindings[:place], (name, other), *bindings[place + 1 :])
    return None
