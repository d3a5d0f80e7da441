"""A small local server of OpenAI's chat API, with faults that tests ask for."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Answer = Callable[[dict[str, Any]], list[str]]
"""The replies to the body of a request."""


def echo(body: dict[str, Any]) -> list[str]:
    said = body["messages"][-1]["content"]
    return [f"{said}/{body['seed'] % 1000}/{place}" for place in range(body["n"])]


class ChatServer:
    """Answers on the loopback as long as the ``with`` block; one thread a connection.

    Each of ``faults`` strikes one request, in their order: a status (with ``retry_after``),
    ``drop``, ``slow``, ``malformed``, ``empty`` or ``null``.
    """

    def __init__(self, answer: Answer = echo, *, models: tuple[str, ...] = ("planted",)) -> None:
        self.answer = answer
        self.models = models
        self.faults: list[int | str] = []
        self.retry_after: str | None = None
        self.key: str | None = None
        self.fewer = False
        """Whether one reply is given, however many are asked for."""
        self.bodies: list[dict[str, Any]] = []
        self.times: list[float] = []
        self.delay = 0.0
        self.open = 0
        self.most_open = 0
        self.lock = threading.Lock()
        self._server = _Server(("127.0.0.1", 0), _Handler)
        self._server.chat = self  # type: ignore[attr-defined]
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,))

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_address[1]}/v1"

    def __enter__(self) -> ChatServer:
        self._thread.start()
        return self

    def __exit__(self, *error: object) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    @property
    def chat(self) -> ChatServer:
        return self.server.chat  # type: ignore[attr-defined,no-any-return]

    def log_message(self, *args: object) -> None:
        pass

    def do_GET(self) -> None:
        if self.path != "/v1/models":
            self._send(404, {"error": {"message": "no such path"}})
        elif self._allowed():
            self._send(200, {"data": [{"id": name} for name in self.chat.models]})

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        chat = self.chat
        with chat.lock:
            chat.times.append(time.monotonic())
            chat.bodies.append(body)
            chat.open += 1
            chat.most_open = max(chat.most_open, chat.open)
            fault = chat.faults.pop(0) if chat.faults else None
        try:
            time.sleep(chat.delay)
            if self._allowed():
                self._answer(body, fault)
        finally:
            with chat.lock:
                chat.open -= 1

    def _allowed(self) -> bool:
        wanted = self.chat.key
        if wanted is None or self.headers.get("Authorization") == f"Bearer {wanted}":
            return True
        self._send(401, {"error": {"message": "a wrong key"}})
        return False

    def _answer(self, body: dict[str, Any], fault: int | str | None) -> None:
        if isinstance(fault, int):
            headers = {"Retry-After": self.chat.retry_after} if self.chat.retry_after else {}
            self._send(fault, {"error": {"message": "injected fault"}}, headers)
        elif fault == "drop":
            self.close_connection = True
        elif fault == "malformed":
            self._send_text(200, '{"choices": [{"mess')
        elif fault == "empty":
            self._send(200, {"choices": []})
        elif fault == "null":
            self._send(200, {"choices": [{"message": {"role": "assistant", "content": None}}]})
        elif fault == "long":
            self._send(400, {"error": {"message": "the maximum context length is 8 tokens"}})
        else:
            if fault == "slow":
                time.sleep(1.0)
            self._send(200, self._completion(body))

    def _completion(self, body: dict[str, Any]) -> dict[str, Any]:
        replies = self.chat.answer(body)[: 1 if self.chat.fewer else None]
        choices = [
            {"index": place, "finish_reason": "stop", "message": {"content": reply}}
            for place, reply in enumerate(replies)
        ]
        return {"choices": choices, "usage": {"prompt_tokens": 7, "completion_tokens": 3}}

    def _send(self, status: int, content: Any, headers: dict[str, str] | None = None) -> None:
        self._send_text(status, json.dumps(content), headers)

    def _send_text(self, status: int, text: str, headers: dict[str, str] | None = None) -> None:
        content = text.encode()
        try:
            self.send_response(status)
            for name, value in (headers or {}).items():
                self.send_header(name, value)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)
        except (BrokenPipeError, ConnectionResetError):
            self.close_connection = True
