"""Which programs count as the same, and which belong to one family."""

from __future__ import annotations

import hashlib

from factory.identity import content_id
from factory.normal_form import normal_form
from factory.recipe_records import Dedupe
from factory.records import Draft


def dedupe_key(draft: Draft, rule: Dedupe) -> str | None:
    """Equal for programs of which only the first is kept; ``None`` when all are."""
    program = draft.program
    if rule == "none":
        return None
    if rule == "exact":
        return content_id([program.source, program.entry_point])
    return content_id(normal_form(program.source, program.entry_point, literals=True))


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

    def add(self, key: str | None) -> bool:
        """Remember ``key``; whether it was new."""
        if key is None:
            return True
        digest = hashlib.sha256(key.encode("utf-8")).digest()[:16]
        if digest in self._seen:
            return False
        self._seen.add(digest)
        return True
