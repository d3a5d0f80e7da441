"""Notes attempts at what the sandbox forbids, so that they are not taken for plain errors.

An audit hook cannot hold an attacker back and is not meant to: containment is the kernel's work
(:mod:`tracer.inside.containment`). It names, for honest rows, why a program failed here.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from typing import TypeVar

Result = TypeVar("Result")

_FORBIDDEN = (
    "socket.",
    "subprocess.",
    "os.system",
    "os.exec",
    "os.fork",
    "os.posix_spawn",
    "os.spawn",
    "os.kill",
    "os.putenv",
    "os.chmod",
    "os.chown",
    "_thread.start_new_thread",
    "_thread.start_joinable_thread",
    "signal.pthread_kill",
    "ctypes.",
    "gc.get_",
    "sys._current_frames",
)
_MEMORY = frozenset({"ctypes", "_ctypes"})
"""Modules that reach raw memory; ours are hidden, so that their import is seen."""
_WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
_LOCAL_SOCKETS = 1
"""AF_UNIX: pairs of these are allowed, since event loops wake themselves by them."""
NO_THREADS = ("RuntimeError", "can't start new thread")
"""What a refused thread raises; 3.11 has no audit event for the attempt."""
_attempts: list[str] = []
_quiet = False
_installed = False


def begin() -> None:
    """Start to watch; once in a process, for good."""
    global _installed
    if not _installed:
        _installed = True
        for name in _MEMORY:
            sys.modules.pop(name, None)
        home = os.path.realpath(os.curdir) + os.sep
        sys.addaudithook(lambda event, args: _note(event, args, home))


def first_attempt() -> str | None:
    """Return what was attempted first, in words, or ``None``."""
    return _attempts[0] if _attempts else None


def quietly(call: Callable[[], Result]) -> Result:
    """Return what ``call`` returns; what it does is our own doing."""
    global _quiet
    _quiet = True
    try:
        return call()
    finally:
        _quiet = False


def _note(event: str, args: tuple[object, ...], home: str) -> None:
    if _attempts or _quiet:
        return
    if event.startswith(_FORBIDDEN):
        if event != "socket.__new__" or len(args) < 2 or args[1] != _LOCAL_SOCKETS:
            _attempts.append(f"the program tried {event}")
    elif event == "import" and args[0] in _MEMORY:
        _attempts.append(f"the program tried to import {args[0]}")
    elif event == "open" and len(args) == 3:
        path, _, flags = args
        if isinstance(flags, int) and flags & _WRITING and isinstance(path, str | bytes):
            target = os.path.realpath(os.fsdecode(path))
            if target != os.devnull and not target.startswith(home):
                _attempts.append("the program tried to write outside its directory")
