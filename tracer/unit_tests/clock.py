"""Watches and ends the process of a solution from outside."""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import struct
from time import clock_gettime

_CREDENTIALS = struct.Struct("=3i")
_CREDENTIALS_KIND = getattr(socket, "SCM_CREDENTIALS", None)


def receive_with_sender(talk: socket.socket) -> tuple[bytes, int | None]:
    """Receive bytes, and the number that their sender has here, if the platform tells."""
    data, parts, _, _ = talk.recvmsg(1 << 16, socket.CMSG_SPACE(_CREDENTIALS.size))
    for level, kind, content in parts:
        if level == socket.SOL_SOCKET and kind == _CREDENTIALS_KIND:
            number, _, _ = _CREDENTIALS.unpack(content[: _CREDENTIALS.size])
            if number > 0:
                return data, number
    return data, None


class Watched:
    """A process that is neither our child nor to be trusted.

    Make it while the process is known to be alive; then it can't be mistaken for a later one.

    Args:
        number: of the process; ``None`` where the platform doesn't tell.
    """

    def __init__(self, number: int | None) -> None:
        self._number = number
        self._handle = -1
        if number is not None and hasattr(os, "pidfd_open"):
            with contextlib.suppress(OSError):
                self._handle = os.pidfd_open(number)

    @property
    def is_timed(self) -> bool:
        """Whether the platform tells how much of the processor it uses."""
        return self._handle >= 0

    def processor_time(self) -> float:
        """Return its processor seconds so far, 0 where the platform doesn't tell."""
        if self._number is None or not self.is_timed:
            return 0.0
        with contextlib.suppress(OSError):
            # How Linux names the processor clock of another process; see clock_getcpuclockid(3).
            return clock_gettime((~self._number << 3) | 2)
        return 0.0

    def waiting_time(self) -> float:
        """Return the seconds it was ready to run and had no processor; 0 if nobody tells."""
        if self._number is None:
            return 0.0
        with contextlib.suppress(OSError, ValueError, IndexError):
            with open(f"/proc/{self._number}/schedstat", encoding="ascii") as file:
                return int(file.read().split()[1]) / 1e9
        return 0.0

    def end(self) -> bool:
        """Kill it; return whether that is possible here."""
        if self._handle < 0:
            return False
        with contextlib.suppress(ProcessLookupError):
            signal.pidfd_send_signal(self._handle, signal.SIGKILL)
        return True

    def forget(self) -> None:
        """Give up the hold on it."""
        if self._handle >= 0:
            os.close(self._handle)
            self._handle = -1
