"""A headless Chromium for tests, driven over its debugging pipe: no driver, no package needed."""

from __future__ import annotations

import base64
import fcntl
import json
import os
import select
import shutil
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
ANSWER_S = 30.0
KEYS = {
    "ArrowRight": 39,
    "ArrowLeft": 37,
    "ArrowDown": 40,
    "ArrowUp": 38,
    "Home": 36,
    "End": 35,
    "Escape": 27,
    "Enter": 13,
    "Tab": 9,
}


def find_chromium() -> str | None:
    """The browser of `CHROMIUM`, or the first one on the path."""
    named = os.environ.get("CHROMIUM")
    return named or next((path for name in NAMES if (path := shutil.which(name))), None)


class Page:
    """One tab."""

    def __init__(self, into: int, out: int) -> None:
        self._into, self._out = into, out
        self._buffer = b""
        self._number = 0
        self._session: str | None = None
        self.errors: list[str] = []
        """Exceptions of scripts, messages of the console, and requests that failed."""
        self.requests: list[str] = []
        target = self._send("Target.createTarget", url="about:blank")["targetId"]
        attached = self._send("Target.attachToTarget", targetId=target, flatten=True)
        self._session = attached["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self._send(f"{domain}.enable")

    def open(self, address: str) -> None:
        """Load a page and wait until it is there."""
        self._send("Page.navigate", url=address)
        self.wait_for("document.readyState === 'complete' && location.href !== 'about:blank'")

    def evaluate(self, expression: str) -> Any:
        """Value of a JavaScript expression; promises are awaited."""
        answer = self._send(
            "Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True
        )
        assert "exceptionDetails" not in answer, answer["exceptionDetails"]
        return answer["result"].get("value")

    def wait_for(self, expression: str) -> None:
        """Wait until an expression is true."""
        end = time.monotonic() + ANSWER_S
        while not self.evaluate(f"Boolean({expression})"):
            assert time.monotonic() < end, f"never true: {expression}"
            time.sleep(0.05)

    def text(self, selector: str) -> str:
        """The text that a person sees inside the first element of a selector."""
        return str(self.evaluate(f"document.querySelector({json.dumps(selector)}).innerText"))

    def click(self, selector: str, text: str = "") -> None:
        """Click with the mouse on the first visible element of a selector that has the text."""
        place = self.evaluate(
            f"""(() => {{
                const found = [...document.querySelectorAll({json.dumps(selector)})].find(
                    (e) => e.innerText.includes({json.dumps(text)}) && e.getClientRects().length);
                if (!found) return null;
                found.scrollIntoView({{ block: "center" }});
                const box = found.getBoundingClientRect();
                return [box.x + box.width / 2, box.y + box.height / 2];
            }})()"""
        )
        assert place is not None, f"nothing to click: {selector} {text}"
        for kind in ("mousePressed", "mouseReleased"):
            self._send(
                "Input.dispatchMouseEvent",
                type=kind,
                x=place[0],
                y=place[1],
                button="left",
                clickCount=1,
            )

    def press(self, *keys: str) -> None:
        """Press keys, one after another: names such as `ArrowRight`, or characters."""
        for key in keys:
            code = KEYS.get(key, 0)
            event: dict[str, Any] = {"key": key, "windowsVirtualKeyCode": code}
            if len(key) == 1:
                event["text"] = key
            elif key == "Enter":
                event["text"] = "\r"
            self._send("Input.dispatchKeyEvent", type="keyDown", **event)
            self._send("Input.dispatchKeyEvent", type="keyUp", key=key)

    def choose(self, selector: str, value: str) -> None:
        """Choose an option of a `select`, as a person's choice is told to the page."""
        self.evaluate(
            f"""(() => {{
                const field = document.querySelector({json.dumps(selector)});
                field.value = {json.dumps(value)};
                field.dispatchEvent(new Event("change", {{ bubbles: true }}));
            }})()"""
        )

    def resize(self, width: int, height: int) -> None:
        """Another size of the window, in CSS pixels."""
        self._send(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=height,
            deviceScaleFactor=1,
            mobile=width < 500,
        )

    def prefer(self, scheme: str) -> None:
        """Let the system prefer `dark` or `light`."""
        features = [{"name": "prefers-color-scheme", "value": scheme}]
        self._send("Emulation.setEmulatedMedia", features=features)

    def screenshot(self, file: Path) -> None:
        """Write what is visible as a PNG."""
        answer = self._send("Page.captureScreenshot", format="png")
        file.write_bytes(base64.b64decode(answer["data"]))

    def _send(self, method: str, **parameters: Any) -> dict[str, Any]:
        self._number += 1
        message = {"id": self._number, "method": method, "params": parameters}
        if self._session:
            message["sessionId"] = self._session
        os.write(self._into, json.dumps(message).encode() + b"\0")
        while True:
            answer = self._receive()
            if answer.get("id") == self._number:
                assert "error" not in answer, (method, answer["error"])
                return dict(answer["result"])
            self._note(answer)

    def _receive(self) -> dict[str, Any]:
        end = time.monotonic() + ANSWER_S
        while b"\0" not in self._buffer:
            ready, _, _ = select.select([self._out], [], [], max(0, end - time.monotonic()))
            assert ready, f"no answer from Chromium within {ANSWER_S} s"
            part = os.read(self._out, 1 << 16)
            assert part, "Chromium has ended"
            self._buffer += part
        message, _, self._buffer = self._buffer.partition(b"\0")
        return dict(json.loads(message))

    def _note(self, event: dict[str, Any]) -> None:
        method, parameters = event.get("method"), event.get("params", {})
        if method == "Runtime.exceptionThrown":
            self.errors.append(json.dumps(parameters["exceptionDetails"]))
        elif method == "Log.entryAdded" and parameters["entry"]["level"] == "error":
            self.errors.append(parameters["entry"]["text"])
        elif method == "Network.requestWillBeSent":
            self.requests.append(parameters["request"]["url"])


@contextmanager
def open_page(folder: Path) -> Iterator[Page]:
    """Start the browser with a profile of its own inside `folder`, which ends with the block."""
    program = find_chromium()
    assert program is not None
    to_read, into = os.pipe()
    out, to_write = os.pipe()
    read_end = fcntl.fcntl(to_read, fcntl.F_DUPFD, 10)
    write_end = fcntl.fcntl(to_write, fcntl.F_DUPFD, 10)

    def place_pipes() -> None:
        os.dup2(read_end, 3)
        os.dup2(write_end, 4)

    with (folder / "chromium.log").open("wb") as log:
        process = subprocess.Popen(
            [
                program,
                "--headless=new",
                "--no-sandbox",
                "--disable-gpu",
                "--disable-dev-shm-usage",
                "--disable-background-networking",
                "--no-first-run",
                "--hide-scrollbars",
                "--remote-debugging-pipe",
                f"--user-data-dir={folder / 'profile'}",
            ],
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            preexec_fn=place_pipes,
            pass_fds=(3, 4),
        )
    for descriptor in (to_read, to_write, read_end, write_end):
        os.close(descriptor)
    try:
        yield Page(into, out)
    finally:
        process.terminate()
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        os.close(into)
        os.close(out)
