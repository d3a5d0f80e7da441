"""Talks with a contained job while it runs, within limits, and says how it ended."""

from __future__ import annotations

import contextlib
import json
import select
from time import monotonic
from types import TracebackType
from typing import Any

from tracer.inside.talk import LENGTH, MAX_BYTES, pack
from tracer.records import Limits
from tracer.sandbox import Raw, Zygote
from tracer.unit_tests.clock import Watched, receive_with_sender
from tracer.unit_tests.records import TestLimits, TestStatus

_LEAST_WAIT_S = 0.002
_FAREWELL_S = 10.0
_HANG_UP_S = 1.0
_GRACE_S = 5.0
_LATENCY_S = 0.1
"""Idle seconds of one answer that may be the machine's doing, and don't count."""


class Ended(Exception):
    """The job can't be talked to any more.

    Args:
        status: what that means for the test at hand.
        reason: one clause for a person.
    """

    def __init__(self, status: TestStatus, reason: str) -> None:
        super().__init__(reason)
        self.status = status
        self.reason = reason


class Dialogue:
    """One job, from its start until it is closed; use it in ``with``.

    Args:
        zygote: runs the job.
        limits: of one completion.
        job: what its harness takes.

    Raises:
        Ended: the sandbox or the job cannot be started; always ``infrastructure``, since no foreign
            code has run yet.
    """

    def __init__(self, zygote: Zygote, limits: TestLimits, **job: Any) -> None:
        self._zygote = zygote
        self._limits = limits
        self._read = bytearray()
        self._number: int | None = None
        self._end = monotonic() + limits.total_wall_s
        self._idle_s = 0.0
        self._waited_s = 0.0
        """What the process had waited for a processor when that was last looked at."""
        self._started = False
        bounds = Limits(
            cpu_s=limits.total_cpu_s,
            wall_s=limits.total_wall_s + _GRACE_S,
            memory_bytes=limits.memory_bytes,
            output_bytes=limits.output_bytes,
        )
        inner = {"max_value_chars": limits.max_value_chars, "output_bytes": limits.output_bytes}
        try:
            self._session = zygote.start({"stdin": "", **job, "limits": inner}, bounds)
        except OSError as error:
            raise Ended("infrastructure", str(error)) from None
        self._closed = False
        self._process = Watched(None)
        self._poll = select.poll()
        self._poll.register(self._session.talk, select.POLLIN)
        self._poll.register(self._session.link, select.POLLIN)
        self.begin()
        try:
            self.receive()
        except Ended as ended:
            self.close()
            raise Ended("infrastructure", f"before any code ran: {ended.reason}") from None
        except BaseException:
            self.close()
            raise
        self._process = Watched(self._number)
        self._started = True
        self.begin()

    def __enter__(self) -> Dialogue:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    def begin(self) -> None:
        """Start the limits of a new test."""
        self._cpu_start = self._process.processor_time()

    def ask(self, message: dict[str, Any]) -> dict[str, Any]:
        """Send a message and wait for the answer.

        Raises:
            Ended: the job has ended, or was ended because of a limit.
        """
        self.send(message)
        return self.receive()

    def send(self, message: dict[str, Any]) -> None:
        """Send a message.

        Raises:
            Ended: the job has ended.
        """
        if self._closed:
            raise Ended("crashed", "it has ended")
        self._session.talk.settimeout(self._limits.idle_s)
        try:
            self._session.talk.sendall(pack(message))
        except TimeoutError:
            raise self._stop("timeout", "it does not read what it is sent") from None
        except OSError:
            raise self._bury() from None

    def receive(self) -> dict[str, Any]:
        """Wait for a message.

        Raises:
            Ended: the job has ended, or was ended because of a limit or for sending nonsense.
        """
        began = monotonic()
        asked = began - self._process.processor_time() - self._waited_s
        while (message := self._next_message()) is None:
            ready = dict(self._poll.poll(1000 * self._time_left(began, asked)))
            if self._session.talk.fileno() in ready:
                try:
                    data, sender = receive_with_sender(self._session.talk)
                except OSError:
                    raise self._bury() from None
                self._number = self._number or sender
                self._read += data
                if not data:
                    raise self._bury()
            elif ready:
                raise self._bury()
        idle = self._idle_since(began, asked)
        if idle > _LATENCY_S:
            self._idle_s += idle
        return message

    def close(self) -> None:
        """End the job."""
        if not self._closed:
            self._finish()

    def _next_message(self) -> dict[str, Any] | None:
        if len(self._read) < LENGTH.size:
            return None
        (size,) = LENGTH.unpack_from(self._read)
        if size > MAX_BYTES:
            raise self._stop("crashed", "it sent too much")
        whole = LENGTH.size + size
        if len(self._read) < whole:
            return None
        body = bytes(self._read[LENGTH.size : whole])
        del self._read[:whole]
        message = None
        with contextlib.suppress(ValueError, RecursionError):
            message = json.loads(body)
        if not isinstance(message, dict):
            raise self._stop("crashed", "it sent something that is no answer")
        return message

    def _idle_since(self, began: float, asked: float) -> float:
        """Seconds in which the process neither ran nor was kept waiting for a processor.

        Args:
            began: when the answer was asked for.
            asked: the same by a clock that stands still while the process is busy.
        """
        now = monotonic()
        if now - began <= _LATENCY_S:
            return 0.0
        self._waited_s = self._process.waiting_time()
        return now - self._process.processor_time() - self._waited_s - asked

    def _time_left(self, began: float, asked: float) -> float:
        """Seconds to wait until a limit may be met; see :meth:`_idle_since`.

        Raises:
            Ended: one is met.
        """
        limits = self._limits
        total_left = self._end - monotonic()
        if total_left <= 0:
            raise self._stop(
                "timeout", f"all tests took more than {limits.total_wall_s:g} s together"
            )
        if not self._started:
            return total_left
        cpu = self._process.processor_time() - self._cpu_start
        cpu_left = limits.test_cpu_s - cpu
        if cpu_left <= 0:
            reason = f"it used more than {limits.test_cpu_s:g} s of processor time"
            raise self._stop("timeout", reason)
        idle_left = limits.idle_s - self._idle_s - self._idle_since(began, asked)
        if not self._process.is_timed:
            idle_left += limits.test_cpu_s
        if idle_left <= 0:
            raise self._stop("timeout", f"it was idle for more than {limits.idle_s:g} s")
        return min(idle_left, total_left, max(cpu_left, _LEAST_WAIT_S))

    def _stop(self, status: TestStatus, reason: str) -> Ended:
        self._finish()
        return Ended(status, reason)

    def _bury(self) -> Ended:
        """Find out how the job ended by itself; end it should it only have hung up."""
        waiting = select.poll()
        waiting.register(self._session.link, select.POLLIN)
        hung_up = not waiting.poll(1000 * _HANG_UP_S)
        raw = self._finish(kill=hung_up)
        if self._session.lost:
            return Ended("infrastructure", raw.detail)
        if hung_up:
            return Ended("crashed", "it closed its connection")
        # What its process reports itself counts for nothing: the solution could have forged it.
        if raw.status in ("timeout", "memory", "output_limit", "blocked"):
            return Ended(raw.status, raw.detail)
        return Ended("crashed", raw.detail or "its process ended before it answered")

    def _finish(self, kill: bool = True) -> Raw:
        self._closed = True
        killed = not kill or self._process.end()
        raw = self._session.finish(_FAREWELL_S if killed else _HANG_UP_S)
        self._process.forget()
        if self._session.lost:
            self._zygote.close()
        return raw
