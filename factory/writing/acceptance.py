"""How often a model's programs are taken, by cell of the grid and by the times they were mended."""

from __future__ import annotations

from collections import Counter
from typing import Any


class Acceptance:
    """Counts over the draws of a build that a model wrote for."""

    def __init__(self) -> None:
        self._draws = Counter[str]()
        self._replies = Counter[str]()
        self._accepted = Counter[str]()
        self._after = Counter[int]()

    def add(self, cell: str, replies: int, accepted: bool) -> None:
        """Count one draw; ``accepted`` says whether its last reply passed every check."""
        self._draws[cell] += 1
        self._replies[cell] += replies
        if accepted:
            self._accepted[cell] += 1
            self._after[replies - 1] += 1

    def report(self, model: str | None) -> dict[str, Any]:
        """The manifest's ``writing``; ``model`` is the writer's name.

        ``draws``, ``replies`` and ``accepted`` in all and by cell; ``by_repairs`` says how many of
        the accepted programs had to be mended how often.
        """
        if model is None:
            return {"status": "not_run"}
        return {
            "status": "run",
            "model": model,
            **_counts(self._draws.total(), self._replies.total(), self._accepted.total()),
            "by_repairs": {str(number): self._after[number] for number in sorted(self._after)},
            "by_cell": {
                cell: _counts(self._draws[cell], self._replies[cell], self._accepted[cell])
                for cell in sorted(self._draws)
            },
        }


def _counts(draws: int, replies: int, accepted: int) -> dict[str, int]:
    return {"draws": draws, "replies": replies, "accepted": accepted}
