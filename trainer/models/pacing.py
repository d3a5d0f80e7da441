"""How fast a server is asked, how long it is waited for, and what its answers cost."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Patience:
    """How long one request is tried."""

    attempts: int = 6
    first_wait_s: float = 1.0
    """Seconds before the second attempt; doubled each time."""
    longest_wait_s: float = 60.0
    """Seconds that are waited at most before an attempt, whatever the server asks for."""
    timeout_s: float = 600.0
    """Seconds from a request to the end of its answer after which it has failed."""

    def __post_init__(self) -> None:
        """Check the numbers."""
        if self.attempts < 1:
            raise ValueError(f"attempts must be at least 1, not {self.attempts}")
        if min(self.first_wait_s, self.longest_wait_s) < 0 or self.timeout_s <= 0:
            raise ValueError("waits must not be negative, and timeout_s must be more than 0")

    def wait_after(self, attempt: int, asked: float | None) -> float:
        """Seconds to wait after a failed attempt (counted from 1).

        Args:
            attempt: Which attempt failed.
            asked: Seconds that the server asks to wait, if it does.
        """
        own = self.first_wait_s * 2.0 ** (attempt - 1)
        return min(self.longest_wait_s, own if asked is None else max(own, asked))


@dataclass(slots=True)
class Usage:
    """What a model has cost so far."""

    input_price: float = 0.0
    """Of a million tokens, in whatever currency."""
    output_price: float = 0.0
    requests: int = 0
    """Answers that were taken."""
    retries: int = 0
    """Requests that failed and were made again."""
    prompt_tokens: int = 0
    completion_tokens: int = 0

    def add(self, prompt_tokens: int, completion_tokens: int) -> None:
        """Count one answer."""
        self.requests += 1
        self.prompt_tokens += prompt_tokens
        self.completion_tokens += completion_tokens

    def as_dict(self) -> dict[str, float]:
        """The counts, with ``cost``."""
        paid = self.prompt_tokens * self.input_price + self.completion_tokens * self.output_price
        return {
            "requests": self.requests,
            "retries": self.retries,
            "prompt_tokens": self.prompt_tokens,
            "completion_tokens": self.completion_tokens,
            "cost": round(paid / 1_000_000, 6),
        }


@dataclass(slots=True)
class Pace:
    """Spreads requests so that a server's limits for a minute are kept.

    Requests are spaced evenly. Tokens are counted when an answer tells them, and requests wait
    until what was used is paid off; those under way at that time may exceed the limit once.
    """

    requests_per_minute: float | None = None
    tokens_per_minute: float | None = None
    clock: Callable[[], float] = field(default=time.monotonic)
    _next: float = 0.0
    _paid_off: float = 0.0

    def __post_init__(self) -> None:
        """Check the numbers."""
        for limit in (self.requests_per_minute, self.tokens_per_minute):
            if limit is not None and limit <= 0:
                raise ValueError(f"a limit for a minute must be more than 0, not {limit:g}")

    def reserve(self) -> float:
        """Seconds to wait before the next request, whose place is then taken."""
        now = self.clock()
        start = max(now, self._next, self._paid_off)
        if self.requests_per_minute is not None:
            self._next = start + 60.0 / self.requests_per_minute
        return start - now

    def use(self, tokens: int) -> None:
        """Count the tokens of an answer."""
        if self.tokens_per_minute is not None:
            cost = 60.0 * tokens / self.tokens_per_minute
            self._paid_off = max(self.clock(), self._paid_off) + cost
