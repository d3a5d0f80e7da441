from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tracer.inside.protocol import NONCE_BYTES, ProtocolError, pack_message, unpack_message

NONCE = bytes(range(NONCE_BYTES))


@given(st.dictionaries(st.text(), st.integers() | st.text() | st.none()))
def test_a_message_comes_back_whole(report: dict[str, object]) -> None:
    assert unpack_message(NONCE, pack_message(NONCE, json.dumps(report).encode())) == report


@given(st.data())
def test_a_changed_message_is_refused(data: st.DataObject) -> None:
    message = pack_message(NONCE, b'{"status": "result"}')
    position = data.draw(st.integers(0, len(message) - 1))
    kind = data.draw(st.sampled_from(["flip", "cut", "add", "twice"]))
    if kind == "flip":
        bit = 1 << data.draw(st.integers(0, 7))
        changed = message[:position] + bytes([message[position] ^ bit]) + message[position + 1 :]
    elif kind == "cut":
        changed = message[:position]
    else:
        changed = message + (message if kind == "twice" else b"x")
    with pytest.raises(ProtocolError):
        unpack_message(NONCE, changed)
