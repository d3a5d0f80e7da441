"""Records the order of the statements of a call, and reads states at chosen steps alone.

A trace in two passes (:mod:`tracer.points`): without points the order is all that is recorded; with
points, the variables are read when one of those steps ends. Everything that is not a plain step of
the activation under way is taken in by the recorder of whole traces.

Source: own.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Sequence
from types import CodeType, FrameType
from typing import Any

from tracer.inside.activations import CodeInfo
from tracer.inside.arrays import ArrayPicture
from tracer.inside.encode import Encoder
from tracer.inside.events import TracedActivation
from tracer.inside.frames import OPTIMIZED, memory
from tracer.inside.picture import NamePicture
from tracer.inside.preparation import Prepared
from tracer.inside.steps import Recorder

State = list[tuple[str, str, str]]
"""Name, type text and canonical text of the visible variables, in no order."""


class PointActivation(TracedActivation):
    """An activation whose steps are only counted, but where one of the points is near.

    Attributes:
        swift: Whether it was the last of all to begin a step and the next may be only counted.
        room: Steps that the trace may have before one must be looked at.
    """

    swift = False
    room = 0

    def open(self, frame: FrameType) -> None:
        """Begin without reading anything."""
        self.picture = PointPicture(self.info, self.owner)

    def trace(self, frame: FrameType, event: str, arg: Any) -> None:
        """Take in one event of the frame."""
        if event == "line" and self.swift:
            stmt = self.lines[frame.f_lineno]
            if stmt == self.last:
                return
            if stmt >= 0:
                stmts = self.stmts
                if len(stmts) < self.room:
                    self.last = stmt
                    stmts.append(stmt)
                    return
        self.owner.settle()
        super().trace(frame, event, arg)
        self.owner.let_run(self)


class PointPicture:
    """Stands for the variables of an activation; reads them after the chosen steps alone."""

    restless = False

    def __init__(self, info: CodeInfo, owner: PointRecorder) -> None:
        self._info = info
        self._owner = owner

    def update(self, frame: FrameType, step: int, *_: Any) -> None:
        """Take in that a step has ended, or stands at a yield."""
        if step in self._owner.wanted:
            self._owner.states[step] = self._read(frame)

    def preview(self, frame: FrameType, step: int, *_: Any) -> list[Any]:
        """Take in that a generator stands at a yield; if it goes on, the step has not ended."""
        self.update(frame, step)
        return []

    def entry(self) -> list[Any]:
        """Return nothing: entry values are not read."""
        return []

    def write_log(self, out: list[Any]) -> None:
        """Write nothing: nothing is kept."""

    def _read(self, frame: FrameType) -> State:
        info, encoder = self._info, self._owner.encoder
        wanted = info.steady_names + info.global_names
        picture: ArrayPicture | NamePicture
        if info.code.co_flags & OPTIMIZED and memory is not None:
            slots = info.slots._replace(at_entry=info.slots.plain)
            picture = ArrayPicture(frame, slots, (), wanted, encoder)
        else:
            picture = NamePicture(wanted, encoder)
            picture.update(frame, -1, (), None, [])
        return [(name, *value) for name, value in picture.entry() if value is not None]


class PointRecorder(Recorder):
    """Records the order of the steps and the states after those in ``points``, ascending."""

    activation_type = PointActivation

    def __init__(
        self,
        prepared: Prepared,
        encoder: Encoder,
        max_steps: int,
        entry_code: CodeType | None,
        cut: Callable[[], None],
        points: Sequence[int],
    ) -> None:
        super().__init__(prepared, encoder, max_steps, entry_code, cut)
        self.points = points
        self.wanted = frozenset(points)
        self.states: dict[int, State] = {}
        self._running: PointActivation | None = None

    def let_run(self, activation: PointActivation) -> None:
        """Let the next steps of an activation be only counted, if nothing else may happen there."""
        if (
            self.last_to_begin is activation
            and not activation.is_generator
            and not activation.returns
            and not activation.failed
            and not self.keeps_variables
            and self.fault is None
        ):
            begun = len(self.stmts)
            place = bisect_left(self.points, begun - 1)
            activation.room = self.max_steps
            if place < len(self.points):
                activation.room = min(self.max_steps, self.points[place] + 1)
            activation.swift = True
            self._running = activation

    def settle(self) -> None:
        """Take in the steps that have been only counted."""
        running, self._running = self._running, None
        if running is not None:
            running.swift = False
            running.step = len(self.stmts) - 1
            running.stmt = self.stmts[-1]

    def result(self) -> dict[str, Any]:
        """Return the report, with ``states``: each point that was seen and its variables."""
        self.settle()
        return {**super().result(), "states": sorted(self.states.items())}
