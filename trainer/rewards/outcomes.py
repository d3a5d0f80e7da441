"""What R_out of stage II may be: outcome verifiers by name, so that math can stand beside code.

A verifier is one function and one line in :data:`OUTCOMES`; a package of somebody else adds one
with an entry point of the group ``tracefoundry.outcomes``. The column ``verifier`` of a row names
its verifier; without it a row is judged by its unit tests.

Source: own.
"""

from __future__ import annotations

import importlib
from collections.abc import Mapping, Sequence
from importlib import metadata
from typing import Any, Protocol

from tracer.records import Verdict

ENTRY_POINTS = "tracefoundry.outcomes"
DEFAULT = "code"
OUTCOMES: dict[str, str] = {
    "code": "trainer.rewards.unit_tests:code_outcome",
    "answer": "trainer.rewards.execution:answer_outcome",
}
"""``module:function`` of the verifiers of this distribution, by name."""


class Outcome(Protocol):
    """A verifier."""

    def __call__(
        self, replies: Sequence[str], rows: Sequence[Mapping[str, Any]], *, wall_s: float
    ) -> list[Verdict]:
        """A verdict on each reply, in their order; ``infrastructure`` where it can't be judged.

        Args:
            replies: What the model wrote.
            rows: A row of the dataset for each.
            wall_s: Seconds by the clock for all of them together.
        """


def outcome_names() -> tuple[str, ...]:
    """Names of all verifiers, those of other packages behind ours."""
    others = {entry.name for entry in metadata.entry_points(group=ENTRY_POINTS)}
    return (*OUTCOMES, *sorted(others - set(OUTCOMES)))


def find_outcome(name: str) -> Outcome:
    """The verifier of a name.

    Raises:
        ValueError: There is none, or it can't be imported.
    """
    if name in OUTCOMES:
        module, _, function = OUTCOMES[name].partition(":")
        found: Outcome = getattr(importlib.import_module(module), function)
        return found
    for entry in metadata.entry_points(group=ENTRY_POINTS, name=name):
        try:
            loaded: Outcome = entry.load()
        except (ImportError, AttributeError) as error:
            raise ValueError(f"the verifier {name!r} can't be imported: {error}") from error
        return loaded
    raise ValueError(f"no verifier {name!r}; there are: {', '.join(outcome_names())}")


def judge_outcomes(
    replies: Sequence[str], rows: Sequence[Mapping[str, Any]], *, wall_s: float
) -> list[Verdict]:
    """The verdict on each reply by the verifier that its row names.

    Raises:
        ValueError: A row names a verifier that there is not, or lacks what its verifier needs.
    """
    names = [row.get("verifier") or DEFAULT for row in rows]
    verdicts: dict[int, Verdict] = {}
    for name in dict.fromkeys(names):
        places = [place for place, each in enumerate(names) if each == name]
        found = find_outcome(name)(
            [replies[place] for place in places],
            [rows[place] for place in places],
            wall_s=wall_s,
        )
        verdicts |= dict(zip(places, found, strict=True))
    return [verdicts[place] for place in range(len(names))]
