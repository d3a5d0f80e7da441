"""Records the statement steps, changes and activations of one call (DESIGN, section 3).

The recorder is a ``sys.settrace`` function over code that was prepared for it
(:mod:`~.preparation`), in which a line event names the statement that begins. Everything else
follows from the events of one activation: its state is read when the next of its steps begins and
when it leaves.
"""

from __future__ import annotations

import sys
import weakref
from collections.abc import Callable
from types import CodeType, FrameType
from typing import Any

from tracer.inside import bytecode
from tracer.inside.activations import ActivationState, suspended_activations
from tracer.inside.encode import Encoder
from tracer.inside.events import TracedActivation
from tracer.inside.frames import keep_variables, memory
from tracer.inside.layout import RESET_MARK, RESOLVE_MARK
from tracer.inside.picture import Changes
from tracer.inside.preparation import Prepared
from tracer.inside.stack import CallStack, activation_of

TraceFunction = Callable[[FrameType, str, Any], Any]


class Recorder:
    """Collects the steps of one call; ``cut`` is called, and never returns, at the step limit."""

    activation_type = TracedActivation

    def __init__(
        self,
        prepared: Prepared,
        encoder: Encoder,
        max_steps: int,
        entry_code: CodeType | None,
        cut: Callable[[], None],
    ) -> None:
        self.codes = prepared.codes
        self.sites = prepared.sites
        self.lines = prepared.lines
        self.effects = prepared.effects
        self.keeps_variables = prepared.reaches_namespaces and memory is not None
        self.encoder = encoder
        self.max_steps = max_steps
        self.entry_code = entry_code
        self.module_is_over = (
            entry_code is None or self.codes[id(entry_code)].function != "<module>"
        )
        self.cut = cut
        self.stmts: list[int] = []
        self.switches: list[tuple[int, int, int]] = []
        self.changes: Changes = []
        self.incomplete: list[int] = []
        self.activations: list[ActivationState] = []
        self.stack = CallStack()
        self.last_to_begin: TracedActivation | None = None
        self.has_generators = False
        self.entry_left = False
        self.alive: frozenset[int] = frozenset()
        self.raised_last: ActivationState | None = None
        self.recursion_error = False
        self.memory_error = False
        self.fault: str | None = None

    def start(self) -> None:
        """Begin to trace calls made from now on in this thread."""
        sys.settrace(self.trace_call)

    def stop(self) -> bool:
        """Stop; return whether the tracer was still in place and saw everything end."""
        undisturbed = self.entry_left or sys.gettrace() == self.trace_call
        sys.settrace(None)
        return undisturbed and not self.stack.entries and self.fault is None

    def give_up(self) -> None:
        """Stop to trace before the call is over."""
        sys.settrace(None)

    def fail(self, fault: str) -> None:
        """Give up because of something that can't be."""
        self.fault = fault
        self.give_up()

    def trace_call(self, frame: FrameType, event: str, arg: object) -> TraceFunction | None:
        """Trace function of the thread: a frame begins, or a generator's frame goes on."""
        info = self.codes.get(id(frame.f_code))
        if info is None:
            return None
        try:
            if info.is_generator and (known := activation_of(frame, self)) is not None:
                self.stack.resume(known, frame)
                self.unsettle()
                if self.keeps_variables:
                    keep_variables(frame)
                return None
            activation = self.activation_type(info, self)
            self.stack.enter(activation)
            trace = activation.trace
            if info.is_generator:
                # A generator that is dropped without an event is seen when its frame, and with it
                # this method, goes away (3.13 clears such frames silently).
                self.has_generators = True
                activation.lifeline = weakref.ref(trace, lambda _: self._dropped(activation))
        except RecursionError:
            self.recursion_error = True
            self.give_up()
            raise
        return trace

    def mark(self, activation: TracedActivation, mark: int) -> None:
        """Take in a line event that is no step."""
        if mark == RESET_MARK:
            activation.last = -1
        else:
            stmt = RESOLVE_MARK - mark
            activation.resolve(stmt, self.sites[stmt].body_last)

    def admit(self, activation: TracedActivation, frame: FrameType) -> None:
        """Take in that the first step of an activation begins."""
        activation.number = len(self.activations)
        self.activations.append(activation)
        above = self.stack.entries[:-1]
        activation.parent_step = next((a.step for a in reversed(above) if a.step >= 0), None)
        activation.open(frame)

    def unsettle(self) -> None:
        """Take in that the next step may belong to any activation."""
        if self.last_to_begin is not None:
            self.last_to_begin.calm = False
            self.last_to_begin = None

    def switch_to(self, activation: TracedActivation, index: int) -> None:
        """Take in that step ``index`` belongs to another activation than the one before."""
        self.unsettle()
        self.last_to_begin = activation
        self.raised_last = None
        self.switches.append((index, activation.number, len(self.stack.entries) - 1))

    def begin_special(self, activation: ActivationState, stmt: int) -> None:
        """Take in that a step begins after which an end may have to be explained."""
        activation.suspended = None
        site = self.sites[stmt]
        activation.choose_return(site)
        if site.swallows and site.left_loop is not None:
            activation.resolve(*site.left_loop)
        if site.reraises:
            handled = sys.exc_info()[1]
            if handled is not None:
                activation.pending += ((stmt, self.encoder.type_text(handled)),)

    def _finish_step(self, activation: TracedActivation, frame: FrameType) -> None:
        if activation.picture is not None:
            activation.update(frame)
        if activation.failed:
            self.incomplete.append(activation.step)

    def take_exception(self, activation: TracedActivation, frame: FrameType, arg: Any) -> None:
        """Take in that an exception arises in, or passes through, a frame."""
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
            activation.calm = False

    def name_exception(self, value: BaseException) -> None:
        """Correct the type with which the last activation ended, now that it is seen outside.

        What leaves an ``except*`` may be a new group, made after the last event inside.
        """
        last, self.raised_last = self.raised_last, None
        if last is not None and isinstance(value, BaseExceptionGroup):
            last.end_type = self.encoder.type_text(value)

    def take_return(self, activation: TracedActivation, frame: FrameType, arg: object) -> None:
        """Take in that a frame is left: by a return, an exception or a yield."""
        code, at = activation.info.bytecode, frame.f_lasti
        if activation.is_generator and bytecode.yields(code, at) and not activation.failed:
            if activation.picture is not None:
                stmt = activation.stmt
                activation.suspended = activation.picture.preview(
                    frame, activation.step, activation.effect[0], self.sites[stmt]
                )
            matched = self.stack.suspend(activation, delegates=bytecode.delegates(code, at))
        else:
            self._leave(activation, frame, arg, bytecode.returns(code, at))
            matched = self.stack.leave(activation)
        if not matched:
            self.fail("calls and returns do not match")
        if (
            not self.stack.entries
            and activation.ended
            and self.activations[:1] == [activation]
            and activation.info.code is self.entry_code
        ):
            self.entry_left = True
            self._note_alive()
            sys.settrace(None)

    def _leave(
        self, activation: TracedActivation, frame: FrameType, arg: object, returned: bool
    ) -> None:
        if activation.step < 0:
            activation.ended = True
            return
        closed = not returned and activation.leaves_by_close()
        if closed and activation.suspended is not None:
            self._end_asleep(activation, "closed")
        else:
            self._finish_step(activation, frame)
            if returned:
                result = ("NoneType", "None") if activation.info.is_class else None
                activation.end_returned(*(result or self.encoder.describe(arg)))
            elif closed:
                activation.end_as("closed")
            else:
                activation.end_raised()
                self.raised_last = activation
                self.unsettle()
        activation.picture = None

    def _end_asleep(self, activation: ActivationState, end: str) -> None:
        """End a generator at its yield, with the state that it had there."""
        self.changes += activation.suspended or ()
        self.incomplete.append(activation.step)
        activation.end_as(end)

    def _dropped(self, activation: ActivationState) -> None:
        if not self.entry_left and activation.suspended is not None and not activation.ended:
            self._end_asleep(activation, "closed")

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
        if self.has_generators and self._asleep():
            self.alive = suspended_activations()

    def result(self) -> dict[str, Any]:
        """Return the report of :mod:`~.columns`, ending what was still under way."""
        if not self.entry_left:
            self._note_alive()
        for activation in self._asleep():
            closed = id(activation) not in self.alive
            self._end_asleep(activation, "closed" if closed else "suspended")
        running = [a for a in self.activations if not a.ended]
        self.incomplete += [a.step for a in running]
        for activation in running:
            if activation.picture is not None:  # at the recursion limit it may not have been made
                activation.picture.write_log(self.changes)
        return {
            "stmts": self.stmts,
            "switches": self.switches,
            "incomplete": self.incomplete,
            "changes": self.changes,
            "activations": [
                (a.info.function, a.parent_step, a.end, a.end_stmt, a.end_type, a.end_value)
                for a in self.activations
            ],
            "entries": [
                (number, name, *value)
                for number, activation in enumerate(self.activations)
                for name, value in activation.entry
                if value is not None
            ],
        }
