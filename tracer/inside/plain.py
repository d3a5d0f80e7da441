"""Live values to plain data and back: all that a solution and its tests exchange.

Plain data is what canonical text can hold (see :mod:`tracer.inside.encode`). An instance of a
subclass of a built-in type is written as its built-in content, so a ``namedtuple`` is a tuple, an
``IntEnum`` member an int, and an int whose ``__eq__`` always agrees just that int. No code of the
program runs to find this out. Anything else has no text.

Source: own (DESIGN, section 3, "Verification").
"""

from __future__ import annotations

import collections
from builtins import (  # noqa: UP029 - the program may replace them in ``builtins`` later
    bool,
    bytearray,
    bytes,
    complex,
    dict,
    eval,
    float,
    frozenset,
    int,
    len,
    list,
    range,
    set,
    str,
    tuple,
    type,
    zip,
)
from collections import Counter, OrderedDict, defaultdict, deque
from typing import Any

from tracer.inside.encode import Encoder
from tracer.inside.objects import (
    CONTENT_BASES,
    FACTORIES,
    exact_scalar,
    factory_of,
    first_of,
    maxlen_of,
    mro_of,
    ordered_items,
)
from tracer.inside.outcomes import looks_faithful

MAX_DEPTH = 80
"""Most containers inside each other: beyond it Python cannot read the text of a value."""

_SCALARS: tuple[Any, ...] = (str, int, float, complex, bytes, bytearray)
_DICTS: tuple[Any, ...] = (OrderedDict, Counter, defaultdict, dict)
_NAMES: dict[str, Any] = {
    "__builtins__": {},
    "collections": collections,
    "Ellipsis": ...,
    "range": range,
    **{kind.__name__: kind for kind in FACTORIES},
}


class NotPlain(Exception):
    """The value is no plain data, or too much of it."""


def read_text(text: str) -> Any:
    """Build the value of canonical text that is known to be such."""
    return eval(text, _NAMES)


class PlainWriter:
    """Writes values as the canonical text of plain data.

    Args:
        max_chars: longest text, in characters.
        program_module: ``__module__`` of the classes that the program defines.
    """

    __slots__ = ("_encoder", "_room")

    def __init__(self, max_chars: int, program_module: str) -> None:
        self._encoder = Encoder(max_chars, MAX_DEPTH, program_module)
        self._room = max_chars

    def text(self, value: object) -> str | None:
        """Canonical text of ``value`` as plain data; ``None`` if it is none or too long."""
        text = self._encoder.text(value)
        if "<" not in text:
            return None if str.startswith(text, "too_large(") else text
        if looks_faithful(text):
            return text
        try:
            text = self._encoder.text(self._rebuild(value, [self._room], 0))
        except NotPlain:
            return None
        return text if looks_faithful(text) else None

    def type_text(self, value: object) -> str:
        """Type text of any value."""
        return self._encoder.type_text(value)

    def _rebuild(self, value: Any, room: list[int], depth: int) -> Any:
        """The plain data in ``value``.

        Args:
            value: what to read.
            room: parts that may still be read, in a list of one.
            depth: containers around ``value``.

        Raises:
            NotPlain: some part of it is no plain data.
        """
        room[0] -= 1
        if room[0] < 0 or depth > MAX_DEPTH:
            raise NotPlain
        cls = type(value)
        if cls is bool or value is None or value is ... or cls is range:
            return value
        base = first_of(CONTENT_BASES, mro_of(cls))
        if base is None:
            raise NotPlain
        if first_of(_SCALARS, (base,)) is not None:
            return value if cls is base else exact_scalar(value, base)
        depth += 1
        if first_of(_DICTS, (base,)) is not None:
            return self._rebuild_dict(value, base, room, depth)
        parts = [self._rebuild(part, room, depth) for part in base.__iter__(value)]
        if base is deque:
            return deque(parts, maxlen_of(value))
        if base is set or base is frozenset or base is tuple:
            return base(parts)
        return parts

    def _rebuild_dict(self, value: Any, base: Any, room: list[int], depth: int) -> Any:
        items = ordered_items(value) if base is OrderedDict else dict.items(value)
        built: Any = {}
        if base is OrderedDict or base is Counter:
            built = base()
        elif base is defaultdict:
            factory = factory_of(value)
            if factory is None or first_of(FACTORIES, (factory,)) is not None:
                built = defaultdict(factory)
        put = OrderedDict.__setitem__ if base is OrderedDict else dict.__setitem__
        for key, part in items:
            put(built, self._rebuild(key, room, depth), self._rebuild(part, room, depth))
        return built


def update_in_place(old: Any, new: Any) -> None:
    """Give the container ``old`` the content of ``new``, which has the same type.

    Inner containers of the same type and place are kept and updated as well, so that whoever holds
    one of them sees the change.
    """
    if type(old) is list or type(old) is deque:
        for place, part in enumerate(new):
            if place < len(old) and is_updatable(old[place], part):
                update_in_place(old[place], part)
                part = old[place]
            if place < len(old):
                old[place] = part
            else:
                old.append(part)
        while len(old) > len(new):
            old.pop()
    elif type(old) is tuple:
        for mine, theirs in zip(old, new, strict=False):
            if is_updatable(mine, theirs):
                update_in_place(mine, theirs)
    elif type(old) is bytearray:
        old[:] = new
    elif type(old) is set:
        old.clear()
        old.update(new)
    else:
        kept = dict(old)
        old.clear()
        for key, part in dict.items(new):
            mine = kept.get(key)
            if is_updatable(mine, part):
                update_in_place(mine, part)
                part = mine
            old[key] = part


_UPDATABLE = (list, deque, tuple, bytearray, set, *_DICTS)


def is_updatable(old: Any, new: Any) -> bool:
    """Whether :func:`update_in_place` can give ``old`` the content of ``new``."""
    return type(old) is type(new) and type(old) in _UPDATABLE
