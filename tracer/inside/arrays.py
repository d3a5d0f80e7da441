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
from operator import ne
from types import FrameType
from typing import Any

from tracer.inside.encode import Encoder, is_hidden
from tracer.inside.frames import Slots, array_of, objects
from tracer.inside.picture import MISSING, UNKEPT, Changes, Picture
from tracer.inside.scalars import SHORT_INT
from tracer.inside.signatures import SCALAR_IDS, matches
from tracer.inside.sites import Site
from tracer.inside.stillness import LOUD, STILL

_LONG_LOG = 60


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
        log: For each key the scalars that it was bound to and that are not taken in yet: step and
            value of one, then those of the next. They are in ``kept`` already.
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
        self.opaque = False
        self.place = array_of(frame) >> 3
        self.log: dict[int, list[Any]] = {}
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
        out: Changes,
        stillness: int = LOUD,
    ) -> None:
        self.write_log(out)
        for key in targets:
            if self.kept[key] is not UNKEPT:
                self.rebind(key, step, site, out)
            elif stillness == STILL:
                self.look_at((key,), step, site, out)
            else:
                stillness = LOUD
        if self.restless and (stillness == LOUD or self.opaque):
            self.look_around(step, site, out)

    def rebind(self, key: int, step: int, site: Site | None, out: Changes) -> None:
        """Look at a variable without a container that may have been bound anew."""
        before = self.kept[key]
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

    def look_around(self, step: int, site: Site | None, out: Changes) -> None:
        """Look at what other code can change: containers, objects, cells and globals."""
        place, kept, names = self.place, self.kept, self._names
        if self._watched:
            self.look_at(self._watched, step, site, out)
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

    def look_at(self, keys: Sequence[int], step: int, site: Site | None, out: Changes) -> None:
        """Look at variables that held no scalar."""
        place, signatures, ids = self.place, self._signatures, self._ids
        for key in keys:
            try:
                value = objects[place + key]
            except ValueError:
                self._unbind(key, self._names[key], step, site, out)
            else:
                kind = id(type(value))
                if kind not in SCALAR_IDS:
                    signature = signatures[key]
                    if signature is not None and matches(value, kind, signature):
                        ids[key] = id(value)
                    else:
                        self._look_inside(key, self._names[key], value, kind, step, out)
                    continue
                self._look(key, self._names[key], value, step, out)
            self._watched = tuple([other for other in self._watched if other != key])
            self.restless = bool(self._watched or self._cells or self._globals)

    def write_log(self, out: Changes) -> None:  # noqa: D102 - as inherited
        for key, log in self.log.items():
            if len(log) > _LONG_LOG:
                self._write_long_log(key, log[::2], log[1::2], out)
            else:
                for at in range(0, len(log), 2):
                    self._write(log[at], key, log[at + 1], out)
            log.clear()

    def _write(self, step: int, key: int, value: Any, out: Changes) -> None:
        now = self._encoder.describe(value)
        was = self.known[key]
        if was != now:
            self.known[key] = now
            out += (step, self._names[key], "bind" if was is None else "rebind", *now)

    def _write_long_log(self, key: int, steps: list[int], values: list[Any], out: Changes) -> None:
        """Do the same for many values of one variable, together where they are short ints."""
        self._write(steps[0], key, values[0], out)
        if {*map(type, values)} == {int} and -SHORT_INT < min(values) and max(values) < SHORT_INT:
            differs = [*map(ne, values[1:], values)]
            later = [*map(repr, compress(values[1:], differs))]
            size = len(later)
            flat: list[Any] = [None] * (5 * size)
            flat[::5] = compress(steps[1:], differs)
            flat[1::5] = [self._names[key]] * size
            flat[2::5], flat[3::5] = ["rebind"] * size, ["int"] * size
            flat[4::5] = later
            out += flat
            self.known[key] = ("int", repr(values[-1]))
        else:
            for step, value in zip(steps[1:], values[1:], strict=True):
                self._write(step, key, value, out)

    def _save(self) -> Any:
        return super()._save(), self._watched

    def _restore(self, state: Any) -> None:
        rest, self._watched = state
        super()._restore(rest)
