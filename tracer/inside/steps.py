"""Records the statement steps, changes and activations of one call (DESIGN, section 3).

The recorder is a ``sys.settrace`` function over code compiled from a :class:`~.layout.Layout`, in
which a line event names the statement that begins. Everything else follows from the events of one
activation: its state is read when the next of its steps begins and when it leaves.
"""

from __future__ import annotations

import sys
import weakref
from collections.abc import Callable
from types import CodeType, FrameType
from typing import Any, cast

from tracer.inside import bytecode, frames
from tracer.inside.activations import ActivationState, CodeInfo, suspended_activations
from tracer.inside.encode import Encoder
from tracer.inside.layout import NOTHING, RESET_MARK, RESOLVE_MARK, Layout, line_table
from tracer.inside.stack import CallStack, activation_of

TraceFunction = Callable[[FrameType, str, Any], Any]


class Recorder:
    """Collects the steps of one call; ``cut`` is called, and never returns, at the step limit."""

    def __init__(
        self,
        layout: Layout,
        codes: dict[int, CodeInfo],
        encoder: Encoder,
        max_steps: int,
        entry_code: CodeType | None,
        cut: Callable[[], None],
    ) -> None:
        self.sites = layout.sites
        self.lines = line_table(layout)
        self.codes = codes
        self.encoder = encoder
        self.max_steps = max_steps
        self.entry_code = entry_code
        self.cut = cut
        self.steps: list[dict[str, Any]] = []
        self.activations: list[ActivationState] = []
        self.stack = CallStack()
        self.occurrences = [0] * len(layout.sites)
        self.running = False
        self.entry_left = False
        self.alive: frozenset[int] = frozenset()
        self.raised_last: ActivationState | None = None
        self.recursion_error = False
        self.memory_error = False
        self.fault: str | None = None

    def start(self) -> None:
        """Begin to trace calls made from now on in this thread."""
        self.running = True
        sys.settrace(self.trace_call)

    def stop(self) -> bool:
        """Stop; return whether the tracer was still in place and saw everything end."""
        undisturbed = self.entry_left or sys.gettrace() == self.trace_call
        sys.settrace(None)
        self.running = False
        return undisturbed and not self.stack.entries and self.fault is None

    def trace_call(self, frame: FrameType, event: str, arg: object) -> TraceFunction | None:
        """Trace function of the thread: a frame begins, or a generator's frame goes on."""
        info = self.codes.get(id(frame.f_code))
        if info is None or not self.running:
            return None
        try:
            activation = activation_of(frame, self)
            if activation is None:
                activation = ActivationState(info, self)
                self.stack.enter(activation)
                return self._local_function(activation, frame)
            self.stack.resume(activation, frame)
            frames.forget_locals(frame)
        except RecursionError:
            self.recursion_error = True
            self.running = False
            raise
        return cast(TraceFunction, frame.f_trace)

    def _local_function(self, activation: ActivationState, frame: FrameType) -> TraceFunction:
        lines, running, flag = self.lines, self.stack.entries, frames.FLAG_OFFSET
        kept = frames.kept_dictionary(frame)
        read: Callable[[FrameType], dict[str, Any]] = frames.read_names
        if kept is not None:
            read = frames.read_locals
            forget, memory = kept.clear, frames.memory
            memory[id(frame) + frames.FLAG_OFFSET] = 0
            forget()

        def trace_frame(frame: FrameType, event: str, arg: Any) -> TraceFunction | None:
            if not self.running:
                return None
            try:
                if not running or running[-1] is not activation or activation.delegating:
                    self.stack.resume(activation, frame)
                if event == "line":
                    stmt = lines[frame.f_lineno]
                    if stmt >= 0:
                        if stmt != activation.stmt or activation.reset:
                            values = read(frame)
                            self._begin(activation, frame, values, stmt)
                    elif stmt != NOTHING:
                        self._mark(activation, stmt)
                elif event == "exception":
                    self._exception(activation, frame, arg)
                elif event == "return":
                    values = read(frame)
                    self._return(activation, frame, values, arg)
            except RecursionError:
                self.recursion_error = True
                self.running = False
                raise
            except Exception as error:
                self.fault, self.running = f"{type(error).__name__}: {error}", False
            if kept is not None:
                memory[id(frame) + flag] = 0
                forget()
            return frame.f_trace  # itself, without a reference cycle

        trace_frame.activation = activation  # type: ignore[attr-defined]
        if activation.info.is_generator:
            # A generator that is dropped without an event is seen when its frame, and with it
            # this function, goes away (3.13 clears such frames silently).
            activation.lifeline = weakref.ref(trace_frame, lambda _: self._dropped(activation))
        return trace_frame

    def _mark(self, activation: ActivationState, mark: int) -> None:
        if mark == RESET_MARK:
            activation.reset = True
        else:
            stmt = RESOLVE_MARK - mark
            activation.resolve(stmt, self.sites[stmt].body_last)

    def _begin(
        self, activation: ActivationState, frame: FrameType, values: dict[str, Any], stmt: int
    ) -> None:
        index = len(self.steps)
        if index >= self.max_steps:
            self.running = False
            self.cut()
        site = self.sites[stmt]
        if activation.step >= 0:
            self._finish_step(activation, frame, values)
        self.raised_last = None
        if activation.number is None:
            activation.number = len(self.activations)
            self.activations.append(activation)
            above = self.stack.entries[:-1]
            activation.parent_step = next((a.step for a in reversed(above) if a.step >= 0), None)
            picture = activation.picture
            picture.update(values, frame.f_globals, self.encoder, None)
            activation.entry = dict(picture.state)
        activation.begin(index, site)
        if site.reraises:
            handled = sys.exc_info()[1]
            if handled is not None:
                activation.pending.append((stmt, self.encoder.type_text(handled)))
        self.occurrences[stmt] += 1
        activation.record = record = {
            "index": index,
            "stmt": stmt,
            "line": site.line,
            "activation": activation.number,
            "depth": len(self.stack.entries) - 1,
            "occurrence": self.occurrences[stmt],
            "completed": False,
            "changes": [],
        }
        self.steps.append(record)

    def _finish_step(
        self, activation: ActivationState, frame: FrameType, values: dict[str, Any]
    ) -> None:
        site, record = self.sites[activation.stmt], activation.record
        record["changes"] = activation.picture.update(values, frame.f_globals, self.encoder, site)
        record["completed"] = not (activation.failed or site.never_completes)

    def _exception(self, activation: ActivationState, frame: FrameType, arg: Any) -> None:
        kind, value, _ = arg
        self.name_exception(value)
        if issubclass(kind, StopIteration):
            if bytecode.consumes_stop(activation.info.bytecode, frame.f_lasti):
                return
        if issubclass(kind, RecursionError):
            self.recursion_error = True
        elif issubclass(kind, MemoryError):
            self.memory_error = True
        elif issubclass(kind, GeneratorExit):
            self.stack.close(activation)
        if activation.step >= 0:
            activation.fail(self.encoder.type_text(value))

    def name_exception(self, value: BaseException) -> None:
        """Correct the type with which the last activation ended, now that it is seen outside.

        What leaves an ``except*`` may be a new group, made after the last event inside.
        """
        last, self.raised_last = self.raised_last, None
        if last is not None and isinstance(value, BaseExceptionGroup):
            last.end_type = self.encoder.type_text(value)

    def _return(
        self,
        activation: ActivationState,
        frame: FrameType,
        values: dict[str, Any],
        arg: object,
    ) -> None:
        code, at = activation.info.bytecode, frame.f_lasti
        returned = bytecode.returns(code, at)
        if bytecode.yields(code, at) and not activation.failed:
            activation.suspended = activation.picture.preview(
                values, frame.f_globals, self.encoder, activation.site
            )
            delegates = bytecode.delegates(code, at)
            matched = self.stack.suspend(activation, delegates=delegates)
        else:
            self._leave(activation, frame, values, arg, returned)
            matched = self.stack.leave(activation)
        if not matched:
            self.fault, self.running = "calls and returns do not match", False
        if (
            not self.stack.entries
            and activation.ended
            and self.activations[:1] == [activation]
            and activation.info.code is self.entry_code
        ):
            self.entry_left = True
            self._note_alive()
            self.running = False
            sys.settrace(None)

    def _leave(
        self,
        activation: ActivationState,
        frame: FrameType,
        values: dict[str, Any],
        arg: object,
        returned: bool,
    ) -> None:
        if activation.step < 0:
            activation.ended = True
            return
        closed = not returned and activation.leaves_by_close()
        if closed and activation.suspended is not None:
            self.steps[activation.step]["changes"] = activation.suspended
        else:
            self._finish_step(activation, frame, values)
        if returned:
            result = ("NoneType", "None") if activation.info.is_class else None
            activation.end_returned(*(result or self.encoder.describe(arg)))
        elif closed:
            activation.end_as("closed")
        else:
            activation.end_raised()
            self.raised_last = activation

    def _dropped(self, activation: ActivationState) -> None:
        if self.running and activation.suspended is not None and not activation.ended:
            self.steps[activation.step]["changes"] = activation.suspended
            activation.end_as("closed")

    def _asleep(self) -> list[ActivationState]:
        """Return the generators' activations that stand at a yield."""
        return [
            activation
            for activation in self.activations
            if activation.suspended is not None
            and not activation.ended
            and activation not in self.stack.entries
        ]

    def _note_alive(self) -> None:
        """Find out, before the entry's frame goes, which generators could still go on."""
        if self._asleep():
            self.alive = suspended_activations()

    def result(self) -> dict[str, Any]:
        """Return the steps and activations, ending what was still under way."""
        if not self.entry_left:
            self._note_alive()
        for activation in self._asleep():
            closed = id(activation) not in self.alive
            self.steps[activation.step]["changes"] = activation.suspended
            activation.end_as("closed" if closed else "suspended")
        return {
            "activations": [activation.to_dict() for activation in self.activations],
            "steps": self.steps,
        }
