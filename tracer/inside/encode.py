"""Live values to canonical text, without running any code of the program.

``describe([1, {"a"}])`` is ``("list", "[1, {'a'}]")``. The grammar (DESIGN, section 3, "Value"):
Python literals plus ``set()``, ``frozenset({1})``, ``range(0, 5)``, ``bytearray(b'a')``,
``float('nan')``, ``complex(0.0, -1.0)`` where a literal would lose a sign, ``Ellipsis``,
``collections.deque([1], maxlen=3)``, ``collections.Counter({'a': 1})``,
``collections.OrderedDict([('a', 1)])``, ``collections.defaultdict(list, {})``; instances of the
program's classes as ``<Stack [4] a=1, b=2>``, members of its enums as ``<Color.RED>``, everything
else as ``<type text>``. What is longer or deeper than the limits is ``too_large(n)``.

Everything is read through C slots of the built-in base types: no ``__repr__``, ``__eq__``,
``__hash__``, ``__len__``, ``__iter__``, property or metaclass method of the program is ever called,
no iterator is advanced, no reference is kept, and replacing names in ``builtins`` changes nothing.

Source: own.
"""

from __future__ import annotations

from builtins import (  # noqa: UP029 - see the module's docstring
    bytearray,
    bytes,
    dict,
    frozenset,
    id,
    int,
    isinstance,
    iter,
    len,
    list,
    range,
    repr,
    set,
    sorted,
    str,
    tuple,
    type,
)
from collections import deque
from enum import Enum
from itertools import chain, repeat
from typing import Any

from tracer.inside.containers import (
    CONTAINERS,
    NAMES,
    Opened,
    Pairs,
    empty,
    is_plain,
    open_container,
    pairs_of,
    sorts_naturally,
)
from tracer.inside.objects import (
    CONTENT_BASES,
    exact_scalar,
    fields,
    first_of,
    instance_dict,
    is_hidden,
    module_name,
    mro_of,
    qualified_name,
)
from tracer.inside.scalars import SHORT_INT, TooLarge, hex_digits, range_size, scalar_text

__all__ = ["INT_CHARS", "Encoder", "is_hidden"]

INT_CHARS = 40_000
"""Longest text kept of a value that is an int, in characters."""

_SIZED: tuple[Any, ...] = (list, tuple, dict, set, frozenset, deque, str, bytes, bytearray)


class Encoder:
    """Writes values as canonical text within limits of size.

    Args:
        max_chars: Longest text kept, in characters; a value that is an int may take
            ``INT_CHARS``.
        max_depth: Most containers and instances inside each other.
        program_module: ``__module__`` of the classes that the program defines.
    """

    __slots__ = ("_program_module", "max_chars", "max_depth")

    def __init__(
        self, max_chars: int = 1000, max_depth: int = 100, program_module: str = "program"
    ) -> None:
        self.max_chars = max_chars
        self.max_depth = max_depth
        self._program_module = program_module

    def describe(self, value: Any) -> tuple[str, str]:
        """Type text and canonical text (or ``too_large(n)``) of ``value``."""
        cls = type(value)
        if cls is int and -SHORT_INT < value < SHORT_INT:
            return "int", repr(value)
        if cls is str and len(value) <= self.max_chars:
            text = repr(value)
            return "str", text if len(text) <= self.max_chars else f"too_large({len(value)})"
        return self.type_text(value), self.text(value)

    def type_text(self, value: object) -> str:
        """``int``, ``collections.deque``, ``Node``: the type of ``value``."""
        cls = type(value)
        if type(cls) is type:  # else looking cls up would call its metaclass
            name = NAMES.get(cls)
            if name is not None:
                return name
        return self._class_text(cls)

    def text(self, value: object) -> str:
        """Canonical text of ``value``, or ``too_large(n)``.

        ``n`` is the number of hexadecimal digits of an int, the length of the built-in content of
        any other value, and the number of fields of an instance without such content.
        """
        cls = type(value)
        room = self.max_chars
        if cls is int and room < INT_CHARS:
            room = INT_CHARS
        try:
            text = scalar_text(value, cls, room)
            if text is None:
                return self._render(value, room, 0, set())
            if len(text) <= room:
                return text
        except TooLarge:
            pass
        return f"too_large({self._size(value, cls)})"

    def _size(self, value: Any, cls: type) -> int:
        mro = mro_of(cls)
        sized = first_of(_SIZED, mro)
        if sized is not None:
            size: int = sized.__len__(value)
            return size
        if first_of((int,), mro) is not None:
            return hex_digits(int.__int__(value))
        return range_size(value) if cls is range else len(fields(value, mro))

    def _class_text(self, cls: type) -> str:
        name, module = qualified_name(cls), module_name(cls)
        if module is None or module == self._program_module or module == "builtins":
            return name
        return f"{module}.{name}"

    def _render(self, value: object, room: int, depth: int, active: set[int]) -> str:
        """Text of ``value``; loops instead of recursing, as the program's stack may be deep.

        Args:
            value: What to write.
            room: Characters that may be written.
            depth: Containers already around ``value``.
            active: Ids of those containers.

        Raises:
            TooLarge: The text would not fit.
        """
        out: list[str] = []
        stack: list[tuple[Pairs, str, int]] = []
        pairs: Pairs = iter((("", value),))
        closing = ""
        while True:
            for separator, child in pairs:
                cls = type(child)
                text = scalar_text(child, cls, room)
                if text is None:
                    key = id(child)
                    if key in active:
                        text = "<cycle>"
                    else:
                        active.add(key)
                        opened = self._open(child, cls, room, depth + 1, active)
                        if not isinstance(opened, str):
                            if depth >= self.max_depth:
                                raise TooLarge
                            depth += 1
                            stack.append((pairs, closing, key))
                            opening, pairs, closing = opened
                            out.append(separator + opening)
                            room -= len(separator) + len(opening)
                            break
                        active.discard(key)
                        text = opened
                out.append(separator)
                out.append(text)
                room -= len(separator) + len(text)
                if room < 0:
                    raise TooLarge
            else:
                out.append(closing)
                room -= len(closing)
                if room < 0:
                    raise TooLarge
                if not stack:
                    return str.join("", out)
                pairs, closing, key = stack.pop()
                active.discard(key)
                depth -= 1

    def _open(self, value: Any, cls: type, room: int, depth: int, active: set[int]) -> Opened | str:
        """How a value that is no scalar is written: whole, or by its children."""
        for kind in CONTAINERS:
            if cls is kind:
                if kind is set or kind is frozenset:
                    return self._open_set(value, kind, room, depth, active)
                return open_container(value, kind, room)
        mro = mro_of(cls)
        if first_of((type,), mro) is not None:
            return "<type>"
        name, module = self._class_text(cls), module_name(cls)
        if module is not None and module != self._program_module:
            return f"<{name}>"
        if first_of((Enum,), mro) is not None:
            return f"<{name}.{self._member_name(value, mro, room, depth, active)}>"
        opening, pairs, closing = empty(f"<{name}")
        base = first_of(CONTENT_BASES, mro)
        if base is not None:
            opening, pairs, closing = self._open_content(value, base, room, depth, active)
            opening = f"<{name} {opening}"
        own = fields(value, mro)
        if 4 * len(own) > room:
            raise TooLarge
        named: list[tuple[str, Any]] = []
        for field, held in own:
            shown = field if str.isidentifier(field) else repr(field)
            named.append((f"{',' if named else closing} {shown}=", held))
        return opening, chain(pairs, named), ">" if named else f"{closing}>"

    def _open_content(
        self, value: Any, base: type, room: int, depth: int, active: set[int]
    ) -> Opened:
        """The built-in content of an instance of a subclass."""
        if first_of(CONTAINERS, (base,)) is not None:
            if base is set or base is frozenset:
                return self._open_set(value, base, room, depth, active)
            opened = open_container(value, base, room)
            return empty(opened) if isinstance(opened, str) else opened
        if base is str and str.__len__(value) > room:
            raise TooLarge
        return empty(scalar_text(exact_scalar(value, base), base, room) or "")

    def _member_name(
        self, value: Any, mro: tuple[type, ...], room: int, depth: int, active: set[int]
    ) -> str:
        held = {}
        for name, part in dict.items(instance_dict(value, mro)):
            if type(name) is str:
                held[name] = part
        name = held.get("_name_")
        if type(name) is str:
            return name
        return self._render(held.get("_value_"), room, depth, active)

    def _open_set(self, value: Any, kind: Any, room: int, depth: int, active: set[int]) -> Opened:
        opening, closing = ("{", "}") if kind is set else ("frozenset({", "})")
        if 3 * kind.__len__(value) - 2 > room:
            raise TooLarge
        elements = list(kind.__iter__(value))
        if not elements:
            return empty("set()" if kind is set else "frozenset()")
        if sorts_naturally(elements):
            elements = sorted(elements)
            if is_plain(elements, room):
                return empty(opening + list.__repr__(elements)[1:-1] + closing)
            return opening, pairs_of(repeat(", "), elements), closing
        if depth > self.max_depth:
            raise TooLarge
        texts: list[tuple[str, str]] = []
        for element in elements:
            text = self._render(element, room, depth, active)
            texts.append((self.type_text(element), text))
            room -= len(text)
        return empty(opening + str.join(", ", [text for _, text in sorted(texts)]) + closing)
