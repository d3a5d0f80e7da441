"""Flat built-in containers: their text in one go, and a cheap proof that they have not changed.

A list, tuple, dict, set or frozenset that holds nothing but scalars is the same as before when
each of its elements is the identical object. So its elements, and never the container itself, are
kept beside its text. The built-in names are bound at import: the program may replace them in
``builtins`` later.

Source: own.
"""

from __future__ import annotations

from builtins import (  # noqa: UP029 - see the module's docstring
    all,
    bool,
    bytes,
    complex,
    dict,
    float,
    frozenset,
    id,
    int,
    len,
    list,
    map,
    max,
    min,
    repr,
    set,
    sorted,
    str,
    sum,
    tuple,
    type,
)
from math import isfinite
from operator import is_
from typing import Any, TypeAlias

from tracer.inside.encode import Encoder
from tracer.inside.scalars import SHORT_INT

Signature: TypeAlias = tuple[int, list[Any], list[Any]]
"""Identity of the type, the elements or keys, and the values of a dict."""

SCALAR_IDS = frozenset(map(id, (int, str, float, bool, bytes, complex, type(None))))
"""Identities of the types whose values hold nothing and never change."""
FLAT_IDS = frozenset(map(id, (list, tuple, dict, set, frozenset)))
"""Identities of the container types that can be signed."""
# Identities, as looking up a type may call its metaclass.

_NAMES = {id(kind): kind.__name__ for kind in (list, tuple, dict, set, frozenset)}
_EMPTY = {id(kind): repr(kind()) for kind in (list, tuple, dict, set, frozenset)}
_DICT, _FROZENSET = id(dict), id(frozenset)
_SETS = {id(set): ("{", "}"), _FROZENSET: ("frozenset({", "})")}
_INTS, _TEXTS, _FLOATS = {id(int)}, {id(str)}, {id(float)}
_NATURAL = (_INTS, _TEXTS, _FLOATS)


def matches(value: Any, kind: int, signature: Signature) -> bool:
    """Tell whether ``value``, whose type has the identity ``kind``, is as it was when signed."""
    held = signature[1]
    if kind != signature[0] or len(value) != len(held):
        return False
    if kind == _DICT and not all(map(is_, value.values(), signature[2])):
        return False
    return all(map(is_, value, held))


def describe_flat(encoder: Encoder, value: Any, kind: int) -> tuple[str, str, Signature | None]:
    """Type text, canonical text and, where it holds only scalars, signature of a container.

    Args:
        encoder: Has the limits and writes what is not flat.
        value: Of a type in ``FLAT_IDS``, exactly.
        kind: Identity of its type.
    """
    name, room = _NAMES[kind], encoder.max_chars
    size = len(value)
    if encoder.max_depth < 1:
        return name, encoder.text(value), None
    if not size:
        return name, _EMPTY[kind], (kind, [], [])
    if 3 * size - 2 > room:
        return name, f"too_large({size})", None
    held = [*value]
    kinds = {*map(id, map(type, held))}
    values = [*value.values()] if kind == _DICT else []
    value_kinds = {*map(id, map(type, values))}
    if not (kinds <= SCALAR_IDS and value_kinds <= SCALAR_IDS):
        return name, encoder.text(value), None
    text = None
    if kind not in _SETS:
        if _is_plain(held, kinds, room) and _is_plain(values, value_kinds, room):
            text = repr(value)
    elif kinds in _NATURAL and _is_plain(held, kinds, room):
        opening, closing = _SETS[kind]
        text = opening + repr(sorted(held))[1:-1] + closing
    if text is None:
        text = encoder.text(value)
    elif len(text) > room:
        text = f"too_large({size})"
    return name, text, (kind, held, values)


def _is_plain(elements: list[Any], kinds: set[int], room: int) -> bool:
    """Tell whether ``repr`` of each of these scalars is its canonical text and not too long."""
    if kinds == _INTS:
        return bool(-SHORT_INT < min(elements) and max(elements) < SHORT_INT)
    if kinds == _TEXTS:
        return sum(map(len, elements)) <= room
    for element in elements:
        cls = type(element)
        if cls is int:
            if not -SHORT_INT < element < SHORT_INT:
                return False
        elif cls is str or cls is bytes:
            room -= len(element)
        elif cls is float:
            if not isfinite(element):
                return False
        elif cls is complex:
            return False
    return room >= 0
