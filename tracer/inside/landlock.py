"""Landlock: which files a process may open, no TCP, no signals to processes outside.

Source: Linux ``Documentation/userspace-api/landlock.rst``; rights are handled up to the version
that the running kernel offers.
"""

from __future__ import annotations

import os
import stat
import struct
from collections.abc import Iterable

from tracer.inside import linux

_CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446
_QUERY_VERSION = 1
_PATH_BENEATH = 1

_WRITE_FILE, _READ_FILE, _READ_DIR = 1 << 1, 1 << 2, 1 << 3
_REMOVE_DIR, _REMOVE_FILE = 1 << 4, 1 << 5
_MAKE_DIR, _MAKE_REG, _MAKE_FIFO, _MAKE_SYM = 1 << 7, 1 << 8, 1 << 10, 1 << 12
_REFER, _TRUNCATE, _IOCTL_DEV = 1 << 13, 1 << 14, 1 << 15
_BASE = (1 << 13) - 1

READ = _READ_FILE | _READ_DIR
WRITE = (
    _WRITE_FILE | _REMOVE_DIR | _REMOVE_FILE | _MAKE_DIR | _MAKE_REG | _MAKE_FIFO | _MAKE_SYM
) | (_REFER | _TRUNCATE)
_FILE_RIGHTS = _WRITE_FILE | _READ_FILE | _TRUNCATE

_NETWORK = 0b11
_SCOPES = 0b11


def landlock_version() -> int:
    """Return the version that the kernel offers.

    Raises:
        OSError: Landlock is absent or switched off.
    """
    return linux.syscall(_CREATE_RULESET, None, 0, _QUERY_VERSION)


def _handled(version: int) -> tuple[int, int, int]:
    files = _BASE
    for since, right in ((2, _REFER), (3, _TRUNCATE), (5, _IOCTL_DEV)):
        if version >= since:
            files |= right
    return files, _NETWORK if version >= 4 else 0, _SCOPES if version >= 6 else 0


def make_ruleset(readable: Iterable[int | str], writable: Iterable[int | str]) -> int:
    """Return the descriptor of a ruleset.

    Args:
        readable: paths (or open descriptors of them) that may be read, with all beneath.
        writable: paths that may be read and changed, with all beneath.

    Raises:
        OSError: the kernel refuses; a path that can't be reached is left out.
    """
    version = landlock_version()
    files, network, scopes = _handled(version)
    size = 24 if version >= 6 else 16 if version >= 4 else 8
    ruleset = linux.syscall(_CREATE_RULESET, struct.pack("=QQQ", files, network, scopes), size, 0)
    for paths, rights in ((readable, READ), (writable, READ | WRITE)):
        for path in paths:
            _allow(ruleset, path, rights & files)
    return ruleset


def _allow(ruleset: int, path: int | str, rights: int) -> None:
    try:
        descriptor = os.dup(path) if isinstance(path, int) else os.open(path, os.O_PATH)
    except (FileNotFoundError, PermissionError):
        return
    try:
        if not stat.S_ISDIR(os.fstat(descriptor).st_mode):
            rights &= _FILE_RIGHTS
        rule = struct.pack("=Qi", rights, descriptor)
        linux.syscall(_ADD_RULE, ruleset, _PATH_BENEATH, rule, 0)
    finally:
        os.close(descriptor)


def restrict(ruleset: int) -> None:
    """Put the calling process, which may have no new privileges, under ``ruleset`` for good."""
    linux.syscall(_RESTRICT_SELF, ruleset, 0)
