"""What can be done to a sound rationale so that it is wrong, unfounded or incoherent.

An injury is one function; the registry names its dimension and whether it makes the text shorter or
longer. For every injury that takes sentences of a kind away there is one that puts as many in, and
values are exchanged for values of the same run, so that neither the length nor the words of a text
tell that it was injured.

Source: the dimensions are those of ReCode (https://arxiv.org/abs/2508.05170, CRPL); the injuries
are our own.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from factory.reasoning.checking import Dimension
from factory.reasoning.injuries import coherence, factual, rigor
from factory.reasoning.telling import Sentence, Story

Injure: TypeAlias = Callable[
    [Sequence[Sentence], Story, random.Random, bool], list[Sentence] | None
]
"""Gives the injured sentences, or ``None`` where it does not apply; the flag asks for a longer text
where an injury can do either."""


@dataclass(frozen=True, slots=True)
class Injury:
    """One way to spoil a rationale."""

    name: str
    dimension: Dimension
    finds: str
    """What the checker calls it."""
    twin: str
    """The injury that does the opposite to the length and the words; itself where the flag says
    which of the two it does."""
    injure: Injure


INJURIES: tuple[Injury, ...] = (
    Injury("wrong_value", "factual", "wrong", "wrong_value", factual.wrong_value),
    Injury("wrong_argument", "factual", "wrong", "wrong_argument", factual.wrong_argument),
    Injury("wrong_decision", "factual", "wrong", "wrong_decision", factual.wrong_decision),
    Injury("wrong_count", "factual", "wrong", "wrong_count", factual.wrong_count),
    Injury("wrong_return", "factual", "wrong", "wrong_return", factual.wrong_return),
    Injury("skipped_effect", "rigor", "skipped", "premature_effect", rigor.skipped_effect),
    Injury("skipped_decision", "rigor", "skipped", "premature_decision", rigor.skipped_decision),
    Injury("skipped_return", "rigor", "skipped", "premature_return", rigor.skipped_return),
    Injury("premature_effect", "rigor", "premature", "skipped_effect", rigor.premature_effect),
    Injury(
        "premature_decision", "rigor", "premature", "skipped_decision", rigor.premature_decision
    ),
    Injury("premature_return", "rigor", "premature", "skipped_return", rigor.premature_return),
    Injury(
        "beside_the_point", "rigor", "beside_the_point", "beside_the_point", rigor.beside_the_point
    ),
    Injury("swapped", "coherence", "displaced", "swapped", coherence.swapped),
    Injury("displaced", "coherence", "displaced", "displaced", coherence.displaced),
    Injury("contradiction", "coherence", "contradiction", "contradiction", coherence.contradiction),
    Injury(
        "unannounced_pass", "coherence", "unannounced", "stray_pass", coherence.unannounced_pass
    ),
    Injury(
        "unannounced_call", "coherence", "unannounced", "stray_call", coherence.unannounced_call
    ),
    Injury("stray_pass", "coherence", "stray", "unannounced_pass", coherence.stray_pass),
    Injury("stray_call", "coherence", "stray", "unannounced_call", coherence.stray_call),
)

BY_NAME = {injury.name: injury for injury in INJURIES}
