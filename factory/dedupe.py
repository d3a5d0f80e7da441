"""Which programs count as the same, and which belong to one family."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from types import TracebackType

from factory.behaviour import find_behaviour
from factory.disk_index import open_index
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
    """The keys of the programs kept so far, as digests on disk; use it in ``with``."""

    def __init__(self) -> None:
        self._database = open_index("CREATE TABLE kept (digest BLOB PRIMARY KEY) WITHOUT ROWID")

    def __enter__(self) -> SeenKeys:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Delete the database."""
        self._database.close()

    def find(self, keys: Mapping[str, str]) -> str | None:
        """Name of the first of ``keys`` that a kept program has too."""
        query = "SELECT 1 FROM kept WHERE digest = ?"
        for name, key in keys.items():
            if self._database.execute(query, (_digest(name, key),)).fetchone():
                return name
        return None

    def add(self, keys: Mapping[str, str]) -> None:
        """Remember a kept program."""
        digests = [(_digest(name, key),) for name, key in keys.items()]
        self._database.executemany("INSERT OR IGNORE INTO kept VALUES (?)", digests)


def _digest(name: str, key: str) -> bytes:
    return hashlib.sha256(f"{name}:{key}".encode()).digest()[:16]
