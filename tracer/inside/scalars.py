"""Canonical text of numbers, text and the other values that hold nothing.

Works on values of exactly the built-in types, so no code of the program can run. The built-in
names are bound at import: the program may replace them in ``builtins`` later.

Source: own.
"""

from __future__ import annotations

from builtins import (  # noqa: UP029 - see the module's docstring
    Exception,
    bool,
    bytearray,
    bytes,
    complex,
    float,
    hex,
    int,
    len,
    range,
    repr,
    str,
)
from math import copysign, isfinite
from typing import Any

DECIMAL_DIGITS = 4_300
"""Ints with more decimal digits are written in hexadecimal."""

_TEN_TO_THE_DIGITS = 10**DECIMAL_DIGITS
_CHUNK_DIGITS = 600  # below 640, the least that sys.set_int_max_str_digits() accepts
_CHUNK = 10**_CHUNK_DIGITS
SHORT_INT = 10**18
"""Ints nearer to zero than this are written without further ado."""
SHORT_BITS = 60
"""Ints of fewer bits are nearer to zero than ``SHORT_INT``."""

_start_of, _stop_of, _step_of = (range.__dict__[part].__get__ for part in ("start", "stop", "step"))


class TooLarge(Exception):
    """The text would be longer or deeper than the limits allow."""


def scalar_text(value: Any, cls: type, room: int) -> str | None:
    """Text of a value whose type is exactly a scalar type; ``None`` for any other value.

    Args:
        value: What to write.
        cls: ``type(value)``.
        room: Characters that may be written; a somewhat longer text may still be returned, a much
            longer one is never made.

    Raises:
        TooLarge: The text is longer than ``room``.
    """
    if cls is int:
        return int_text(value, room)
    if cls is str or cls is bytes or cls is bytearray:
        if len(value) > room:
            raise TooLarge
        return repr(value)
    if cls is bool:
        return "True" if value else "False"
    if value is None:
        return "None"
    if cls is float:
        return _float_text(value)
    if cls is complex:
        return _complex_text(value)
    if cls is range:
        return _range_text(value, room)
    if value is ...:
        return "Ellipsis"
    return None


def int_text(value: int, room: int) -> str:
    """Decimal text of up to ``DECIMAL_DIGITS`` digits, else hexadecimal.

    Raises:
        TooLarge: The text is longer than ``room`` characters.
    """
    if -SHORT_INT < value < SHORT_INT:
        return repr(value)
    if int.bit_length(value) // 4 > room:
        raise TooLarge
    if -_TEN_TO_THE_DIGITS < value < _TEN_TO_THE_DIGITS:
        return _decimal_text(value)
    return hex(value)


def hex_digits(value: int) -> int:
    """Number of hexadecimal digits of ``value``, without sign."""
    return (int.bit_length(value) + 3) // 4


def range_size(value: range) -> int:
    """Hexadecimal digits of the three parts of a range."""
    return hex_digits(_start_of(value)) + hex_digits(_stop_of(value)) + hex_digits(_step_of(value))


def _decimal_text(value: int) -> str:
    # In chunks, because the program may have lowered the limit of digits that repr() writes.
    if value < 0:
        return "-" + _decimal_text(-value)
    chunks: list[str] = []
    while value >= _CHUNK:
        value, rest = value // _CHUNK, value % _CHUNK
        chunks.append(str.rjust(repr(rest), _CHUNK_DIGITS, "0"))
    chunks.append(repr(value))
    return str.join("", chunks[::-1])


def _float_text(value: float) -> str:
    return repr(value) if isfinite(value) else f"float('{float.__repr__(value)}')"


def _complex_text(value: complex) -> str:
    real, imag = value.real, value.imag
    negative_imag = copysign(1.0, imag) < 0
    if real == 0:
        kept = copysign(1.0, real) > 0 and not negative_imag
    else:
        kept = imag != 0 or not negative_imag
    if kept and isfinite(real) and isfinite(imag):
        return repr(value)
    return f"complex({_float_text(real)}, {_float_text(imag)})"


def _range_text(value: range, room: int) -> str:
    text = f"range({int_text(_start_of(value), room)}, {int_text(_stop_of(value), room)}"
    step = _step_of(value)
    return f"{text})" if step == 1 else f"{text}, {int_text(step, room)})"
