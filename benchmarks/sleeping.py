"""A job for an engine that does nothing but wait."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass


@dataclass(frozen=True)
class Sleeping:
    """A job whose units take the time they are told, and no processor."""

    @contextmanager
    def open(self) -> Iterator[Callable[[float], bytes]]:
        """Nothing has to be made ready."""

        def work(seconds: float) -> bytes:
            time.sleep(seconds)
            return b""

        yield work
