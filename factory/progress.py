"""Progress of long work on standard error: a bar, one line now and then, or nothing."""

from __future__ import annotations

import sys
import time
from types import TracebackType
from typing import TYPE_CHECKING, Protocol, Self

if TYPE_CHECKING:
    from rich.progress import Progress as Bars
    from rich.progress import TaskID

SECONDS_BETWEEN_LINES = 5.0


class Progress(Protocol):
    """What a stage tells about its work; an implementation never prints on standard output."""

    def advance(self, stage: str, done: int, total: int | None) -> None:
        """Say that ``done`` of ``total`` pieces of ``stage`` are finished.

        ``total`` is ``None`` when nobody knows it yet; ``done`` counts from the stage's start
        and never falls.
        """


class SilentProgress:
    """Says nothing."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Nothing to put away."""

    def advance(self, stage: str, done: int, total: int | None) -> None:
        """Ignore it."""


class LogProgress(SilentProgress):
    """One line on standard error every few seconds, and one when a stage is done."""

    def __init__(self, seconds: float = SECONDS_BETWEEN_LINES) -> None:
        self._seconds = seconds
        self._stage: str | None = None
        self._last = time.monotonic()

    def advance(self, stage: str, done: int, total: int | None) -> None:
        """Print when the stage is complete, or when the last line is old enough."""
        now = time.monotonic()
        finished = total is not None and done >= total
        if stage != self._stage:
            self._stage, self._last = stage, now
        elif not finished and now - self._last < self._seconds:
            return
        if finished or now - self._last >= self._seconds:
            self._last = now
            of = "" if total is None else f" of {total}"
            print(f"{stage}: {done}{of}", file=sys.stderr, flush=True)  # noqa: T201


class RichProgress(SilentProgress):
    """A bar a stage on a terminal; use it as a context manager, so that the bars are put away."""

    def __init__(self) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeElapsedColumn
        from rich.progress import Progress as Bars

        self._bars: Bars = Bars(
            TextColumn("{task.description:<12}"),
            BarColumn(),
            MofNCompleteColumn(),
            TimeElapsedColumn(),
            console=Console(stderr=True),
            transient=True,
        )
        self._tasks: dict[str, TaskID] = {}

    def __enter__(self) -> Self:
        self._bars.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Take the bars off the screen."""
        self._bars.stop()

    def advance(self, stage: str, done: int, total: int | None) -> None:
        """Move the stage's bar, which appears with the first call."""
        if stage not in self._tasks:
            self._tasks[stage] = self._bars.add_task(stage, total=total)
        self._bars.update(self._tasks[stage], completed=done, total=total)


def tell(text: str) -> None:
    """One line on standard error about something that takes its time."""
    print(text, file=sys.stderr, flush=True)  # noqa: T201


def choose_progress() -> RichProgress | LogProgress:
    """Bars when standard error is a terminal, else a line now and then."""
    return RichProgress() if sys.stderr.isatty() else LogProgress()
