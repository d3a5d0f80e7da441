"""Arguments found in one another: the key of a dictionary, the letter of a text.

``remove([1, 5, 9], 5)`` calls for ``remove([1, 5, 9], 9)`` more than for ``remove([1, 5, 9], 6)``.
"""

from __future__ import annotations

import random
from collections.abc import Sequence

from factory.inputs.rendering import in_order
from factory.inputs.shapes import Value

_COLLECTIONS = (list, tuple, set, frozenset, dict)


def holders(index: int, values: Sequence[Value]) -> tuple[int, ...]:
    """Return the places of the arguments that hold the argument at ``index``."""
    value = values[index]
    return tuple(
        place for place, other in enumerate(values) if place != index and _holds(other, value)
    )


def _holds(other: Value, value: Value) -> bool:
    if type(other) in _COLLECTIONS:
        return any(type(each) is type(value) and bool(each == value) for each in other)
    if type(other) is type(value) and type(value) in (str, bytes):
        return 0 < len(value) < len(other) and value in other
    return False


def another_part(value: Value, holder: Value, rng: random.Random) -> Value:
    """Return another element of ``holder``, or another part of a text as long as ``value``.

    ``value`` itself when the holder has become something else or empty.
    """
    if type(holder) in _COLLECTIONS and holder:
        return rng.choice(in_order(holder))
    if type(holder) is type(value) and type(value) in (str, bytes) and len(holder) > len(value):
        start = rng.randint(0, len(holder) - len(value))
        return holder[start : start + len(value)]
    return value
