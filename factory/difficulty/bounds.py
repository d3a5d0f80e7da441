"""Which measured questions are trained on: neither too easy nor out of reach."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from factory.training_records import Difficulty

UNSOLVED, TOO_EASY = "unsolved", "too_easy"


def refusal(measured: Mapping[str, Any] | None, plan: Difficulty) -> str | None:
    """Why a question is not trained on, as a slug; ``None`` when it is, or was not measured.

    Args:
        measured: The column ``difficulty``.
        plan: Holds the bounds.
    """
    if measured is None:
        return None
    least, most = plan.bounds
    if measured["passes"] < least:
        return UNSOLVED
    return TOO_EASY if measured["passes"] > most else None
