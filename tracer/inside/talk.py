"""How a contained job talks with its parent: JSON objects, each behind its length."""

from __future__ import annotations

import json
import struct
from os import read, write
from typing import Any

MAX_BYTES = 32 * 1024 * 1024
"""Longest message in either direction, in bytes of JSON."""
LENGTH = struct.Struct(">I")

_encode = json.JSONEncoder(separators=(",", ":"), check_circular=False).encode
_decode = json.JSONDecoder().decode


class Talk:
    """The child's end of the socket.

    Args:
        descriptor: of a connected stream socket.
    """

    __slots__ = ("_descriptor",)

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor

    def send(self, message: dict[str, Any]) -> None:
        """Send one message.

        Raises:
            OSError: the other side has hung up.
        """
        left = memoryview(pack(message))
        while len(left):
            left = left[write(self._descriptor, left) :]

    def receive(self) -> dict[str, Any] | None:
        """Wait for the next message; ``None`` once the other side has hung up."""
        head = self._read(LENGTH.size)
        if len(head) < LENGTH.size:
            return None
        (size,) = LENGTH.unpack(head)
        body = self._read(size)
        if len(body) < size:
            return None
        message: dict[str, Any] = _decode(body.decode())
        return message

    def _read(self, size: int) -> bytes:
        parts = bytearray()
        while len(parts) < size:
            part = read(self._descriptor, size - len(parts))
            if not part:
                break
            parts += part
        return bytes(parts)


def pack(message: dict[str, Any]) -> bytes:
    """Return the bytes of a message."""
    body = _encode(message).encode()
    return LENGTH.pack(len(body)) + body
