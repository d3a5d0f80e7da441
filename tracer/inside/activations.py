"""What the recorder remembers of one activation."""

from __future__ import annotations

import gc
from dataclasses import dataclass
from types import CodeType, GeneratorType
from typing import Any

from tracer.inside import watch
from tracer.inside.picture import Picture, State
from tracer.inside.sites import Site


@dataclass(frozen=True, slots=True)
class CodeInfo:
    """Static facts of one code object of the program."""

    code: CodeType
    function: str
    global_names: tuple[str, ...]
    is_class: bool
    bytecode: bytes
    is_generator: bool


class ActivationState:
    """The running record of one activation."""

    __slots__ = (
        "delegating",
        "delegator",
        "end",
        "end_stmt",
        "end_type",
        "end_value",
        "ended",
        "entry",
        "failed",
        "info",
        "lifeline",
        "number",
        "owner",
        "parent_step",
        "pending",
        "picture",
        "record",
        "reset",
        "returns",
        "site",
        "step",
        "stmt",
        "suspended",
    )

    def __init__(self, info: CodeInfo, owner: object) -> None:
        self.info = info
        self.owner = owner
        self.number: int | None = None
        self.parent_step: int | None = None
        self.entry: State = {}
        self.picture = Picture(info.global_names)
        self.record: dict[str, Any] = {}
        self.step = -1
        self.stmt = -1
        self.site: Site | None = None
        self.failed = False
        self.reset = False
        self.delegating = False
        self.delegator: ActivationState | None = None
        self.pending: list[tuple[int, str]] = []
        self.returns: list[Site] = []
        self.suspended: list[dict[str, Any]] | None = None
        self.lifeline: object = None
        self.ended = False
        self.end = "running"
        self.end_stmt: int | None = None
        self.end_type: str | None = None
        self.end_value: str | None = None

    def begin(self, step: int, site: Site) -> None:
        """Make ``step``, which runs ``site``, the current one."""
        if self.returns:
            self.returns = [
                earlier
                for earlier in self.returns
                if any(first <= site.first <= last for first, last in earlier.final_ranges)
                and not (site.left_loop and site.left_loop[0] <= earlier.first <= site.left_loop[1])
            ]
        if site.is_return:
            self.returns.append(site)
        self.step = step
        self.site = site
        self.stmt = site.first
        self.failed = False
        self.reset = False
        self.suspended = None

    def fail(self, exception_type: str) -> None:
        """Note that an exception leaves the current statement."""
        self.failed = True
        self.pending.append((self.stmt, exception_type))
        if self.returns and self.returns[-1] is self.site:
            self.returns.pop()

    def resolve(self, first: int, last: int) -> None:
        """Forget the exceptions that arose in the statements ``first`` to ``last``."""
        while self.pending and first <= self.pending[-1][0] <= last:
            self.pending.pop()

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

    def to_dict(self) -> dict[str, Any]:
        """Return the activation as it stands in ``trace --json``."""
        return {
            "activation": self.number,
            "function": self.info.function,
            "parent_step": self.parent_step,
            "entry": [
                {"name": name, "type": self.entry[name][0], "value": self.entry[name][1]}
                for name in sorted(self.entry)
            ],
            "end": self.end,
            "end_stmt": self.end_stmt,
            "type": self.end_type,
            "value": self.end_value,
        }


def suspended_activations() -> frozenset[int]:
    """Return the identities of the activations whose generators can still go on.

    From 3.13 on, ``close`` clears a generator that stands at a plain ``yield`` without an event
    and without letting go of its frame.
    """
    objects = watch.quietly(gc.get_objects)
    frames_alive = (thing.gi_frame for thing in objects if type(thing) is GeneratorType)
    return frozenset(
        id(getattr(frame.f_trace, "activation", None))
        for frame in frames_alive
        if frame is not None and frame.f_trace is not None
    )
