"""A seccomp filter that allows the system calls of plain functions and refuses the rest.

A refused call fails with ``EPERM``, which Python shows as ``PermissionError``; a call in a foreign
convention (32-bit or x32) ends the process with ``SIGSYS``. The filter is written once; only the
process's own number differs from child to child.

Source: Linux ``Documentation/userspace-api/seccomp_filter.rst`` and ``linux/bpf_common.h``.
"""

from __future__ import annotations

import errno
import os
import signal
import struct

from tracer.inside import linux
from tracer.inside.syscalls import CHECKED, syscall_numbers

_ARCHITECTURES = {"x86_64": 0xC000_003E, "aarch64": 0xC000_00B7}
_X32_BIT = 0x4000_0000

_LOAD, _AND, _RETURN = 0x20, 0x54, 0x06
_JUMP_EQUAL, _JUMP_GREATER, _JUMP_AT_LEAST = 0x15, 0x25, 0x35
_ALLOW = 0x7FFF_0000
_REFUSE = 0x0005_0000 | errno.EPERM
_KILL_PROCESS = 0x8000_0000
_OWN_PID = -1
"""Stands for the child's process number until the child is there."""

_NUMBER, _ARCHITECTURE, _ARGUMENTS = 0, 4, 16
_SECCOMP_MODE_FILTER = 2

_Instruction = tuple[int, int, int, int]

_FCNTL_COMMANDS = (0, 1, 2, 3, 4, 5, 6, 7, 36, 37, 38, 1030, 1032)
"""Duplicates, flags, locks, pipe size; not the owner, whom the kernel would send signals."""
_IOCTL_REQUESTS = (0x5401, 0x5413, 0x541B, 0x5421, 0x5450, 0x5451)
"""TCGETS, TIOCGWINSZ, FIONREAD, FIONBIO, FIONCLEX, FIOCLEX."""
_PRCTL_OPTIONS = (15, 16)
"""PR_SET_NAME, PR_GET_NAME."""
_AF_UNIX, _SOCK_STREAM, _SOCK_TYPE_MASK = 1, 1, 0xF


def _load(offset: int) -> _Instruction:
    return (_LOAD, 0, 0, offset)


def _low(argument: int) -> int:
    return _ARGUMENTS + 8 * argument


def _one_of(argument: int, values: tuple[int, ...]) -> list[_Instruction]:
    tests = [(_JUMP_EQUAL, len(values) - index, 0, value) for index, value in enumerate(values)]
    return [_load(_low(argument)), *tests, (_RETURN, 0, 0, _REFUSE), (_RETURN, 0, 0, _ALLOW)]


def _to_itself(signal_argument: int) -> list[_Instruction]:
    """A signal to the own process that a handler may catch."""
    return [
        _load(_low(0)),
        (_JUMP_EQUAL, 0, 4, _OWN_PID),
        _load(_low(signal_argument)),
        (_JUMP_EQUAL, 2, 0, signal.SIGKILL),
        (_JUMP_EQUAL, 1, 0, signal.SIGSTOP),
        (_RETURN, 0, 0, _ALLOW),
        (_RETURN, 0, 0, _REFUSE),
    ]


def _check(name: str) -> list[_Instruction]:
    if name == "fcntl":
        return _one_of(1, _FCNTL_COMMANDS)
    if name == "ioctl":
        return _one_of(1, _IOCTL_REQUESTS)
    if name == "prctl":
        return _one_of(0, _PRCTL_OPTIONS)
    if name == "prlimit64":
        return [
            _load(_low(2)),
            (_JUMP_EQUAL, 0, 5, 0),
            _load(_low(2) + 4),
            (_JUMP_EQUAL, 0, 3, 0),
            _load(_low(0)),
            (_JUMP_EQUAL, 2, 0, 0),
            (_JUMP_EQUAL, 1, 0, _OWN_PID),
            (_RETURN, 0, 0, _REFUSE),
            (_RETURN, 0, 0, _ALLOW),
        ]
    if name == "socketpair":
        return [
            _load(_low(0)),
            (_JUMP_EQUAL, 0, 4, _AF_UNIX),
            _load(_low(1)),
            (_AND, 0, 0, _SOCK_TYPE_MASK),
            (_JUMP_EQUAL, 0, 1, _SOCK_STREAM),
            (_RETURN, 0, 0, _ALLOW),
            (_RETURN, 0, 0, _REFUSE),
        ]
    return _to_itself(2 if name == "tgkill" else 1)


def _ranges(numbers: list[int]) -> list[tuple[int, int]]:
    found: list[tuple[int, int]] = []
    for number in sorted(numbers):
        if found and found[-1][1] == number - 1:
            found[-1] = (found[-1][0], number)
        else:
            found.append((number, number))
    return found


def _instructions(machine: str) -> list[_Instruction]:
    if machine not in _ARCHITECTURES:
        raise OSError(f"the system calls of {machine} are not known here")
    numbers = syscall_numbers(machine)
    program: list[_Instruction] = [
        _load(_ARCHITECTURE),
        (_JUMP_EQUAL, 1, 0, _ARCHITECTURES[machine]),
        (_RETURN, 0, 0, _KILL_PROCESS),
        _load(_NUMBER),
        (_JUMP_AT_LEAST, 0, 1, _X32_BIT),
        (_RETURN, 0, 0, _KILL_PROCESS),
    ]
    for low, high in _ranges([numbers[name] for name in numbers if name not in CHECKED]):
        if low == high:
            program.append((_JUMP_EQUAL, 0, 1, low))
        else:
            program += [(_JUMP_AT_LEAST, 0, 2, low), (_JUMP_GREATER, 1, 0, high)]
        program.append((_RETURN, 0, 0, _ALLOW))
    for name in CHECKED:
        body = _check(name)
        program += [(_JUMP_EQUAL, 0, len(body), numbers[name]), *body]
    program.append((_RETURN, 0, 0, _REFUSE))
    return program


def write_filter(machine: str, pid: int) -> bytes:
    """Return the filter of process ``pid`` as the kernel takes it, 8 bytes an instruction.

    Raises:
        OSError: the system calls of ``machine`` are not known here.
    """
    return b"".join(
        struct.pack("=HBBI", kind, yes, no, pid if value == _OWN_PID else value)
        for kind, yes, no, value in _instructions(machine)
    )


class Filter:
    """The filter, ready to be installed; build it once, in the process that forks children.

    Args:
        machine: as ``platform.machine()`` names it.

    Raises:
        OSError: the system calls of this machine are not known here.
    """

    def __init__(self, machine: str = linux.MACHINE) -> None:
        self._program = linux.FilterProgram(write_filter(machine, 0))
        self._pid_offsets = [
            8 * index + 4
            for index, (_, _, _, value) in enumerate(_instructions(machine))
            if value == _OWN_PID
        ]

    def install(self) -> None:
        """Put the calling process, which may have no new privileges, under the filter for good."""
        pid = os.getpid()
        for offset in self._pid_offsets:
            struct.pack_into("=I", self._program.code, offset, pid)
        linux.prctl(linux.PR_SET_SECCOMP, _SECCOMP_MODE_FILTER, self._program.address)
