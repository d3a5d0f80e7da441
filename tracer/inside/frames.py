"""Reads a frame's variables without leaving a trace in the frame.

Up to 3.12 ``frame.f_locals`` is a dictionary that the frame keeps, and the interpreter fills it
before every call of a trace function: an object that the program drops would stay alive in it
until the next event, and its ``__del__`` would run at the wrong moment. So the dictionary is
emptied again, after the flag that would write it back into the frame has been cleared. From 3.13
on ``f_locals`` is a view (PEP 667) and nothing has to be done.
"""

from __future__ import annotations

import sys
from types import CodeType, FrameType
from typing import Any

_OPTIMIZED = 0x1
_USES_LOCALS = frozenset({"locals", "vars", "dir", "eval", "exec", "_getframe", "f_locals"})
_FLAG_OFFSET = 16 + 3 * 8 + 4 + 2
"""Place of ``f_fast_as_locals`` in ``PyFrameObject`` of 3.11 and 3.12 (64-bit builds)."""


def keeps_locals(code: CodeType) -> bool:
    """Tell whether frames of ``code`` must keep their dictionary: the program may hold it."""
    return not code.co_flags & _OPTIMIZED or not _USES_LOCALS.isdisjoint(code.co_names)


def read_names(frame: FrameType) -> dict[str, Any]:
    """Return the locals, cells and free variables of ``frame``, by name."""
    code = frame.f_code
    values = dict(frame.f_locals)
    if not code.co_flags & _OPTIMIZED and code.co_freevars:
        outer = frame.f_back
        if outer is not None:
            around = read_names(outer)
            for name in code.co_freevars:
                if name in around and name not in values:
                    values[name] = around[name]
            forget_locals(outer)
    return values


def _forget_nothing(frame: FrameType) -> None:
    """Do nothing: the interpreter keeps no dictionary."""


def _clear_dictionary(frame: FrameType) -> None:
    """Empty the dictionary of ``frame`` without writing it back into the variables."""
    if not keeps_locals(frame.f_code):
        values = frame.f_locals
        _poke(id(frame) + _FLAG_OFFSET, 0, 1)
        values.clear()


def _clearing_works() -> bool:
    """Try it: the variable must survive and its object must die with it."""

    class Probe:
        pass

    def victim() -> bool:
        import weakref

        kept, gone = 1, Probe()
        reference = weakref.ref(gone)
        frame = sys._getframe()
        _clear_dictionary(frame)
        del gone
        return kept == 1 and reference() is None

    return victim()


forget_locals = _forget_nothing
if sys.version_info < (3, 13) and sys.implementation.name == "cpython":
    try:
        from ctypes import memset as _poke

        if sys.maxsize > 2**32 and not hasattr(sys, "getobjects") and _clearing_works():
            forget_locals = _clear_dictionary
    except (ImportError, OSError):
        pass
