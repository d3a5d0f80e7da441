"""Canonical text of live values, read without running any code of the program."""

from __future__ import annotations

import ast
import collections
import enum
import math
from typing import Any

from oracle.objects import (
    CONTENT,
    content_base,
    factory_of,
    hex_digits,
    instance_dict,
    instance_fields,
    is_program_class,
    known_factory,
    length,
    mro,
    qualname,
    reads_back,
    type_text,
)

INT_CHARS = 40_000
MAX_DEPTH = 100


class TooLargeError(Exception):
    """The text would pass a limit."""


def float_text(value: float) -> str:
    """A literal, or `float('nan')` and its like."""
    if math.isfinite(value):
        return repr(value)
    return f"float('{value!r}')"


def same_bits(a: float, b: float) -> bool:
    """Equal with sign of zero."""
    return a == b and math.copysign(1, a) == math.copysign(1, b)


def complex_text(value: complex) -> str:
    """The literal where it reads back exactly."""
    if math.isfinite(value.real) and math.isfinite(value.imag):
        again = complex(ast.literal_eval(repr(value)))
        if same_bits(again.real, value.real) and same_bits(again.imag, value.imag):
            return repr(value)
    return f"complex({float_text(value.real)}, {float_text(value.imag)})"


class Encoder:
    """Encodes values within the limits of one run."""

    def __init__(self, max_chars: int) -> None:
        self.max_chars = max_chars

    def encode(self, value: object) -> tuple[str, str]:
        """Type text and canonical text (or `too_large(n)`)."""
        kind = type_text(type(value))
        if type(value) is int and hex_digits(value) <= INT_CHARS:
            text = self.int_text(value)
            if len(text) <= max(INT_CHARS, self.max_chars):
                return kind, text
            return kind, f"too_large({length(value)})"
        try:
            return kind, self.within(self.text(value, ()))
        except TooLargeError:
            return kind, f"too_large({length(value)})"

    def within(self, text: str) -> str:
        """The text, unless it is too long."""
        if len(text) > self.max_chars:
            raise TooLargeError
        return text

    def is_faithful(self, value: object) -> bool:
        """Whether the canonical text reads back to an equal value of the same types."""
        return reads_back(value, ()) and not self.encode(value)[1].startswith("too_large(")

    def int_text(self, value: int) -> str:
        """Decimal up to 4,300 digits, then hexadecimal."""
        if value.bit_length() < 14_000:
            return int.__repr__(value)
        return hex(value) if abs(value) >= 10**4300 else self.decimal(value)

    def decimal(self, value: int) -> str:
        """Decimal digits whatever limit the program has set."""
        digits, rest = "", abs(value)
        while rest >= 10**500:
            rest, part = divmod(rest, 10**500)
            digits = f"{part:0500d}{digits}"
        return f"{'-' if value < 0 else ''}{rest}{digits}"

    def join(self, items: Any, path: tuple[int, ...]) -> str:
        """Items as text with commas, given up as soon as they are too long."""
        parts, size = [], 0
        for item in items:
            parts.append(self.text(item, path))
            size += len(parts[-1]) + 2
            if size > self.max_chars + 2:
                raise TooLargeError
        return ", ".join(parts)

    def pairs(self, value: Any, path: tuple[int, ...]) -> str:
        """`k: v` in insertion order."""
        parts, size = [], 0
        for key, item in dict.items(value):
            parts.append(f"{self.text(key, path)}: {self.text(item, path)}")
            size += len(parts[-1]) + 2
            if size > self.max_chars + 2:
                raise TooLargeError
        return "{" + ", ".join(parts) + "}"

    def members(self, items: list[Any], path: tuple[int, ...]) -> str:
        """Elements of a set in canonical order, with braces."""
        kinds = {type(i) for i in items}
        natural = kinds in ({int}, {str}) or (kinds == {float} and all(map(math.isfinite, items)))
        if natural:
            return "{" + self.join(sorted(items), path) + "}"
        texts = sorted((type_text(type(i)), self.text(i, path)) for i in items)
        return self.within("{" + ", ".join(t for _, t in texts) + "}")

    def text(self, value: Any, path: tuple[int, ...]) -> str:
        """Canonical text of a value met inside the containers of `path` (their ids)."""
        kind = type(value)
        if kind in CONTENT:
            return self.builtin(value, kind, path)
        if kind in (bool, type(None), range):
            return repr(value)
        if value is Ellipsis:
            return "Ellipsis"
        if type in mro(kind):
            return "<type>"
        if is_program_class(kind):
            return self.instance(value, path)
        return f"<{type_text(kind)}>"

    def builtin(self, value: Any, kind: Any, path: tuple[int, ...]) -> str:
        """Text of the content of a builtin or `collections` type."""
        if kind is int:
            if hex_digits(value) > self.max_chars:
                raise TooLargeError
            return self.int_text(int.__index__(value))
        if kind is float:
            return float_text(float.__float__(value))
        if kind is complex:
            return complex_text(
                complex(float(complex.real.__get__(value)), float(complex.imag.__get__(value)))
            )
        if kind.__len__(value) > self.max_chars:
            raise TooLargeError
        if kind in (str, bytes, bytearray):
            return self.within(kind.__repr__(kind.__getitem__(value, slice(None))))
        if id(value) in path:
            return "<cycle>"
        if len(path) >= MAX_DEPTH:
            raise TooLargeError
        return self.within(self.container(value, kind, (*path, id(value))))

    def container(self, value: Any, kind: Any, path: tuple[int, ...]) -> str:
        """Text of a container whose id `path` holds already."""
        if kind is list:
            return f"[{self.join(list.__iter__(value), path)}]"
        if kind is tuple:
            comma = "," if tuple.__len__(value) == 1 else ""
            return f"({self.join(tuple.__iter__(value), path)}{comma})"
        if kind is dict:
            return self.pairs(value, path)
        if kind in (set, frozenset):
            body = self.members(list(kind.__iter__(value)), path) if kind.__len__(value) else ""
            if kind is set:
                return body or "set()"
            return f"frozenset({body})"
        if kind is collections.deque:
            bound = collections.deque.maxlen.__get__(value)
            end = "" if bound is None else f", maxlen={bound}"
            return f"collections.deque([{self.join(kind.__iter__(value), path)}]{end})"
        if kind is collections.Counter:
            return f"collections.Counter({self.pairs(value, path)})"
        if kind is collections.OrderedDict:
            ordered = all(reads_back(k, ()) for k in dict.keys(value))
            items = ", ".join(
                self.within(f"({self.text(k, path)}, {self.text(v, path)})")
                for k, v in (kind if ordered else dict).items(value)
            )
            return f"collections.OrderedDict([{items}])"
        if not known_factory(value):
            return "<collections.defaultdict>"
        factory = factory_of(value)
        name = None if factory is None else qualname(factory)
        return f"collections.defaultdict({name}, {self.pairs(value, path)})"

    def instance(self, value: Any, path: tuple[int, ...]) -> str:
        """`<Stack [4] a=1>`; `<Color.RED>` for enum members."""
        name = type_text(type(value))
        if enum.Enum in mro(type(value)):
            member = instance_dict(value).get("_name_")
            if type(member) is str:
                return f"<{name}.{member}>"
        if id(value) in path:
            return "<cycle>"
        if len(path) >= MAX_DEPTH:
            raise TooLargeError
        base = content_base(value)
        inner = (*path, id(value))
        parts = [name]
        if base is not None:
            parts.append(self.builtin(value, base, path))
        fields = ", ".join(
            self.within(f"{k}={self.text(v, inner)}") for k, v in instance_fields(value)
        )
        if fields:
            parts.append(fields)
        return self.within(f"<{' '.join(parts)}>")
