"""Reads a frame's variables without leaving a trace in the frame.

Up to 3.12 ``frame.f_locals`` is a dictionary that the frame keeps and that is filled when it is
asked for: an object that the program drops would stay alive in it, and its ``__del__`` would run at
the wrong moment. So the dictionary is emptied again, after the flag that would write it back into
the frame has been cleared. From 3.13 on ``f_locals`` is a view (PEP 667) and nothing has to be
done.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from operator import attrgetter
from types import CodeType, FrameType
from typing import Any

_OPTIMIZED = 0x1
_USES_LOCALS = frozenset({"locals", "vars", "dir", "eval", "exec", "_getframe", "f_locals"})
FLAG_OFFSET = 16 + 3 * 8 + 4 + 2
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


def kept_dictionary(frame: FrameType) -> dict[str, Any] | None:
    """Return the dictionary that the interpreter keeps for ``frame``, if it can be emptied.

    Setting ``memory`` to 0 at ``FLAG_OFFSET`` behind the frame before the dictionary is cleared
    keeps the variables as they are.
    """
    return frame.f_locals if _clearing and not keeps_locals(frame.f_code) else None


read_locals: Callable[[FrameType], dict[str, Any]] = attrgetter("f_locals")
"""Returns the dictionary of a frame, filled."""


def forget_locals(frame: FrameType) -> None:
    """Empty the dictionary that the interpreter keeps for ``frame``, where it keeps one."""
    kept = kept_dictionary(frame)
    if kept is not None:
        memory[id(frame) + FLAG_OFFSET] = 0
        kept.clear()


def _clearing_works() -> bool:
    """Try it: the variable must survive and its object must die with it."""

    class Probe:
        pass

    def victim() -> bool:
        import weakref

        kept, gone = 1, Probe()
        reference = weakref.ref(gone)
        forget_locals(sys._getframe())
        del gone
        return kept == 1 and reference() is None

    return victim()


_clearing = False
memory: Any = None
"""All of this process, byte by byte, where that is needed."""
if sys.version_info < (3, 13) and sys.implementation.name == "cpython":
    try:
        from ctypes import c_ubyte

        if sys.maxsize > 2**32 and not hasattr(sys, "getobjects"):
            # One object made in advance: making one for each frame would be an audit event.
            memory = (c_ubyte * 2**47).from_address(0)
            _clearing = True
            _clearing = _clearing_works()
    except (ImportError, OSError):
        _clearing = False
