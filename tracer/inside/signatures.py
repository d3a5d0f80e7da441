"""Built-in containers: their text in one go, and a cheap proof that they have not changed.

A list, tuple, dict, set or frozenset that holds nothing but scalars and such containers is the same
as before when each of its elements is the identical scalar or a container that is. So the scalars,
and never a container, are kept beside its text. The built-in names are bound at import: the program
may replace them in ``builtins`` later.

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
from tracer.inside.frames import WORD, memory, words
from tracer.inside.scalars import SHORT_INT

Signature: TypeAlias = tuple[int, int, list[Any], list[Any], bytes | None, tuple[Any, ...]]
"""What proves that a container is as it was, without holding it or any container inside.

A plain tuple, as one is made at every change of a container:

- the identity of its type, and its size;
- its elements or keys, where ``None`` stands for a container; empty when the size says it all;
- the values of a dict, likewise;
- the addresses of the elements as they stand in memory, where they can be read;
- the containers inside: pairs of their number among the elements or values, and their signature.
"""


SCALAR_IDS = frozenset(map(id, (int, str, float, bool, bytes, complex, type(None))))
"""Identities of the types whose values hold nothing and never change."""
FLAT_IDS = frozenset(map(id, (list, tuple, dict, set, frozenset)))
"""Identities of the container types that can be signed."""
# Identities, as looking up a type may call its metaclass.

_NAMES = {id(kind): kind.__name__ for kind in (list, tuple, dict, set, frozenset)}
_EMPTY = {id(kind): repr(kind()) for kind in (list, tuple, dict, set, frozenset)}
_DICT, _FROZENSET, _LIST, _TUPLE = id(dict), id(frozenset), id(list), id(tuple)
_DEEPEST = 20
"""Most containers inside each other that are signed."""
_SETS = {id(set): ("{", "}"), _FROZENSET: ("frozenset({", "})")}
_ITEMS_AT = 24
"""Place of the elements of a tuple, and of the pointer to those of a list, in the object."""
_INTS, _TEXTS, _FLOATS = {id(int)}, {id(str)}, {id(float)}
_NATURAL = (_INTS, _TEXTS, _FLOATS)


def matches(value: Any, kind: int, signature: Signature) -> bool:
    """Tell whether ``value``, whose type has the identity ``kind``, is as it was when signed."""
    signed_kind, size, held, values, raw, children = signature
    if kind != signed_kind or len(value) != size:
        return False
    if raw is not None:
        if _raw(value, kind, size) != raw:
            return False
        for index, inner in children:
            child = value[index]
            if not matches(child, id(type(child)), inner):
                return False
        return True
    if not held:
        return True
    if kind == _DICT:
        now = [*value.values()]
        for index, inner in children:
            child = now[index]
            if not matches(child, id(type(child)), inner):
                return False
            now[index] = None
        if not all(map(is_, now, values)):
            return False
    return all(map(is_, value, held))


def _raw(value: Any, kind: int, size: int) -> bytes | None:
    """The addresses of the first elements of a list or tuple as they stand in memory."""
    if memory is None:
        return None
    if kind == _LIST:
        first = words[(id(value) + _ITEMS_AT) >> 3]
    elif kind == _TUPLE:
        first = id(value) + _ITEMS_AT
    else:
        return None
    found: bytes = memory[first : first + WORD * size]
    return found


def describe_flat(
    encoder: Encoder, value: Any, kind: int, known: str = "", before: Signature | None = None
) -> tuple[str, str, Signature | None]:
    """Type text, canonical text and signature of a container.

    There is no signature for what holds anything but scalars and such containers.

    Args:
        encoder: Has the limits and writes what is not plain.
        value: Of a type in ``FLAT_IDS``, exactly.
        kind: Identity of its type.
        known: The text that the same variable had before.
        before: The signature that it had then.
    """
    name, room = _NAMES[kind], encoder.max_chars
    size = len(value)
    if encoder.max_depth < _DEEPEST:
        return name, encoder.text(value), None
    if not size:
        return name, _EMPTY[kind], (kind, 0, [], [], None, ())
    if 3 * size - 2 > room:
        return name, f"too_large({size})", (kind, size, [], [], None, ())
    if before is not None and kind == before[0] == _LIST and size == before[1] + 1 > 1:
        grown = _grown(value, size, known, before, room)
        if grown is not None:
            return name, *grown
    signed = _sign(value, kind, size, [room], _DEEPEST)
    if signed is None:
        return name, encoder.text(value), None
    signature, plain = signed
    if not plain:
        text = encoder.text(value)
    else:
        if kind in _SETS:
            opening, closing = _SETS[kind]
            text = opening + repr(sorted(signature[2]))[1:-1] + closing
        else:
            text = repr(value)
        if len(text) > room:
            text = f"too_large({size})"
    return name, text, signature


def _sign(
    value: Any, kind: int, size: int, budget: list[int], depth: int
) -> tuple[Signature, bool] | None:
    """The signature of a container, and whether ``repr`` of it (sorted, for a set) is its text.

    Returns:
        ``None`` when it holds what can't be signed, or is too large or deep. ``budget`` holds the
        characters that all of it may take.
    """
    held = [*value]
    room = budget[0]
    kinds = {*map(id, map(type, held))}
    if kind == _DICT:
        if not kinds <= SCALAR_IDS:
            return None
        plain = _is_plain(held, kinds, room)
        values = [*value.values()]
        found = _sign_elements(values, budget, depth)
    elif kind in _SETS:
        if not kinds <= SCALAR_IDS:
            return None
        natural = kinds in _NATURAL and _is_plain(held, kinds, room)
        return (kind, size, held, [], None, ()), natural
    else:
        plain, values = True, []
        if kinds <= SCALAR_IDS:
            raw = _raw(value, kind, size)
            return (kind, size, held, [], raw, ()), _is_plain(held, kinds, room)
        found = _sign_elements(held, budget, depth)
    if found is None:
        return None
    children, plain_elements = found
    signed = (kind, size, held, values, _raw(value, kind, size), children)
    return signed, plain and plain_elements


def _sign_elements(
    elements: list[Any], budget: list[int], depth: int
) -> tuple[tuple[tuple[int, Signature], ...], bool] | None:
    """Sign the containers among ``elements`` and put ``None`` in their places."""
    children = []
    plain = True
    for index, element in enumerate(elements):
        kind = id(type(element))
        if kind in SCALAR_IDS:
            continue
        if kind not in FLAT_IDS or depth <= 1:
            return None
        size = len(element)
        budget[0] -= 3 * size
        if budget[0] < 0:
            return None
        if size:
            signed = _sign(element, kind, size, budget, depth - 1)
            if signed is None:
                return None
            children.append((index, signed[0]))
            plain = plain and signed[1] and kind not in _SETS
        else:
            children.append((index, (kind, 0, [], [], None, ())))
        elements[index] = None
    return tuple(children), plain and _is_plain(
        elements, {*map(id, map(type, elements))}, budget[0]
    )


def _grown(
    value: list[Any], size: int, known: str, before: Signature, room: int
) -> tuple[str, Signature] | None:
    """Text and signature of a signed list with one more scalar at its end, made from the old."""
    _, _, held, _, raw, children = before
    last = value[-1]
    if raw is None or known[-1:] != "]" or _raw(value, _LIST, size - 1) != raw:
        return None
    kinds = {id(type(last))}
    if not kinds <= SCALAR_IDS or not _is_plain([last], kinds, room):
        return None
    text = f"{known[:-1]}, {last!r}]"
    if len(text) > room:
        text = f"too_large({size})"
    held.append(last)  # one list for all: it keeps the scalars, and ``raw`` is what is compared
    return text, (_LIST, size, held, [], _raw(value, _LIST, size), children)


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
