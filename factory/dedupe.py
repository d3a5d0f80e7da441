"""Which programs count as the same, and which belong to one family."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping

from factory.behaviour import find_behaviour
from factory.identity import content_id
from factory.normal_form import normal_form
from factory.recipe_records import Dedupe
from factory.records import Draft
from tracer.runner import Runner

DUPLICATE = "duplicate_program"
BEHAVIOUR = "same_behaviour"
"""Names of keys, and the reasons of the drops that they cause."""


def dedupe_keys(draft: Draft, rule: Dedupe, runner: Runner) -> dict[str, str]:
    """Of programs that share one of these keys only the first is kept; each rule adds to the last.

    ``exact`` compares text and entry point, ``normalised`` their normal form, in which names and
    layout do not count and literals do; ``behaviour`` also what the programs do
    (:mod:`factory.behaviour`).

    Raises:
        InfrastructureError: The sandbox failed again and again.
    """
    program = draft.program
    if rule == "none":
        return {}
    if rule == "exact":
        return {DUPLICATE: content_id([program.source, program.entry_point])}
    form = normal_form(program.source, program.entry_point, literals=True)
    keys = {DUPLICATE: content_id(form)}
    if rule == "behaviour" and (behaviour := find_behaviour(draft, runner)) is not None:
        keys[BEHAVIOUR] = behaviour
    return keys


def find_family(draft: Draft) -> str:
    """``family_id``: hash of the normal form without literals; templates: with template and cell.

    Programs of one family never stand in different splits.
    """
    form = normal_form(draft.program.source, draft.program.entry_point, literals=False)
    constraint = draft.origin.constraint
    if constraint is None:
        return content_id(form)
    cell = [draft.origin.template, constraint.type, constraint.method, constraint.level]
    return content_id([form, cell])


class SeenKeys:
    """The keys of the programs kept so far, as digests of 16 bytes."""

    def __init__(self) -> None:
        self._seen: set[bytes] = set()

    def find(self, keys: Mapping[str, str]) -> str | None:
        """Name of the first of ``keys`` that a kept program has too."""
        return next((name for name, key in keys.items() if _digest(name, key) in self._seen), None)

    def add(self, keys: Mapping[str, str]) -> None:
        """Remember a kept program."""
        self._seen.update(_digest(name, key) for name, key in keys.items())


def _digest(name: str, key: str) -> bytes:
    return hashlib.sha256(f"{name}:{key}".encode()).digest()[:16]
