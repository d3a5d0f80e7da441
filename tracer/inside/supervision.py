"""Watches one child from outside: its report, its time, its end, and what it leaves behind."""

from __future__ import annotations

import contextlib
import os
import select
import signal
from collections.abc import Callable
from dataclasses import dataclass
from time import clock_gettime, monotonic, sleep
from typing import Any

from tracer.inside.containment import Containment
from tracer.inside.limits import judge_exit, timeout_detail
from tracer.inside.protocol import MAX_MESSAGE_BYTES

_CHUNK = 1 << 16
_LEAST_WAIT_S = 0.002
_POLL_WITHOUT_PIDFD_S = 0.005
_BURIAL_S = 5.0


@dataclass(frozen=True, slots=True)
class Ending:
    """How a child ended; ``message`` is unchecked and only looked at when ``status`` is result."""

    status: str
    detail: str
    message: bytes = b""


class Orphaned(Exception):
    """The parent is gone or has hung up."""


def supervise(
    here: Containment, child: int, channel: int, limits: dict[str, Any], masters: list[int]
) -> Ending:
    """Read the report of ``child`` until it ends or must be ended, and reap it and its kin.

    Args:
        here: the layers in force.
        child: process number of a running child.
        channel: reading end of its pipe; closed on return.
        limits: ``cpu_s`` and ``wall_s`` count from now.
        masters: descriptors that become readable or hung up when the parent goes.

    Raises:
        Orphaned: the parent went first; the child is dead all the same.
    """
    handle = os.pidfd_open(child) if hasattr(os, "pidfd_open") else -1
    message = bytearray()
    try:
        verdict = _wait(child, handle, channel, limits, masters, message)
    finally:
        status, cpu_s = _bury(here, child)
        if handle >= 0:
            os.close(handle)
        _drain(channel, message)
        os.close(channel)
    if verdict is not None:
        return verdict
    return Ending(*judge_exit(status, cpu_s, limits), bytes(message))


def _wait(
    child: int,
    handle: int,
    channel: int,
    limits: dict[str, Any],
    masters: list[int],
    message: bytearray,
) -> Ending | None:
    """Return a verdict if the child must be ended, ``None`` once it has ended by itself."""
    poll = select.poll()
    for descriptor in (channel, handle, *masters):
        if descriptor >= 0:
            poll.register(descriptor, select.POLLIN)
    end = monotonic() + limits["wall_s"]
    while True:
        wall_left = end - monotonic()
        if wall_left <= 0:
            return Ending("timeout", f"it ran for more than {limits['wall_s']:g} s by the clock")
        cpu_left = limits["cpu_s"] - _processor_time(child)
        if cpu_left <= 0:
            return Ending("timeout", timeout_detail(limits))
        pause = min(wall_left, max(cpu_left, _LEAST_WAIT_S))
        if handle < 0:
            pause = min(pause, _POLL_WITHOUT_PIDFD_S)
        ready = [descriptor for descriptor, _ in poll.poll(pause * 1000)]
        if any(descriptor in masters for descriptor in ready):
            raise Orphaned
        if channel in ready:
            chunk = os.read(channel, _CHUNK)
            message += chunk
            if not chunk:
                poll.unregister(channel)
            if len(message) > MAX_MESSAGE_BYTES:
                return Ending("crashed", "its result is too large")
        elif handle in ready or (handle < 0 and _has_ended(child)):
            return None


def _processor_time(child: int) -> float:
    """Return the processor seconds of ``child`` so far, 0 where the platform doesn't tell."""
    if not hasattr(os, "pidfd_open"):
        return 0.0
    with contextlib.suppress(OSError):
        # How Linux names the processor clock of another process; see clock_getcpuclockid(3).
        return clock_gettime((~child << 3) | 2)
    return 0.0


def _has_ended(child: int) -> bool:
    return os.waitid(os.P_PID, child, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None


def _bury(here: Containment, child: int) -> tuple[int, float]:
    """Kill what is left of the child and its descendants, reap all of them.

    Returns:
        The wait status of the child and the processor seconds it used.
    """
    _kill(os.kill, child)
    _kill(os.killpg, child)
    _, status, usage = os.wait4(child, 0)
    if here.has("pid"):
        _kill(os.kill, -1)
        with contextlib.suppress(ChildProcessError):
            while True:
                os.waitpid(-1, 0)
    else:
        _hunt(here.children)
    return status, usage.ru_utime + usage.ru_stime


def _kill(send: Callable[[int, int], None], target: int) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        send(target, signal.SIGKILL)


def _hunt(children: int) -> None:
    """Kill and reap orphans, which became children of this process, until none is left."""
    end = monotonic() + _BURIAL_S
    with contextlib.suppress(ChildProcessError):
        while monotonic() < end:
            reaped, _ = os.waitpid(-1, os.WNOHANG)
            if reaped == 0 and children >= 0:
                for number in os.pread(children, _CHUNK, 0).split():
                    _kill(os.kill, int(number))
                sleep(0.001)


def _drain(channel: int, message: bytearray) -> None:
    os.set_blocking(channel, False)
    with contextlib.suppress(BlockingIOError):
        while len(message) <= MAX_MESSAGE_BYTES and (chunk := os.read(channel, _CHUNK)):
            message += chunk
