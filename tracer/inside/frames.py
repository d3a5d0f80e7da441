"""Reads a frame's variables where the interpreter keeps them.

``frame.f_locals`` costs more than everything else a step needs, and up to 3.12 it is a dictionary
that the frame keeps: an object that the program drops would stay alive in it. So the variables are
read from the frame's own array, whose place has been the same from 3.11 to 3.13; it is tried out
when this module is imported. Where it can't be used (other implementations and versions),
``f_locals`` is read.
"""

from __future__ import annotations

import sys
from collections import defaultdict
from collections.abc import Sequence
from types import CellType, CodeType, FrameType
from typing import Any, NamedTuple

from tracer.inside.scopes import is_dunder
from tracer.inside.sites import Site

OPTIMIZED = 0x1
"""Flag of code whose variables stand in an array: that of functions."""
GENERATOR = 0x20
"""Flag of a generator's code."""
_STAR, _STAR_STAR = 0x4, 0x8
"""Flags of code with ``*args`` and ``**kwargs``."""
WORD = 8
FRAME_AT = 24
"""Place, in ``PyFrameObject``, of the pointer to ``_PyInterpreterFrame``."""
_ARRAY_AT = 72
"""Place of the variables in ``_PyInterpreterFrame`` (64-bit builds of 3.11 to 3.13)."""
_FLAG_AT = 16 + 3 * WORD + 4 + 2
"""Place of ``f_fast_as_locals`` in ``PyFrameObject`` of 3.11 and 3.12."""
_HAS_FLAG = sys.version_info < (3, 13)

memory: Any = None
"""All of this process, byte by byte; ``None`` where it is not read."""
words: Any = None
"""The same, word by word: addresses."""
objects: Any = None
"""The same as references: those that are NULL raise ``ValueError``."""


class Slots(NamedTuple):
    """The array of variables of a code object's frames."""

    names: tuple[str, ...]
    cells: tuple[int, ...]
    """Places of visible variables that hold a cell instead of the value."""
    plain: tuple[int, ...]
    """Places of visible variables that hold the value itself."""
    at_entry: tuple[int, ...]
    """Those of them that can be bound when the first step begins: the arguments, and all in a
    generator, which may have begun before."""


def slots_of(code: CodeType) -> Slots:
    """Return what stands where in the array of ``code``'s frames."""
    own = code.co_varnames
    names = own + tuple([n for n in code.co_cellvars if n not in own]) + code.co_freevars
    shared = {*code.co_cellvars, *code.co_freevars}
    arguments = code.co_argcount + code.co_kwonlyargcount
    arguments += bool(code.co_flags & _STAR) + bool(code.co_flags & _STAR_STAR)
    generator = bool(code.co_flags & GENERATOR)
    visible = [place for place, name in enumerate(names) if not is_dunder(name)]
    plain = tuple([place for place in visible if names[place] not in shared])
    return Slots(
        names=names,
        cells=tuple([place for place in visible if names[place] in shared]),
        plain=plain,
        at_entry=plain if generator else tuple([place for place in plain if place < arguments]),
    )


def targets_of(
    slots: Slots, sites: Sequence[Site], owner: int, *, open_frames: bool
) -> dict[int, tuple[int, ...]]:
    """Return, for each statement of a function, the places of the variables that it may bind.

    Nothing but the function's own statements changes them, cells apart; unless the program can get
    at frames (``open_frames``) where ``f_locals`` writes through, from Python 3.13 on (PEP 667).
    """
    if open_frames and sys.version_info >= (3, 13):
        return {site.first: slots.plain for site in sites if site.owner == owner}
    places: dict[str, list[int]] = defaultdict(list)
    for place in slots.plain:
        name = slots.names[place]
        places[name].append(place)
        for at in range(1, len(name) - 2):
            if name.startswith("__", at):  # it may be a private name: __x is _Class__x
                places[name[at:]].append(place)
    return {
        site.first: tuple(sorted({place for name in site.binds for place in places.get(name, ())}))
        for site in sites
        if site.owner == owner
    }


def array_of(frame: FrameType) -> int:
    """Return the address of the variables of ``frame``, for as long as it can run."""
    address: int = words[(id(frame) + FRAME_AT) >> 3] + _ARRAY_AT
    return address


def keep_variables(frame: FrameType) -> None:
    """Keep the program's own ``locals()`` from being written back into ``frame`` after an event.

    Up to 3.12 the interpreter does that, and what was bound since would be lost.
    """
    if _HAS_FLAG:
        memory[id(frame) + _FLAG_AT] = b"\0"


def read_names(frame: FrameType) -> dict[str, Any]:
    """Return the locals, cells and free variables of ``frame``, by name."""
    code = frame.f_code
    values = dict(frame.f_locals)
    if not code.co_flags & OPTIMIZED and code.co_freevars:
        for name, value in _free_variables(frame):
            values.setdefault(name, value)
    return values


def _free_variables(frame: FrameType) -> list[tuple[str, Any]]:
    """Return the free variables of a class body, which are not among its ``f_locals``."""
    code = frame.f_code
    if memory is None:
        around = read_names(frame.f_back) if frame.f_back is not None else {}
        return [(name, around[name]) for name in code.co_freevars if name in around]
    names, place = slots_of(code).names, array_of(frame) >> 3
    found = []
    for offset in range(len(names) - len(code.co_freevars), len(names)):
        try:
            found.append((names[offset], objects[place + offset].cell_contents))
        except ValueError:
            continue
    return found


def _array_is_there() -> bool:
    """Try it on frames with arguments, variables that are not bound yet, and cells."""

    def probe(one: object, two: object, shared: object) -> bool:
        def inner() -> object:
            return shared, later

        frame = sys._getframe()
        slots, place = slots_of(frame.f_code), array_of(frame) >> 3
        for offset, name in enumerate(slots.names):
            try:
                held = objects[place + offset]
            except ValueError:
                if name not in ("later", "held"):
                    return False
                continue
            expected = {"one": one, "two": two, "frame": frame, "slots": slots, "inner": inner}
            if name == "shared" and (type(held) is not CellType or held.cell_contents is not two):
                return False
            if name in expected and held is not expected[name]:
                return False
        later = two
        return inner() == (two, two)

    return probe("one", two := [2], two) and _probe_generator()


def _probe_generator() -> bool:
    def generator(one: object) -> Any:
        frame = sys._getframe()
        yield objects[array_of(frame) >> 3] is one
        yield objects[array_of(frame) >> 3] is one

    return all([*generator([1])])


if (
    sys.implementation.name == "cpython"
    and (3, 11) <= sys.version_info < (3, 14)
    and sys.maxsize > 2**32
    and not hasattr(sys, "getobjects")
    and "t" not in sys.abiflags
):
    try:
        from ctypes import c_char, c_uint64, py_object

        # Made in advance: making one for each frame would be an audit event.
        memory = (c_char * 2**47).from_address(0)
        words = (c_uint64 * 2**44).from_address(0)
        objects = (py_object * 2**44).from_address(0)
        if not _array_is_there():
            memory = words = objects = None
    except (ImportError, OSError):
        memory = words = objects = None
