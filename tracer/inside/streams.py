"""Standard input and output of the program, on the real descriptors 0 and 1."""

from __future__ import annotations

import contextlib
import io
import os
import sys


def open_streams() -> None:
    """Give the program fresh text streams over descriptors 0, 1 and 2."""
    sys.stdin = sys.__stdin__ = io.TextIOWrapper(  # type: ignore[misc]
        io.BufferedReader(io.FileIO(0, "r", closefd=False)), encoding="utf-8"
    )
    for name, descriptor in (("stdout", 1), ("stderr", 2)):
        raw = io.BufferedWriter(io.FileIO(descriptor, "w", closefd=False))
        stream = io.TextIOWrapper(
            raw, encoding="utf-8", errors="strict" if descriptor == 1 else "backslashreplace"
        )
        setattr(sys, name, stream)
        setattr(sys, f"__{name}__", stream)
    sys.argv = ["program"]


def _flush() -> None:
    current, original = sys.stdout, sys.__stdout__
    for stream in (current,) if current is original else (current, original):
        try:
            stream.flush()  # type: ignore[union-attr]
        except Exception:  # noqa: S112 - the program may have closed it, or put anything there
            continue


def restart_output() -> None:
    """Throw away what the module code printed: the output is that of the call alone."""
    _flush()
    with contextlib.suppress(OSError):
        os.ftruncate(1, 0)
        os.lseek(1, 0, os.SEEK_SET)


def read_output(limit: int) -> str:
    """Return what was printed since :func:`restart_output`, at most ``limit`` bytes."""
    _flush()
    try:
        chunks: list[bytes] = []
        left = limit
        while left > 0 and (chunk := os.pread(1, left, limit - left)):
            chunks.append(chunk)
            left -= len(chunk)
    except OSError:
        return ""
    return b"".join(chunks).decode("utf-8", "backslashreplace")
