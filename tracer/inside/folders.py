"""Empties a directory that a program has had, whatever it built there."""

from __future__ import annotations

import contextlib
import itertools
import os
import stat


def empty_folder(folder: int) -> None:
    """Remove everything beneath the open directory ``folder``.

    Subdirectories are taken apart from the top: what lies in one is moved up before it is removed,
    so neither depth nor length of paths matters. Nothing may be writing there any more. What the
    operating system refuses to remove stays.
    """
    os.fchmod(folder, 0o700)
    prefix = f"moved-{os.urandom(8).hex()}-"
    numbers = itertools.count()
    waiting = os.listdir(folder)
    while waiting:
        name = waiting.pop()
        with contextlib.suppress(OSError):
            if not _open_up(name, folder):
                os.unlink(name, dir_fd=folder)
                continue
            inner = os.open(name, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW, dir_fd=folder)
            try:
                for entry in os.listdir(inner):
                    moved = f"{prefix}{next(numbers)}"
                    _open_up(entry, inner)
                    os.rename(entry, moved, src_dir_fd=inner, dst_dir_fd=folder)
                    waiting.append(moved)
            finally:
                os.close(inner)
            os.rmdir(name, dir_fd=folder)


def _open_up(name: str, folder: int) -> bool:
    """Give us all rights to a directory; return whether ``name`` is one."""
    if not stat.S_ISDIR(os.lstat(name, dir_fd=folder).st_mode):
        return False
    os.chmod(name, 0o700, dir_fd=folder)
    return True
