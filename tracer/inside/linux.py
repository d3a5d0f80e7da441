"""Linux kernel calls that the standard library lacks, through ``ctypes``.

Importing this module is safe everywhere; :data:`MISSING` says why the calls can't be made. Each
function raises ``OSError`` with the kernel's error number.
"""

from __future__ import annotations

import os
import sys
from typing import Any

try:
    import ctypes
except ImportError:
    MISSING: str | None = "this Python was built without ctypes"
else:
    MISSING = None if sys.platform == "linux" else f"only Linux has it, this is {sys.platform}"

MACHINE = os.uname().machine

PR_SET_PDEATHSIG = 1
PR_SET_DUMPABLE = 4
PR_SET_SECCOMP = 22
PR_SET_CHILD_SUBREAPER = 36
PR_SET_NO_NEW_PRIVS = 38

CLONE_NEWNS = 0x0002_0000
CLONE_NEWIPC = 0x0800_0000
CLONE_NEWUSER = 0x1000_0000
CLONE_NEWPID = 0x2000_0000
CLONE_NEWNET = 0x4000_0000

MS_RDONLY = 1
MS_NOSUID = 2
MS_NODEV = 4
MS_NOEXEC = 8
MS_REMOUNT = 32
MS_BIND = 4096
MS_REC = 16384
MS_PRIVATE = 1 << 18
MNT_DETACH = 2

_CAPABILITY_VERSION_3 = 0x2008_0522
_PIVOT_ROOT = {"x86_64": 155, "aarch64": 41}

_libc: Any = ctypes.CDLL(None, use_errno=True) if MISSING is None else None
if _libc is not None:
    _libc.prctl.argtypes = [ctypes.c_int, *[ctypes.c_ulong] * 4]
    _libc.syscall.restype = ctypes.c_long


def _checked(result: int) -> int:
    if result == -1:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))
    return result


def _argument(value: Any) -> Any:
    return ctypes.c_long(value) if isinstance(value, int) else value


def syscall(number: int, *arguments: Any) -> int:
    """Make system call ``number``; arguments are ints, ``bytes``, buffers or ``None``."""
    return _checked(_libc.syscall(ctypes.c_long(number), *map(_argument, arguments)))


def prctl(option: int, value: int, address: int = 0) -> None:
    """Set one property of this process."""
    _checked(_libc.prctl(option, value, address, 0, 0))


def unshare(flags: int) -> None:
    """Leave the namespaces named by ``flags`` for new ones."""
    _checked(_libc.unshare(ctypes.c_int(flags)))


def mount(source: str, target: str, kind: str | None, flags: int, options: str = "") -> None:
    """Mount ``source`` on ``target``; ``kind`` is the file system type."""
    _checked(
        _libc.mount(
            os.fsencode(source),
            os.fsencode(target),
            os.fsencode(kind) if kind else None,
            ctypes.c_ulong(flags),
            os.fsencode(options) if options else None,
        )
    )


def unmount(target: str) -> None:
    """Take the mount at ``target`` out of sight at once."""
    _checked(_libc.umount2(os.fsencode(target), ctypes.c_int(MNT_DETACH)))


def change_root(folder: str) -> None:
    """Make ``folder``, a mount point, the root of this mount namespace and forget the old one."""
    if MACHINE not in _PIVOT_ROOT:
        raise OSError(f"the number of pivot_root is not known for {MACHINE}")
    os.chdir(folder)
    syscall(_PIVOT_ROOT[MACHINE], b".", b".")
    unmount(".")
    os.chdir("/")


def drop_capabilities() -> None:
    """Give up every capability of this process."""
    header = (ctypes.c_uint32 * 2)(_CAPABILITY_VERSION_3, 0)
    _checked(_libc.capset(header, (ctypes.c_uint32 * 6)()))


class FilterProgram:
    """``struct sock_fprog``: BPF instructions in memory that the kernel can be pointed to."""

    def __init__(self, instructions: bytes) -> None:
        class Fields(ctypes.Structure):
            _fields_ = (("length", ctypes.c_ushort), ("filter", ctypes.c_void_p))

        self.code = ctypes.create_string_buffer(instructions, len(instructions))
        self._fields = Fields(len(instructions) // 8, ctypes.addressof(self.code))
        self.address = ctypes.addressof(self._fields)
