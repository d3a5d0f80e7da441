"""Progress of an evaluation: a line now and then."""

from __future__ import annotations

import time
from collections.abc import Callable

SECONDS_BETWEEN_LINES = 5.0


class Progress:
    """Tells a line at the end of each stage, and every few seconds before."""

    def __init__(self, say: Callable[[str], None]) -> None:
        self.say = say
        self._last = time.monotonic()

    def stage(self, name: str) -> Callable[[int, int], None]:
        """What a stage calls with the number that is done, and of how many."""

        def advance(done: int, total: int) -> None:
            now = time.monotonic()
            if done == total or now - self._last >= SECONDS_BETWEEN_LINES:
                self._last = now
                self.say(f"{name} {done} of {total}")

        return advance
