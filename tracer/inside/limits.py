"""Resource limits of a contained child, and what the kernel says when one is hit."""

from __future__ import annotations

import math
import os
import resource
import signal
from resource import setrlimit
from typing import Any, TypeAlias

OPEN_FILES = 64
_STACK_BYTES = 8 * 1024 * 1024


def address_space() -> int:
    """Return the address space of this process in bytes.

    Raises:
        OSError: the platform doesn't tell.
    """
    with open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[0]) * resource.getpagesize()


def highest_descriptor() -> int:
    """Return the first descriptor number that this process can't have, at most 1024."""
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return 1024 if soft == resource.RLIM_INFINITY else min(soft, 1024)


Ceilings: TypeAlias = tuple[tuple[int, int, int], ...]
"""``(resource, soft, hard)`` for ``setrlimit``."""


def resource_ceilings(limits: dict[str, Any]) -> Ceilings:
    """Return the limits on processor time, file size, processes, files, stack and core dumps."""
    seconds = max(1, math.ceil(limits["cpu_s"]))
    return (
        _within(resource.RLIMIT_CPU, seconds, seconds + 1),
        _within(resource.RLIMIT_FSIZE, limits["output_bytes"]),
        _within(resource.RLIMIT_NPROC, 0),
        _within(resource.RLIMIT_NOFILE, OPEN_FILES),
        _within(resource.RLIMIT_STACK, _STACK_BYTES),
        _within(resource.RLIMIT_CORE, 0),
    )


def memory_ceilings(base: int, limits: dict[str, Any]) -> Ceilings:
    """Return the limit of ``memory_bytes`` of address space beyond ``base`` bytes."""
    return (_within(resource.RLIMIT_AS, base + limits["memory_bytes"]),)


def impose(ceilings: Ceilings) -> None:
    """Limit this process for good."""
    for kind, soft, hard in ceilings:
        setrlimit(kind, (soft, hard))


def _within(kind: int, soft: int, hard: int | None = None) -> tuple[int, int, int]:
    _, ceiling = resource.getrlimit(kind)
    hard = soft if hard is None else hard
    if ceiling != resource.RLIM_INFINITY:
        soft, hard = min(soft, ceiling), min(hard, ceiling)
    return kind, soft, hard


def judge_exit(status: int, cpu_s: float, limits: dict[str, Any]) -> tuple[str, str]:
    """Return ``(status, detail)`` for a child that ended by itself or by the kernel.

    Args:
        status: the wait status.
        cpu_s: processor seconds that the child used.
        limits: what it was allowed.
    """
    if os.WIFEXITED(status):
        code = os.WEXITSTATUS(status)
        if code == 0:
            return "result", ""
        return "crashed", f"it ended with exit code {code} and without a result"
    number = os.WTERMSIG(status)
    if number == signal.SIGXCPU or (number == signal.SIGKILL and cpu_s >= limits["cpu_s"]):
        return "timeout", timeout_detail(limits)
    if number == signal.SIGKILL:
        return "memory", "the system ended it for want of memory"
    if number == signal.SIGXFSZ:
        return "output_limit", f"it wrote more than {limits['output_bytes']} bytes"
    if number == signal.SIGSYS:
        return "blocked", "it made a system call in a convention that is not allowed"
    try:
        name = signal.Signals(number).name
    except ValueError:
        name = f"signal {number}"
    return "crashed", f"{name} ended it"


def timeout_detail(limits: dict[str, Any]) -> str:
    """Say that the processor time was used up."""
    return f"it used more than {limits['cpu_s']:g} s of processor time"
