"""Versions that decide what a build makes, and those that a reader may want to know."""

from __future__ import annotations

import sys
from dataclasses import asdict, dataclass
from importlib import metadata


@dataclass(frozen=True, slots=True)
class Versions:
    """What made a row: with the same of these, recipe and seed give the same row."""

    tracefoundry: str
    hypothesis: str
    libcst: str
    python: str
    """``major.minor``: what ran the programs."""

    def as_dict(self) -> dict[str, str]:
        """Field names and values."""
        return asdict(self)


def current_versions() -> Versions:
    """The versions of this process."""
    return Versions(
        tracefoundry=metadata.version("tracefoundry"),
        hypothesis=metadata.version("hypothesis"),
        libcst=metadata.version("libcst"),
        python=f"{sys.version_info[0]}.{sys.version_info[1]}",
    )
