"""What the recorder remembers of one activation."""

from __future__ import annotations

import gc
from collections.abc import Sequence
from types import CodeType, GeneratorType
from typing import Any, NamedTuple

from tracer.inside import watch
from tracer.inside.frames import Slots
from tracer.inside.picture import Changes
from tracer.inside.sites import Site


class CodeInfo(NamedTuple):
    """Static facts of one code object of the program."""

    code: CodeType
    function: str
    steady_names: tuple[str, ...]
    """Globals that it names and that only module code binds."""
    global_names: tuple[str, ...]
    """The other globals that it names."""
    is_class: bool
    bytecode: bytes
    is_generator: bool
    slots: Slots
    targets: dict[int, tuple[int, ...]]
    """For each of its own statements the places of the variables that it may bind."""


class ActivationState:
    """The running record of one activation."""

    number = -1
    parent_step: int | None = None
    entry: Sequence[tuple[str, tuple[str, str] | None]] = ()
    picture: Any = None
    step = -1
    stmt = -1
    failed = False
    delegating = False
    delegator: ActivationState | None = None
    pending: tuple[tuple[int, str], ...] = ()
    """Statements in which an exception arose that nothing has handled yet, with its type."""
    returns: tuple[Site, ...] = ()
    """Returns that have begun and that nothing has cancelled yet."""
    suspended: Changes | None = None
    """For a generator at a yield, what its step has changed."""
    lifeline: object = None
    ended = False
    end = "running"
    end_stmt: int | None = None
    end_type: str | None = None
    end_value: str | None = None

    def __init__(self, info: CodeInfo, owner: Any) -> None:
        self.info = info
        self.owner = owner
        self.is_generator = info.is_generator

    def choose_return(self, site: Site) -> None:
        """Take in that ``site`` begins: it may be a return, or cancel those before it."""
        if self.returns:
            self.returns = tuple(
                earlier
                for earlier in self.returns
                if any(first <= site.first <= last for first, last in earlier.final_ranges)
                and not (site.left_loop and site.left_loop[0] <= earlier.first <= site.left_loop[1])
            )
        if site.is_return:
            self.returns += (site,)

    def fail(self, exception_type: str) -> None:
        """Note that an exception leaves the current statement."""
        self.failed = True
        self.pending += ((self.stmt, exception_type),)
        if self.returns and self.returns[-1].first == self.stmt:
            self.returns = self.returns[:-1]

    def resolve(self, first: int, last: int) -> None:
        """Forget the exceptions that arose in the statements ``first`` to ``last``."""
        while self.pending and first <= self.pending[-1][0] <= last:
            self.pending = self.pending[:-1]

    def leaves_by_close(self) -> bool:
        """Tell whether the exception on its way out is that of ``close`` or of a drop."""
        return bool(self.pending) and self.pending[-1][1] == "GeneratorExit"

    def end_returned(self, type_text: str, text: str) -> None:
        """End with a value."""
        self.end_as("returned")
        if self.returns:
            self.end_stmt = self.returns[-1].first
        self.end_type, self.end_value = type_text, text

    def end_raised(self) -> None:
        """End by the newest exception that nothing has handled."""
        self.end_as("raised")
        if self.pending:
            self.end_stmt, self.end_type = self.pending[-1]

    def end_as(self, end: str) -> None:
        """End at the current statement without a value."""
        self.end = end
        self.ended = True
        self.end_stmt = self.stmt


def suspended_activations() -> frozenset[int]:
    """Return the identities of the activations whose generators can still go on.

    From 3.13 on, ``close`` clears a generator that stands at a plain ``yield`` without an event
    and without letting go of its frame.
    """
    objects = watch.quietly(gc.get_objects)
    frames_alive = (thing.gi_frame for thing in objects if type(thing) is GeneratorType)
    return frozenset(
        id(getattr(frame.f_trace, "__self__", None))
        for frame in frames_alive
        if frame is not None and frame.f_trace is not None
    )
