"""The visible variables of one activation as last seen, and what has changed since.

Reading a state costs most of a trace, so nothing is written anew that cannot have changed: a
scalar that is the identical object, and a container whose elements are all identical scalars.
Only scalars are kept to find that out, never a container or an object of the program.
"""

from __future__ import annotations

from builtins import (  # noqa: UP029 - the program may replace them in ``builtins`` later
    bytearray,
    frozenset,
    id,
    int,
    isinstance,
    list,
    map,
    range,
    tuple,
    type,
)
from collections import defaultdict
from collections.abc import Sequence
from types import FrameType
from typing import Any, TypeAlias

from tracer.inside.encode import Encoder, is_hidden
from tracer.inside.frames import read_names
from tracer.inside.scopes import is_dunder
from tracer.inside.signatures import FLAT_IDS, SCALAR_IDS, describe_flat, matches
from tracer.inside.sites import Site
from tracer.inside.stillness import LOUD

Changes: TypeAlias = list[Any]
"""Step, name, op, type text and canonical text of one change, then those of the next."""

_NEVER_MUTATE = frozenset(
    {"int", "str", "float", "bool", "bytes", "complex", "NoneType", "range", "ellipsis"}
)
_INERT = frozenset(map(id, (range, bytearray, type(...))))
"""Identities of other types whose values hold nothing of the program."""
UNKEPT: Any = type("_Unkept", (), {})()
"""Stands for whatever is looked at every time; no variable ever holds it."""
MISSING: Any = type("_Missing", (), {})()
"""Stands for the value of a variable that is not bound."""


class Picture:
    """What was last seen under each *key*: a place in an array, or a name.

    Attributes:
        known: Type text and canonical text; ``None`` while a variable is invisible.
        kept: The scalar that each variable holds; ``UNKEPT`` for whatever is no scalar.
        restless: Whether a statement can change more than the variables that it binds.
        opaque: Whether some variable has held, or may have held, what could run code of the
            program when it is used: anything but scalars and containers of them.
    """

    __slots__ = ("_encoder", "_ids", "_signatures", "kept", "known", "opaque", "restless")
    known: Any
    kept: Any
    _ids: Any
    _signatures: Any

    def __init__(self, encoder: Encoder) -> None:
        self._encoder = encoder
        self.restless = self.opaque = True

    def update(
        self,
        frame: FrameType,
        step: int,
        targets: Sequence[int],
        site: Site | None,
        out: Changes,
        stillness: int = LOUD,
    ) -> None:
        """Take in the present values and append what changed to ``out``.

        Args:
            frame: The activation's.
            step: The step whose changes these are.
            targets: Places in the array of the variables that the step's statement may bind.
            site: That statement.
            out: Takes the changes, in no order.
            stillness: What else the statement can change; see :mod:`~.stillness`.
        """
        raise NotImplementedError

    def write_log(self, out: Changes) -> None:
        """Append to ``out`` the changes that were seen and are not written yet."""

    def entry(self) -> list[tuple[str, tuple[str, str] | None]]:
        """Return the variables with type text and canonical text, in no order.

        Those that are invisible may be there, with ``None``.
        """
        raise NotImplementedError

    def preview(
        self, frame: FrameType, step: int, targets: Sequence[int], site: Site | None
    ) -> Changes:
        """Return what :meth:`update` would append, and remember nothing of it."""
        state = self._save()
        out: Changes = []
        self.update(frame, step, targets, site, out)
        self._restore(state)
        return out

    def _save(self) -> Any:
        return (
            self.known.copy(),
            self.kept.copy(),
            self._ids.copy(),
            self._signatures.copy(),
            self.restless,
        )

    def _restore(self, state: Any) -> None:
        self.known, kept, self._ids, self._signatures, self.restless = state
        if isinstance(kept, list):
            self.kept[:] = kept  # others hold this very list
        else:
            self.kept = kept

    def _look(self, key: Any, name: str, value: Any, step: int, out: Changes) -> None:
        """Take in what the variable holds, which is not the scalar that it held before."""
        kind = id(type(value))
        if kind in SCALAR_IDS:
            self.kept[key] = value
            self._ids[key] = 0
            self._signatures[key] = None
            was = self.known[key]
            now = self._encoder.describe(value)
            if was != now:
                self.known[key] = now
                out += (step, name, "bind" if was is None else "rebind", *now)
            return
        self.kept[key] = UNKEPT
        signature = self._signatures[key]
        if signature is not None and matches(value, kind, signature):
            self._ids[key] = id(value)
        else:
            self._look_inside(key, name, value, kind, step, out)

    def _look_inside(
        self, key: Any, name: str, value: Any, kind: int, step: int, out: Changes
    ) -> None:
        """Take in what the variable holds: no scalar, and not as it was signed."""
        was = self.known[key]
        if kind in FLAT_IDS:
            before = self._signatures[key]
            known = "" if was is None else was[1]
            type_text, text, signature = describe_flat(self._encoder, value, kind, known, before)
            if signature is None or not (signature[2] or signature[1] == 0):
                self.opaque = True
        elif is_hidden(value):
            self.known[key] = self._signatures[key] = None
            return
        else:
            type_text, text = self._encoder.describe(value)
            signature = None
            self.opaque |= kind not in _INERT
        self._signatures[key] = signature
        now, identity, before_id = (type_text, text), id(value), self._ids[key]
        self._ids[key] = identity
        if was is None:
            op = "bind"
        elif was == now:
            return
        elif before_id == identity and type_text not in _NEVER_MUTATE:
            op = "mutate"
        else:
            op = "rebind"
        self.known[key] = now
        out += (step, name, op, type_text, text)

    def _forget(self, key: Any) -> None:
        """Take in that a variable does not hold the same container any more."""
        self._ids[key] = 0
        self._signatures[key] = None

    def _unbind(self, key: Any, name: str, step: int, site: Site | None, out: Changes) -> None:
        """Take in that a variable is not bound."""
        self.kept[key] = MISSING
        self._forget(key)
        if self.known[key] is not None:
            self.known[key] = None
            implicit = site is not None and name in site.handler_names and name not in site.deleted
            op = "implicit_delete" if implicit else "delete"
            out += (step, name, op, None, None)


class NamePicture(Picture):
    """The variables of module code and of a class body, whose names come and go.

    Args:
        wanted: Globals that the code names.
        encoder: Writes the values.
    """

    __slots__ = ("_wanted",)

    def __init__(self, wanted: tuple[str, ...], encoder: Encoder) -> None:
        super().__init__(encoder)
        self._wanted = wanted
        self.known = defaultdict(_nothing)
        self.kept = {}
        self._ids = defaultdict(int)
        self._signatures = defaultdict(_nothing)

    def update(  # noqa: D102 - as inherited
        self,
        frame: FrameType,
        step: int,
        targets: Sequence[int],
        site: Site | None,
        out: Changes,
        stillness: int = LOUD,
    ) -> None:
        space, values, kept = frame.f_globals, read_names(frame), self.kept
        for name in self._wanted:
            if name in space:
                values.setdefault(name, space[name])
        for name in kept:
            if name not in values:
                self._unbind(name, name, step, site, out)
        for name, value in values.items():
            if value is not kept.get(name, MISSING) and not is_dunder(name):
                self._look(name, name, value, step, out)

    def entry(self) -> list[tuple[str, tuple[str, str] | None]]:  # noqa: D102 - as inherited
        return [*self.known.items()]


def _nothing() -> None:
    return None
