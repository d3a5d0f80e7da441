"""Records call sites in the order of discovery, each with the site that holds it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import libcst as cst  # noqa: TID253 - this module is only imported inside functions

from factory.constraints.base import Site
from factory.constraints.scope import Scope
from factory.constraints.tables.results import RUNTIME_NAMES
from factory.constraints.types import Type

_PROGRAM_CLASSES = ("namedtuple", "dataclass")


def _runtime_names(type_: Type) -> tuple[str, ...]:
    """Type texts that a trace shows for a value of ``type_``."""
    if type_.name in _PROGRAM_CLASSES and type_.args:
        return (type_.args[0].name,)
    return RUNTIME_NAMES.get(type_.name, (type_.name,))


class SiteLog:
    """The sites of one function."""

    def __init__(self, scope: Scope) -> None:
        self.scope = scope
        self.sites: list[Site] = []
        self.stmt = -1
        self._parent: int | None = None
        self._doubts = 0
        self._needs: list[str] = []

    def open_site(self, type_: str, label: str, **details: Any) -> tuple[int, int | None]:
        """Starts a site; what is inferred until :meth:`close_site` is nested in it."""
        index, outer = len(self.sites), self._parent
        self.sites.append(
            Site(
                index=index,
                parent=outer,
                type=type_,
                method=label,
                callee=details.get("callee"),
                variable=None,
                is_call=details.get("is_call", True),
                stmt=self.stmt,
                certain=not self._doubts,
                needs=tuple(self._needs),
            )
        )
        self._parent = index
        return index, outer

    @contextmanager
    def doubtful(self) -> Iterator[None]:
        """What is inferred inside may not run although its statement does."""
        self._doubts += 1
        try:
            yield
        finally:
            self._doubts -= 1

    @contextmanager
    def for_each(self, variable: str | None) -> Iterator[None]:
        """What is inferred inside runs once for each element of ``variable``, if it is known."""
        if variable is None:
            with self.doubtful():
                yield
            return
        self._needs.append(variable)
        try:
            yield
        finally:
            self._needs.pop()

    def close_site(
        self, opened: tuple[int, int | None], type_: Type, receiver: cst.CSTNode | None
    ) -> None:
        """Ends a site, now that the type of its receiver is known."""
        index, self._parent = opened
        name = receiver.value if isinstance(receiver, cst.Name) else None
        of_class = type_.name == "class"
        self.sites[index] = replace(
            self.sites[index],
            type=type_.args[0].name if of_class else type_.name,
            variable=name if name is not None and self.scope.is_variable(name) else None,
            held=_runtime_names(type_),
        )

    def rename_site(self, opened: tuple[int, int | None], label: str) -> None:
        """Corrects the label of a site, now that its owner is known."""
        index = opened[0]
        self.sites[index] = replace(self.sites[index], method=label)
