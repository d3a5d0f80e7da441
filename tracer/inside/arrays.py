"""The variables of a function, read from its frame's array.

Nothing but the function's own statements binds them, so only those are looked at that the statement
just run may have bound; and besides, whatever other code can change: containers, objects, cells and
globals.
"""

from __future__ import annotations

from builtins import (  # noqa: UP029 - the program may replace them in ``builtins`` later
    ValueError,
    bool,
    filter,
    id,
    int,
    len,
    map,
    max,
    min,
    range,
    repr,
    tuple,
    type,
    zip,
)
from collections.abc import Sequence
from itertools import compress
from types import FrameType
from typing import Any

from tracer.inside.encode import Encoder, is_hidden
from tracer.inside.frames import Slots, array_of, objects
from tracer.inside.picture import MISSING, UNKEPT, Change, Picture
from tracer.inside.scalars import SHORT_BITS
from tracer.inside.signatures import matches
from tracer.inside.sites import Site

_INT_ID = {id(int)}
_LONG_LOG = 30


class ArrayPicture(Picture):
    """The variables of a function, read from its frame's array.

    Args:
        frame: The function's.
        slots: What stands where in its array.
        steady: Globals that nothing can bind anew.
        wanted: Other globals that its code names.
        encoder: Writes the values.

    Attributes:
        place: Number of the array's first word in memory.
        log: Step, key and value of scalars that variables were bound to and that are not taken in
            yet; their keys are in ``kept``.
    """

    __slots__ = ("_cells", "_globals", "_names", "_space", "_watched", "log", "place")

    def __init__(
        self,
        frame: FrameType,
        slots: Slots,
        steady: tuple[str, ...],
        wanted: tuple[str, ...],
        encoder: Encoder,
    ) -> None:
        self._encoder = encoder
        self.place = array_of(frame) >> 3
        self.log: list[tuple[int, int, Any]] = []
        names = self._names = slots.names + steady + wanted
        self._cells = slots.cells
        self._watched: tuple[int, ...] = ()
        self._globals: tuple[int, ...] = ()
        total = len(names)
        self.known = [None] * total
        self.kept = [MISSING] * total
        self._ids = [0] * total
        self._signatures = [None] * total
        size = len(slots.names)
        if total > size:
            self._space = frame.f_globals
            first_wanted = size + len(steady)
            restless = filter(self._is_restless, range(size, first_wanted))
            self._globals = (*restless, *range(first_wanted, total))
        self.restless = bool(self._cells or self._globals)
        for place in slots.at_entry:
            self.rebind(place, -1, None, [])
        if self.restless:
            self.look_around(-1, None, [])

    def _is_restless(self, key: int) -> bool:
        """Look at a steady global; tell whether its value can change."""
        name = self._names[key]
        value = self._space.get(name, MISSING)
        if value is MISSING or is_hidden(value):
            return False
        self._look(key, name, value, -1, [])
        return self.kept[key] is UNKEPT

    def entry(self) -> list[tuple[str, tuple[str, str] | None]]:  # noqa: D102 - as inherited
        return [*zip(self._names, self.known, strict=True)]

    def update(  # noqa: D102 - as inherited
        self,
        frame: FrameType,
        step: int,
        targets: Sequence[int],
        site: Site | None,
        out: list[Change],
    ) -> None:
        self.write_log(out)
        for key in targets:
            self.rebind(key, step, site, out)
        if self.restless:
            self.look_around(step, site, out)

    def rebind(self, key: int, step: int, site: Site | None, out: list[Change]) -> None:
        """Look at a variable that may have been bound anew."""
        before = self.kept[key]
        if before is UNKEPT:
            return  # those are looked at in any case
        try:
            value = objects[self.place + key]
        except ValueError:
            if before is not MISSING:
                self.write_log(out)
                self._unbind(key, self._names[key], step, site, out)
            return
        if value is before:
            return
        self.write_log(out)
        self._look(key, self._names[key], value, step, out)
        if self.kept[key] is UNKEPT:
            self._watched = (*self._watched, key)
            self.restless = True

    def look_around(self, step: int, site: Site | None, out: list[Change]) -> None:
        """Look at what other code can change: containers, objects, cells and globals."""
        place, kept, names = self.place, self.kept, self._names
        for key in self._watched:
            try:
                value = objects[place + key]
            except ValueError:
                self._unbind(key, names[key], step, site, out)
            else:
                signature = self._signatures[key]
                if signature is not None and matches(value, id(type(value)), signature):
                    self._ids[key] = id(value)
                    continue
                self._look(key, names[key], value, step, out)
            if kept[key] is not UNKEPT:
                self._watched = tuple([other for other in self._watched if other != key])
                self.restless = bool(self._watched or self._cells or self._globals)
        for key in self._cells:
            try:
                value = objects[place + key].cell_contents
            except ValueError:
                self._unbind(key, names[key], step, site, out)
            else:
                if value is not kept[key]:
                    self._look(key, names[key], value, step, out)
        for key in self._globals:
            value = self._space.get(names[key], MISSING)
            if value is MISSING:
                self._unbind(key, names[key], step, site, out)
            elif value is not kept[key]:
                self._look(key, names[key], value, step, out)

    def write_log(self, out: list[Change]) -> None:  # noqa: D102 - as inherited
        log = self.log
        if not log:
            return
        if len(log) > _LONG_LOG:
            keys = [key for _, key, _ in log]
            for key in {*keys}:
                self._write_long_log(key, [*compress(log, map(key.__eq__, keys))], out)
        else:
            for step, key, value in log:
                self._write(step, key, value, out)
        log.clear()

    def _write(self, step: int, key: int, value: Any, out: list[Change]) -> None:
        now = self._encoder.describe(value)
        was = self.known[key]
        if was != now:
            self.known[key] = now
            out.append((step, self._names[key], "bind" if was is None else "rebind", *now))

    def _write_long_log(self, key: int, log: list[tuple[int, int, Any]], out: list[Change]) -> None:
        """Do the same for all entries of one variable, together where they are short ints."""
        self._write(log[0][0], key, log[0][2], out)
        steps, _, values = zip(*log, strict=True)
        is_int = {*map(id, map(type, values))} == _INT_ID
        if is_int and max(values).bit_length() < SHORT_BITS > min(values).bit_length():
            name, texts = self._names[key], [*map(repr, values)]
            out += [
                (step, name, "rebind", "int", text)
                for step, text, before in zip(steps[1:], texts[1:], texts, strict=False)
                if text != before
            ]
            self.known[key] = ("int", texts[-1])
        else:
            for step, value in zip(steps[1:], values[1:], strict=True):
                self._write(step, key, value, out)

    def _save(self) -> Any:
        return super()._save(), self._watched

    def _restore(self, state: Any) -> None:
        rest, self._watched = state
        super()._restore(rest)
