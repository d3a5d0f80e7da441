"""What travels between the parent, the zygote and the contained child.

Parent and zygote exchange *frames*: a JSON header and a body of bytes, each behind its length. The
child sends one *message* through a pipe: a nonce that only this job has, the length, the SHA-256
digest and the JSON text of its report. Whatever else arrives there is refused.
"""

from __future__ import annotations

import importlib
import json
import struct
import sys
from collections.abc import Callable
from typing import Any

NONCE_BYTES = 16
MAX_REPORT_BYTES = 64 * 1024 * 1024

_FRAME = struct.Struct(">IQ")
_LENGTH = struct.Struct(">Q")
_DIGEST_BYTES = 32
_PREFIX_BYTES = NONCE_BYTES + _LENGTH.size + _DIGEST_BYTES
MAX_MESSAGE_BYTES = _PREFIX_BYTES + MAX_REPORT_BYTES

_pack_length = _LENGTH.pack
# The plain module: hashlib would load OpenSSL into a process that must stay small.
_sha256: Callable[[bytes], Any] = importlib.import_module(
    "_sha2" if sys.version_info >= (3, 12) else "_sha256"
).sha256


class ProtocolError(Exception):
    """Bytes that the other side would not have sent."""


def pack_frame(header: dict[str, Any], body: bytes = b"") -> bytes:
    """Return a frame ready to be written."""
    text = json.dumps(header).encode()
    return _FRAME.pack(len(text), len(body)) + text + body


def read_frame(read: Callable[[int], bytes]) -> tuple[dict[str, Any], bytes]:
    """Read one frame with ``read``, which returns exactly as many bytes as it is asked for.

    Raises:
        ProtocolError: the header is no JSON object.
    """
    header_size, body_size = _FRAME.unpack(read(_FRAME.size))
    try:
        header = json.loads(read(header_size))
    except ValueError as error:
        raise ProtocolError(f"a header is not JSON: {error}") from None
    if not isinstance(header, dict):
        raise ProtocolError("a header is not a JSON object")
    return header, read(body_size)


def pack_message(nonce: bytes, report: bytes) -> bytes:
    """Return the message that carries ``report``; calls nothing that a program can replace."""
    return b"".join((nonce, _pack_length(report.__len__()), _sha256(report).digest(), report))


def unpack_message(nonce: bytes, message: bytes) -> dict[str, Any]:
    """Return the report of a message.

    Raises:
        ProtocolError: it isn't exactly one message with this nonce and the right digest.
    """
    if not message:
        raise ProtocolError("it ended without a result")
    if message[:NONCE_BYTES] != nonce:
        raise ProtocolError("something else was written where the result belongs")
    if len(message) < _PREFIX_BYTES:
        raise ProtocolError("its result is cut short")
    (length,) = _LENGTH.unpack_from(message, NONCE_BYTES)
    report = message[_PREFIX_BYTES:]
    if len(report) != length:
        raise ProtocolError(f"its result has {len(report)} bytes instead of {length}")
    if message[_PREFIX_BYTES - _DIGEST_BYTES : _PREFIX_BYTES] != _sha256(report).digest():
        raise ProtocolError("its result does not match its digest")
    try:
        found = json.loads(report)
    except (ValueError, RecursionError) as error:
        raise ProtocolError(f"its result is not JSON: {error}") from None
    if not isinstance(found, dict):
        raise ProtocolError("its result is not a JSON object")
    return found
