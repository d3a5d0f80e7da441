"""How containers are written: opening text, children with the text before each, closing text.

The children of ``{1: 2}`` are ``("", 1)`` and ``(": ", 2)``. They are read through the iterators of
the built-in types, lazily, so a long container costs nothing beyond what is written of it. The
built-in names are bound at import: the program may replace them in ``builtins`` later.

Source: own.
"""

from __future__ import annotations

from builtins import (  # noqa: UP029 - see the module's docstring
    all,
    bool,
    dict,
    float,
    frozenset,
    id,
    int,
    iter,
    len,
    list,
    map,
    max,
    min,
    range,
    set,
    str,
    sum,
    tuple,
    type,
    zip,
)
from collections import Counter, OrderedDict, defaultdict, deque
from collections.abc import Iterable, Iterator
from itertools import chain, cycle, repeat
from math import isfinite
from typing import Any, TypeAlias

from tracer.inside.objects import FACTORIES, factory_of, first_of, maxlen_of, ordered_items
from tracer.inside.scalars import SHORT_INT, TooLarge

_DICTS = (dict, OrderedDict, Counter, defaultdict)
CONTAINERS: tuple[Any, ...] = (list, tuple, dict, set, frozenset, deque, *_DICTS[1:])
"""The container types whose content is written."""
NAMES: dict[type, str] = {
    kind: kind.__qualname__ for kind in (*FACTORIES, range, type(None), type(...))
} | {kind: f"collections.{kind.__name__}" for kind in (deque, *_DICTS[1:])}
"""Type text of every type that has a canonical text of its own."""

_INTS, _TEXTS, _FLOATS = {id(int)}, {id(str)}, {id(float)}

Pairs: TypeAlias = Iterator[tuple[str, Any]]
Opened: TypeAlias = tuple[str, Pairs, str]


def pairs_of(separators: Iterable[str], children: Iterable[Any]) -> Pairs:
    """Each child with the text before it: none for the first, then ``separators`` in turn."""
    return zip(chain(("",), separators), children)  # noqa: B905 - the separators never end


def empty(text: str) -> Opened:
    """A container that is written as a whole."""
    return text, iter(()), ""


def open_container(value: Any, kind: Any, room: int) -> Opened | str:
    """How a container other than a set is written; a ``str`` when it is no faithful container.

    Args:
        value: An instance of ``kind`` or of a subclass.
        kind: One of ``CONTAINERS``, no set.
        room: Characters that may be written.

    Raises:
        TooLarge: There is no room for even one character an element.
    """
    is_dict = first_of(_DICTS, (kind,)) is not None
    if 3 * (dict if is_dict else kind).__len__(value) - 2 > room:
        raise TooLarge
    if kind is list:
        if is_plain(list(list.__iter__(value)), room):
            return empty(list.__repr__(value))
        return "[", pairs_of(repeat(", "), list.__iter__(value)), "]"
    if kind is tuple:
        if is_plain(list(tuple.__iter__(value)), room):
            return empty(tuple.__repr__(value))
        closing = ",)" if tuple.__len__(value) == 1 else ")"
        return "(", pairs_of(repeat(", "), tuple.__iter__(value)), closing
    if kind is deque:
        maxlen = maxlen_of(value)
        closing = "])" if maxlen is None else f"], maxlen={maxlen})"
        return "collections.deque([", pairs_of(repeat(", "), deque.__iter__(value)), closing
    if kind is OrderedDict:
        if not dict.__len__(value):
            return empty("collections.OrderedDict([])")
        flat = chain.from_iterable(ordered_items(value))
        return "collections.OrderedDict([(", pairs_of(cycle((", ", "), (")), flat), ")])"
    if (
        kind is dict
        and is_plain(list(dict.keys(value)), room)
        and is_plain(list(dict.values(value)), room)
    ):
        return empty(dict.__repr__(value))
    opening, closing = "{", "}"
    if kind is Counter:
        opening, closing = "collections.Counter({", "})"
    elif kind is defaultdict:
        factory = factory_of(value)
        if factory is not None and first_of(FACTORIES, (factory,)) is None:
            return "<collections.defaultdict>"
        name = "None" if factory is None else NAMES[factory]
        opening, closing = f"collections.defaultdict({name}, {{", "})"
    return opening, pairs_of(cycle((": ", ", ")), chain.from_iterable(dict.items(value))), closing


def is_plain(elements: list[Any], room: int) -> bool:
    """Whether ``repr`` of each element is its canonical text, runs no code and is not too long.

    True only for elements that are all exactly short ints, all exactly text or all exactly finite
    floats.

    Args:
        elements: The elements.
        room: Characters that may be written; text of more than that is not plain.
    """
    kinds = set(map(id, map(type, elements)))  # ids, as hashing a type may call its metaclass
    if kinds == _INTS:
        return bool(-SHORT_INT < min(elements) and max(elements) < SHORT_INT)
    if kinds == _TEXTS:
        return sum(map(len, elements)) <= room
    return kinds == _FLOATS and all(map(isfinite, elements))


def sorts_naturally(elements: list[Any]) -> bool:
    """Whether all elements are exactly ints, exactly text or exactly finite floats."""
    kinds = set(map(id, map(type, elements)))
    if kinds == _FLOATS:
        return all(map(isfinite, elements))
    return kinds == _INTS or kinds == _TEXTS
