"""Calls to the Hub: bounded retries in one place, and errors that say what to do.

``huggingface_hub`` itself retries network errors a few times, but waits as long as a server's
``Retry-After`` says, repeats a conflict at creation for ever, and has no time limit on a request.
:func:`hub_session` takes these away, so that :class:`Caller` alone decides how long to go on.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from ssl import SSLContext
from typing import TYPE_CHECKING, TypeVar

from factory.errors import InfrastructureError, UserError

if TYPE_CHECKING:
    import httpx2

T = TypeVar("T")

CONNECT_SECONDS = 20.0
ANSWER_SECONDS = 300.0
"""Silence of the server after which a request has failed; large commits take their time."""
SILENT_LEVEL = 40
"""Of the client's log, while it is ours to say what failed: errors only."""
_BUSY = frozenset({408, 409, 412, 425, 429, 500, 502, 503, 504})
"""Answers after which trying again may help; 409 and 412: somebody else was faster."""
_HELD_BACK = _BUSY - {409, 412}
_HINTS = {
    400: "the Hub refuses the request",
    401: "no such repository, or not for this token: set HF_TOKEN, or run `hf auth login`",
    403: "the token may not do this: it needs the right to write there",
    404: "no such repository or revision there",
}


@dataclass(frozen=True, slots=True)
class Patience:
    """How long a command goes on when the Hub or the network fails."""

    attempts: int = 6
    """Times that one call is tried."""
    first_wait: float = 1.0
    """Seconds before the second attempt; doubled each time."""
    total: float = 180.0
    """Seconds of waiting in the whole command; a server that wants more is given up at once."""


class BusyError(Exception):
    """The server answered that it cannot, now."""

    def __init__(self, status: int, wait: float | None) -> None:
        super().__init__(f"HTTP {status}")
        self.status = status
        self.wait = wait
        """Seconds that it asks to wait."""


class Caller:
    """Calls the Hub and, within :class:`Patience`, tries again.

    Args:
        patience: The bounds.
        note: Told of every failure that is tried again.
    """

    def __init__(self, patience: Patience, note: Callable[[str], None]) -> None:
        self._patience = patience
        self._note = note
        self._waited = 0.0

    def call(self, what: str, work: Callable[[], T]) -> T:
        """What ``work`` returns; ``what`` says for messages what it does.

        Raises:
            UserError: The Hub refuses, and would again.
            InfrastructureError: It failed in every attempt.
        """
        from huggingface_hub import constants

        place = constants.ENDPOINT
        for attempt in range(1, self._patience.attempts + 1):
            try:
                return work()
            except (UserError, InfrastructureError):
                raise
            except Exception as error:
                failure = _diagnose(error)
                if failure is None:
                    raise
                if not failure.passing:
                    raise UserError(f"{what} at {place}: {failure.reason}") from error
                wait = failure.wait or self._patience.first_wait * 2 ** (attempt - 1)
                left = self._patience.total - self._waited
                if attempt == self._patience.attempts or wait > left:
                    asked = f"; it asks to wait {wait:.0f} s" if failure.wait else ""
                    raise InfrastructureError(
                        f"{what} at {place}: {failure.reason} (attempt {attempt}){asked}; "
                        "run the same command again to go on"
                    ) from error
            self._note(f"{what}: {failure.reason}; trying again in {wait:.0f} s")
            self._waited += wait
            time.sleep(wait)
        raise AssertionError("the last attempt returns or raises")


@dataclass(frozen=True, slots=True)
class _Failure:
    reason: str
    passing: bool
    """Whether trying again may help."""
    wait: float | None = None


def _diagnose(error: BaseException) -> _Failure | None:
    """What failed; ``None`` when it is a fault of ours."""
    import httpx2
    from huggingface_hub.errors import (
        HfHubHTTPError,
        OfflineModeIsEnabled,
        RevisionNotFoundError,
    )

    for cause in _causes(error):
        if isinstance(cause, OfflineModeIsEnabled):
            return _Failure("offline mode is on: unset HF_HUB_OFFLINE", passing=False)
        if isinstance(cause, BusyError):
            return _Failure(f"HTTP {cause.status}", passing=True, wait=cause.wait)
        if isinstance(cause, RevisionNotFoundError):
            return _Failure("no such revision there", passing=False)
        if isinstance(cause, HfHubHTTPError):
            status = cause.response.status_code
            if status in _BUSY:
                return _Failure(f"HTTP {status}", passing=True)
            said = cause.server_message or ""
            hint = _HINTS.get(status, "the Hub refuses")
            return _Failure(f"HTTP {status}: {hint}{f' ({said})' if said else ''}", passing=False)
        if isinstance(cause, httpx2.HTTPError | TimeoutError):
            return _Failure(f"the connection failed ({cause})", passing=True)
        if isinstance(cause, ConnectionError):
            refused = re.search(r"\((40[134]) ", str(cause))
            if refused:
                return _Failure(f"HTTP {refused[1]}: {_HINTS[int(refused[1])]}", passing=False)
            return _Failure("the connection to the file store failed", passing=True)
    return None


def _causes(error: BaseException) -> Iterator[BaseException]:
    cause: BaseException | None = error
    while cause is not None:
        yield cause
        cause = cause.__cause__ or (None if cause.__suppress_context__ else cause.__context__)


@contextmanager
def hub_session(*, longest_wait: float = 0.0, bars: bool = False) -> Iterator[None]:
    """Bound how long the Hub's client waits, within the block.

    Args:
        longest_wait: Seconds that it may wait by itself when a server is busy (it tries five
            times again); a server that asks for more ends the call at once.  0: every busy
            answer does, so that :class:`Caller` alone decides.
        bars: Whether the client shows its progress bars (on standard error).
    """
    import httpx2
    from huggingface_hub import get_session, set_client_factory
    from huggingface_hub.utils import logging
    from huggingface_hub.utils.tqdm import (
        are_progress_bars_disabled,
        disable_progress_bars,
        enable_progress_bars,
    )

    def hook(response: httpx2.Response) -> None:
        _raise_when_busy(response, longest_wait)

    before = get_session()
    requests, unlimited = before.event_hooks["request"], before.timeout
    hidden, level = are_progress_bars_disabled(), logging.get_verbosity()

    def patient() -> httpx2.Client:
        return httpx2.Client(
            event_hooks={"request": requests, "response": [hook]},
            follow_redirects=True,
            timeout=httpx2.Timeout(ANSWER_SECONDS, connect=CONNECT_SECONDS),
            verify=_certificates(),
        )

    def usual() -> httpx2.Client:
        return httpx2.Client(
            event_hooks={"request": requests}, follow_redirects=True, timeout=unlimited
        )

    set_client_factory(patient)
    logging.set_verbosity(SILENT_LEVEL)
    if not bars:
        disable_progress_bars()
    try:
        yield
    finally:
        set_client_factory(usual)
        logging.set_verbosity(level)
        if not hidden:
            enable_progress_bars()


@cache
def _certificates() -> SSLContext:
    """Read once: it takes longer than most requests."""
    import httpx2

    return httpx2.create_ssl_context()


def _raise_when_busy(response: httpx2.Response, longest_wait: float) -> None:
    status = response.status_code
    if status == 409 and response.url.path == "/api/repos/create":
        response.read()
        if "another conflicting operation" in response.text:
            raise BusyError(status, None)
    if status in _HELD_BACK:
        text = response.headers.get("retry-after", "").strip()
        wait = float(text) if text.isdigit() else None
        if not longest_wait or (wait or 0.0) > longest_wait:
            raise BusyError(status, wait)
