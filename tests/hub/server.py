"""The HTTP side of the test Hub: one thread a connection, one lock over everything."""

from __future__ import annotations

import json
import re
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, ClassVar
from urllib.parse import parse_qs, unquote, urlsplit

from hub.exchange import Answer, Request
from hub.faults import Fault
from hub.repositories import Commit, Refused, Repository
from hub.routes import API_ROUTES
from hub.storage import STORAGE_ROUTES
from hub.xet import LargeFiles

OWNER_TOKEN = "hf_ownerownerownerownerownerowner"
READER_TOKEN = "hf_readerreaderreaderreaderreader"


class TestHub:
    """A Hub that lives as long as the ``with`` block; use :attr:`environment` for its clients."""

    __test__: ClassVar[bool] = False

    def __init__(self, *, xet: bool = True) -> None:
        self.xet = xet
        self.tokens = {OWNER_TOKEN: "owner", READER_TOKEN: "reader"}
        self.repositories: dict[tuple[str, str], Repository] = {}
        self.large = LargeFiles()
        self.faults: list[Fault] = []
        self.log: list[str] = []
        """``METHOD /path`` of every request."""
        self.on_kill: Callable[[], None] = lambda: None
        self.lock = threading.RLock()
        self._server = _Server(("127.0.0.1", 0), _Handler)
        self._server.hub = self
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,))

    def __enter__(self) -> TestHub:
        self._thread.start()
        return self

    def __exit__(self, *error: object) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    @property
    def port(self) -> int:
        return int(self._server.server_address[1])

    @property
    def endpoint(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def storage(self) -> str:
        """Another origin, as the real Hub's large files have: no token goes there."""
        return f"http://localhost:{self.port}/storage"

    @property
    def environment(self) -> dict[str, str]:
        """Environment variables of a client that owns repositories here."""
        return {
            "HF_ENDPOINT": self.endpoint,
            "HF_TOKEN": OWNER_TOKEN,
            "HF_HUB_DISABLE_TELEMETRY": "1",
            "HF_HUB_DISABLE_XET": "0" if self.xet else "1",
            "HF_XET_CLIENT_RETRY_BASE_DELAY": "20ms",
            "NO_PROXY": "127.0.0.1,localhost",
        }

    def repository(self, name: str, kind: str = "dataset") -> Repository:
        return self.repositories[kind, name]

    def files(self, name: str, revision: str = "main", kind: str = "dataset") -> dict[str, bytes]:
        """Path and content of every file of a revision."""
        commit = self.repository(name, kind).find(revision)
        return {path: self.content(commit, path) for path in commit.files}

    def content(self, commit: Commit, path: str) -> bytes:
        file = commit.files[path]
        return file.content if file.sha256 is None else self.large.read(file.sha256)

    def strike(self, line: str) -> Fault | None:
        with self.lock:
            self.log.append(line)
            return next((fault for fault in self.faults if fault.strikes(line)), None)

    def interfere(self) -> None:
        """Somebody else commits to every repository."""
        for repository in self.repositories.values():
            lines = [
                {"key": "header", "value": {"summary": f"another, {time.monotonic_ns()}"}},
                {"key": "file", "value": {"path": "OTHER.md", "content": "b3RoZXI="}},
            ]
            repository.commit("main", lines, "other", pull=False)


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    hub: TestHub

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that goes away is no error of the server."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: _Server
    disable_nagle_algorithm = True

    def log_message(self, format: str, *args: object) -> None:
        """Nothing is printed."""

    def _handle(self) -> None:
        hub = self.server.hub
        parts = urlsplit(self.path)
        path = unquote(parts.path)
        body = self._body()
        fault = hub.strike(f"{self.command} {path}")
        if fault is not None and fault.kind in ("drop", "kill"):
            if fault.kind == "kill":
                hub.on_kill()
            self._hang_up()
            return
        if fault is not None and fault.kind == "status":
            self._send(Answer(fault.status, fault.body.encode(), dict(fault.headers)))
            return
        request = Request(
            hub=hub,
            method=self.command,
            path=path,
            query={key: values[-1] for key, values in parse_qs(parts.query).items()},
            headers={key.lower(): value for key, value in self.headers.items()},
            body=body,
        )
        with hub.lock:
            if fault is not None and fault.kind == "stale":
                hub.interfere()
            answer = _answer(request)
        if fault is not None and fault.kind == "drop_after":
            self._hang_up()
        else:
            self._send(answer)

    do_GET = do_HEAD = do_POST = do_PUT = do_DELETE = _handle

    def _body(self) -> bytes:
        if self.headers.get("Transfer-Encoding", "").lower() == "chunked":
            return b"".join(self._chunks())
        return self.rfile.read(int(self.headers.get("Content-Length") or 0))

    def _chunks(self) -> Iterator[bytes]:
        while size := int(self.rfile.readline().split(b";")[0], 16):
            yield self.rfile.read(size)
            self.rfile.readline()
        while self.rfile.readline().strip():
            pass

    def _hang_up(self) -> None:
        self.close_connection = True
        with suppress(OSError):
            self.connection.shutdown(2)

    def _send(self, answer: Answer) -> None:
        self.send_response(answer.status)
        for name, value in answer.headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(answer.body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(answer.body)


def _answer(request: Request) -> Answer:
    try:
        for methods, pattern, route in (*API_ROUTES, *STORAGE_ROUTES):
            match = re.fullmatch(pattern, request.path)
            if match and request.method in methods.split():
                return route(request, **match.groupdict())
    except Refused as error:
        headers = {"X-Error-Message": str(error)}
        if error.code:
            headers["X-Error-Code"] = error.code
        return Answer(error.status, json.dumps({"error": str(error)}).encode(), headers)
    return Answer(404, b'{"error": "no such page"}')
