"""Content hashes: the ids of rows, recipes and families.

An id is the beginning of the SHA-256 of canonical JSON (sorted keys, no spaces, ASCII only), so
that it is the same on every machine and Python version.
"""

from __future__ import annotations

import hashlib
import json
from typing import Any

ID_LENGTH = 16
"""Hexadecimal characters of an id."""
_ENCODER = json.JSONEncoder(sort_keys=True, separators=(",", ":"), ensure_ascii=True)


def canonical_json(content: Any) -> str:
    """``content`` as JSON text that is equal for equal content."""
    return _ENCODER.encode(content)


def content_id(content: Any) -> str:
    """The id of JSON-able ``content``: 16 hexadecimal characters."""
    return hashlib.sha256(canonical_json(content).encode("ascii")).hexdigest()[:ID_LENGTH]
