"""How a call ended, as plain data, without running the program's code to find out."""

from __future__ import annotations

from types import GetSetDescriptorType
from typing import Any

from tracer.inside.encode import Encoder
from tracer.inside.objects import module_name

PROGRAM_MODULE = "program"
"""Name of the module that a program is run as."""
_ARGS: GetSetDescriptorType = BaseException.__dict__["args"]
_MAX_MESSAGE = 1000


def outcome(
    kind: str, type_text: str | None = None, value: str | None = None, message: str | None = None
) -> dict[str, Any]:
    """Return an outcome in the shape of ``trace --json``."""
    return {"kind": kind, "type": type_text, "value": value, "message": message}


def describe_exception(error: BaseException, encoder: Encoder) -> dict[str, Any]:
    """Return the outcome of a call that ``error`` has left; memory has a kind of its own."""
    if isinstance(error, MemoryError):
        return outcome("memory", "MemoryError")
    return outcome("raised", encoder.type_text(error), None, _message(error, encoder))


def _message(error: BaseException, encoder: Encoder) -> str | None:
    """Return ``str(error)`` when its arguments are faithful and ``__str__`` is a library's.

    A RecursionError's message says where the limit was met, which is chance.
    """
    if isinstance(error, RecursionError):
        return None
    for base in type(error).__mro__:
        if "__str__" in base.__dict__:
            if module_name(base) in (None, PROGRAM_MODULE):
                return None
            break
    arguments = _ARGS.__get__(error)
    text = encoder.text(arguments)
    if not looks_faithful(text):
        return None
    try:
        message = str(error)
    except Exception:
        return None
    return message if len(message) <= _MAX_MESSAGE else None


def looks_faithful(text: str) -> bool:
    """Tell whether canonical ``text`` holds no opaque part, outside of its string literals."""
    if "<" not in text:
        return not text.startswith("too_large(")
    quote = ""
    skip = False
    for character in text:
        if skip:
            skip = False
        elif quote:
            if character == "\\":
                skip = True
            elif character == quote:
                quote = ""
        elif character in "'\"":
            quote = character
        elif character == "<":
            return False
    return not text.startswith("too_large(")
