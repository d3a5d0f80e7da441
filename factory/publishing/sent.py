"""What a destination holds after everything was sent."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Sent:
    """A release that is there as a whole."""

    commit: str | None = None
    tag: str | None = None
    pull_request: str | None = None
    """Its address."""
