"""The visible variables of one activation as last seen, and what has changed since.

Reading a state costs most of a trace, so nothing is written anew that cannot have changed: a
scalar that is the identical object, and a container whose elements are all identical scalars.
Only scalars are kept to find that out, never a container or an object of the program.
"""

from __future__ import annotations

from builtins import (  # noqa: UP029 - the program may replace them in ``builtins`` later
    dict,
    frozenset,
    id,
    len,
    map,
    type,
    zip,
)
from itertools import compress, count, repeat
from operator import is_not
from typing import Any

from tracer.inside.encode import Encoder, is_hidden
from tracer.inside.scopes import is_dunder
from tracer.inside.signatures import FLAT_IDS, SCALAR_IDS, Signature, describe_flat, matches
from tracer.inside.sites import Site

State = dict[str, tuple[str, str, int, Signature | None]]
"""Name to (type text, canonical text, identity, what proves that a container is unchanged)."""

_NEVER_MUTATE = frozenset(
    {"int", "str", "float", "bool", "bytes", "complex", "NoneType", "range", "ellipsis"}
)
_UNKEPT: Any = type("_Unkept", (), {})()
"""Stands for whatever is looked at every time; no variable ever holds it."""
_MISSING: Any = type("_Missing", (), {})()
"""Stands for a global that is not bound."""


class Picture:
    """The variables of an activation, kept up to date.

    Attributes:
        state: The visible variables.
    """

    __slots__ = ("_globals", "_kept", "_locals", "_names", "_wanted", "state")

    def __init__(self, wanted: tuple[str, ...]) -> None:
        self.state: State = {}
        self._wanted = wanted
        self._locals: list[str] | None = None
        self._globals: list[str] = []
        self._names: list[str | None] = []
        self._kept: list[Any] = []

    def update(
        self,
        values: dict[str, Any],
        space: dict[str, Any],
        encoder: Encoder,
        site: Site | None,
    ) -> list[dict[str, Any]]:
        """Take in the present values and return what changed, sorted by name.

        Args:
            values: Locals, cells and free variables.
            space: The module's globals.
            encoder: Writes the values.
            site: The statement whose changes these are.
        """
        changes: list[dict[str, Any]] = []
        if self._locals != [*values]:
            self._rename(values, site, changes)
        now = [*values.values()]
        if self._globals:
            now += map(space.get, self._globals, repeat(_MISSING))
        state, kept, names = self.state, self._kept, self._names
        for place in compress(count(), map(is_not, now, kept)):
            name = names[place]
            if name is None:
                continue
            value = now[place]
            kind = id(type(value))
            known = state.get(name)
            signature = None
            if kind in SCALAR_IDS:
                kept[place] = value
                type_text, text = encoder.describe(value)
            else:
                kept[place] = _UNKEPT
                if known is not None:
                    signature = known[3]
                    if signature is not None and matches(value, kind, signature):
                        if known[2] != id(value):
                            state[name] = (known[0], known[1], id(value), signature)
                        continue
                if kind in FLAT_IDS:
                    type_text, text, signature = describe_flat(encoder, value, kind)
                elif value is _MISSING or is_hidden(value):
                    if known is not None:
                        del state[name]
                        if value is _MISSING:
                            changes.append(_unbound(name, site))
                    continue
                else:
                    type_text, text = encoder.describe(value)
                    signature = None
            identity = id(value)
            state[name] = (type_text, text, identity, signature)
            if known is None:
                op = "bind"
            elif known[0] == type_text and known[1] == text:
                continue
            elif known[2] == identity and type_text not in _NEVER_MUTATE:
                op = "mutate"
            else:
                op = "rebind"
            changes.append({"name": name, "op": op, "type": type_text, "value": text})
        if len(changes) > 1:
            changes.sort(key=_by_name)
        return changes

    def preview(
        self, values: dict[str, Any], space: dict[str, Any], encoder: Encoder, site: Site | None
    ) -> list[dict[str, Any]]:
        """Return what :meth:`update` would, and remember nothing of it."""
        saved = dict(self.state), self._locals, self._globals, self._names, [*self._kept]
        changes = self.update(values, space, encoder, site)
        self.state, self._locals, self._globals, self._names, self._kept = saved
        return changes

    def _rename(
        self, values: dict[str, Any], site: Site | None, changes: list[dict[str, Any]]
    ) -> None:
        """Take in that other names are bound than before."""
        old = dict(zip(self._names, self._kept, strict=True))
        self._locals = [*values]
        self._globals = [name for name in self._wanted if name not in values]
        names = [*self._locals, *self._globals]
        for name in old.keys() - dict.fromkeys(names).keys():
            if name in self.state:
                del self.state[name]
                changes.append(_unbound(name, site))
        self._names = [None if is_dunder(name) else name for name in names]
        self._kept = [old.get(name, _UNKEPT) for name in names]


def _unbound(name: str, site: Site | None) -> dict[str, Any]:
    implicit = site is not None and name in site.handler_names and name not in site.deleted
    op = "implicit_delete" if implicit else "delete"
    return {"name": name, "op": op, "type": None, "value": None}


def _by_name(change: dict[str, Any]) -> str:
    name: str = change["name"]
    return name
