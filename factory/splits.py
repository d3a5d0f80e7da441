"""Which split a program family belongs to: by its hash, so that growth moves nobody."""

from __future__ import annotations

import hashlib

from factory.recipe_records import Shares


def choose_split(family_id: str, shares: Shares) -> str:
    """``train``, ``validation`` or ``test``: the same for every program of a family.

    The family's hash is a number in [0, 1); the shares cut that range, test first, so that a
    larger training share never moves a family between validation and test.
    """
    digest = hashlib.sha256(b"split:" + family_id.encode("ascii")).digest()
    place = int.from_bytes(digest[:8], "big") / 2**64
    if place < shares.test:
        return "test"
    return "validation" if place < shares.test + shares.validation else "train"
