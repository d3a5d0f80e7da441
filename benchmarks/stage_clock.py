"""Processor time by stage: functions are wrapped, and what runs inside one counts for it alone."""

from __future__ import annotations

import os
import resource
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import wraps
from pathlib import Path
from typing import Any

_TICKS = os.sysconf("SC_CLK_TCK")
_FIRST_TIME = 11
"""Place of ``utime`` in /proc/PID/stat behind the name; its children's times end three later."""


class StageClock:
    """Attributes processor seconds to the innermost open stage.

    Living child processes are looked at only where a stage that uses them begins or ends, because
    that costs more than most stages do.
    """

    def __init__(self, rest: str) -> None:
        """Start; ``rest`` names what is in no other stage."""
        self.seconds: Counter[str] = Counter()
        self.calls: Counter[str] = Counter()
        self._open = [rest]
        self._own = time.process_time()
        self._of_children = children_seconds()

    def wrap(self, owner: Any, name: str, stage: str, *, sandbox: bool = False) -> None:
        """Count the calls of ``owner.name`` for ``stage``; ``sandbox`` when they use children."""
        function: Callable[..., Any] = getattr(owner, name)

        @wraps(function)
        def counted(*args: Any, **kwargs: Any) -> Any:
            with self._stage(stage, sandbox):
                return function(*args, **kwargs)

        setattr(owner, name, counted)

    def stop(self) -> None:
        """Count what is left."""
        self._count(children=True)

    @contextmanager
    def _stage(self, stage: str, sandbox: bool) -> Iterator[None]:
        self._count(sandbox)
        self._open.append(stage)
        self.calls[stage] += 1
        try:
            yield
        finally:
            self._count(sandbox)
            self._open.pop()

    def _count(self, children: bool) -> None:
        stage, now = self._open[-1], time.process_time()
        self.seconds[stage] += now - self._own
        if children:
            spent = children_seconds()
            self.seconds[stage] += spent - self._of_children
            self._of_children = spent
            now = time.process_time()
        self._own = now


def children_seconds() -> float:
    """Processor seconds of all children so far, the living and the ended ones."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    living = sum(map(_seconds_of, descendants(os.getpid())))
    return usage.ru_utime + usage.ru_stime + living


def descendants(process: int) -> list[int]:
    """Ids of the living processes below ``process``."""
    found: list[int] = []
    with suppress(OSError):  # it may end meanwhile
        for path in Path(f"/proc/{process}/task").glob("*/children"):
            for child in map(int, path.read_text(encoding="ascii").split()):
                found += [child, *descendants(child)]
    return found


def _seconds_of(process: int) -> float:
    """Processor seconds of a process and of its children that have ended."""
    try:
        text = Path(f"/proc/{process}/stat").read_text(encoding="ascii", errors="replace")
    except OSError:
        return 0.0
    times = text.rpartition(")")[2].split()[_FIRST_TIME : _FIRST_TIME + 4]
    return sum(map(int, times)) / _TICKS
