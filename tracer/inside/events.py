"""Takes in the events of one activation's frame.

Most events are line events of a function that runs by itself and binds scalars: those take the
shortest way here, and everything else the general one.
"""

from __future__ import annotations

from builtins import (  # noqa: UP029 - the program may replace them in ``builtins`` later
    Exception,
    KeyError,
    RecursionError,
    ValueError,
    float,
    int,
    len,
    str,
    type,
)
from types import FrameType
from typing import Any

from tracer.inside.activations import ActivationState, CodeInfo
from tracer.inside.arrays import ArrayPicture
from tracer.inside.effects import SPECIAL_MARK, Effects
from tracer.inside.frames import OPTIMIZED, keep_variables, memory, objects
from tracer.inside.layout import NOTHING
from tracer.inside.picture import MISSING, UNKEPT, NamePicture
from tracer.inside.stillness import LOUD, STILL


class TracedActivation(ActivationState):
    """An activation whose :meth:`trace` is the trace function of its frame.

    Attributes:
        last: The statement whose line events mean nothing new.
        calm: Whether the short way may be taken: it was the last of all to begin a step, and none
            of its ends has to be explained.
    """

    last = -1
    calm = False
    by_array = False
    effect: Effects = ((), LOUD)

    def __init__(self, info: CodeInfo, owner: Any) -> None:
        super().__init__(info, owner)
        self.lines = owner.lines
        self.effects = owner.effects
        self.stmts = owner.stmts
        self.changes = owner.changes
        self.max_steps = owner.max_steps
        self.keeps_variables = owner.keeps_variables

    def open(self, frame: FrameType) -> None:
        """Read the entry state."""
        info, owner = self.info, self.owner
        if info.code.co_flags & OPTIMIZED and memory is not None:
            steady, wanted = info.steady_names, info.global_names
            if not owner.module_is_over:
                steady, wanted = (), wanted + steady
            picture = ArrayPicture(frame, info.slots, steady, wanted, owner.encoder)
            self.by_array, self.place, self.kept = True, picture.place, picture.kept
            self.log = picture.log
            self.picture = picture
        else:
            self.picture = NamePicture(info.steady_names + info.global_names, owner.encoder)
            self.picture.update(frame, -1, (), None, [])
        self.entry = self.picture.entry()

    def trace(self, frame: FrameType, event: str, arg: Any) -> None:
        """Take in one event of the frame."""
        try:
            if self.keeps_variables:
                keep_variables(frame)
            if event == "line":
                stmt = self.lines[frame.f_lineno]
                if stmt == self.last or stmt == NOTHING:
                    return
                if self.calm and stmt >= 0:
                    index = len(self.stmts)
                    if index < self.max_steps:
                        targets, stillness = self.effect
                        for key in targets:
                            try:
                                value = objects[self.place + key]
                            except ValueError:
                                value = MISSING
                            was = self.kept[key]
                            if value is not was:
                                if was is UNKEPT:
                                    if stillness == STILL:
                                        site = self.owner.sites[self.stmt]
                                        self.picture.look_at((key,), self.step, site, self.changes)
                                    else:
                                        stillness = LOUD
                                elif (kind := type(value)) is int or kind is str or kind is float:
                                    self.kept[key] = value
                                    try:
                                        log = self.log[key]
                                    except KeyError:
                                        log = self.log[key] = []
                                    log.append(self.step)
                                    log.append(value)
                                else:
                                    site = self.owner.sites[self.stmt]
                                    self.picture.rebind(key, self.step, site, self.changes)
                        picture = self.picture
                        if picture.restless and (stillness == LOUD or picture.opaque):
                            site = self.owner.sites[self.stmt]
                            picture.look_around(self.step, site, self.changes)
                        self.step = index
                        self.stmt = self.last = stmt
                        self.effect = self.effects[stmt]
                        self.stmts.append(stmt)
                        return
            self._take(frame, event, arg)
        except RecursionError:
            self.owner.recursion_error = True
            self.owner.give_up()
            raise
        except Exception as error:
            self.owner.fail(f"{type(error).__name__}: {error}")

    def update(self, frame: FrameType) -> None:
        """Take in what the step that ends has changed."""
        targets, stillness = self.effect
        site = self.owner.sites[self.stmt]
        self.picture.update(frame, self.step, targets, site, self.changes, stillness)

    def _take(self, frame: FrameType, event: str, arg: Any) -> None:
        """Take in any event whatever."""
        recorder = self.owner
        if self.is_generator and not recorder.stack.on_top(self):
            recorder.stack.resume(self, frame)
            recorder.unsettle()
        if event == "line":
            stmt = self.lines[frame.f_lineno]
            if stmt <= SPECIAL_MARK:
                stmt = SPECIAL_MARK - stmt
                if stmt != self.last:
                    self._begin(frame, stmt, special=True)
            elif stmt >= 0:
                self._begin(frame, stmt)
            elif stmt != NOTHING:
                recorder.mark(self, stmt)
        elif event == "exception":
            recorder.take_exception(self, frame, arg)
        elif event == "return":
            recorder.take_return(self, frame, arg)

    def _begin(self, frame: FrameType, stmt: int, *, special: bool = False) -> None:
        """Begin a step: what the one before it changed is taken in now."""
        recorder = self.owner
        index = len(self.stmts)
        if index >= self.max_steps:
            recorder.cut()
        if self.picture is None:
            recorder.admit(self, frame)
        else:
            self.update(frame)
        if self.failed:
            self.failed = False
            recorder.incomplete.append(self.step)
        if recorder.last_to_begin is not self:
            recorder.switch_to(self, index)
        self.step = index
        self.stmt = self.last = stmt
        self.effect = self.effects[stmt]
        self.stmts.append(stmt)
        if special or self.returns or self.suspended is not None:
            recorder.begin_special(self, stmt)
        self.calm = self.by_array and not self.is_generator and not self.returns
