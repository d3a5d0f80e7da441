"""What a zygote says about a job, and how a job is talked to while it runs."""

from __future__ import annotations

import socket
import time
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from tracer.inside.protocol import ProtocolError, read_frame, unpack_message

RawStatus: TypeAlias = Literal[
    "result", "timeout", "memory", "output_limit", "blocked", "crashed", "infrastructure"
]


@dataclass(frozen=True, slots=True)
class Raw:
    """What came back from one run."""

    status: RawStatus
    payload: dict[str, Any] | None
    """What the harness delivered, when ``status`` is ``result``; it was made in the program's
    own process and is to be judged as such."""
    detail: str
    """One clause for a person; empty for a result."""


class Session:
    """A job that can be talked to while it runs, until :meth:`finish`.

    ``talk`` is our end of a socket whose other end only the job has; ``link`` becomes readable when
    the job has ended.
    """

    def __init__(self, talk: socket.socket, link: socket.socket, nonce: bytes) -> None:
        self.talk = talk
        self.link = link
        self._nonce = nonce
        self.lost = False
        """Whether :meth:`finish` heard nothing from the zygote."""

    def finish(self, seconds: float) -> Raw:
        """Hang up, and wait for the end of the job.

        Returns:
            How it ended; ``infrastructure`` when that is not known within ``seconds``. Then the
            zygote is of no use any more and must be closed.
        """
        self.talk.close()
        try:
            return judge(*receive_frame(self.link, seconds), self._nonce)
        except (OSError, ProtocolError) as error:
            self.lost = True
            return Raw("infrastructure", None, f"the sandbox process does not answer: {error}")


def receive_frame(link: socket.socket, seconds: float) -> tuple[dict[str, Any], bytes]:
    """Read one frame of a zygote within ``seconds``.

    Raises:
        OSError: the link broke, or it took longer.
        ProtocolError: the other side has hung up or sent something else.
    """
    end = time.monotonic() + seconds

    def read(size: int) -> bytes:
        parts = bytearray()
        while len(parts) < size:
            link.settimeout(max(0.001, end - time.monotonic()))
            part = link.recv(min(size - len(parts), 1 << 20))
            if not part:
                raise ProtocolError("it has ended")
            parts += part
        return bytes(parts)

    return read_frame(read)


def judge(answer: dict[str, Any], message: bytes, nonce: bytes) -> Raw:
    """Return how a job ended, by what its zygote and, unchecked so far, its child say."""
    status, detail = answer["status"], answer["detail"]
    if status != "result":
        return Raw(status, None, detail)
    try:
        return _read_report(unpack_message(nonce, message))
    except ProtocolError as error:
        return Raw("crashed", None, str(error))


def _read_report(report: dict[str, Any]) -> Raw:
    status, payload, detail = (report.get(name) for name in ("status", "payload", "detail"))
    if status == "result" and isinstance(payload, dict):
        return Raw("result", payload, "")
    if status in ("memory", "crashed", "infrastructure") and isinstance(detail, str):
        return Raw(status, None, detail)
    raise ProtocolError("its report is not one that the harness makes")
