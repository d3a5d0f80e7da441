"""Records call sites in the order of discovery, each with the site that holds it."""

from __future__ import annotations

from typing import Any

import libcst as cst  # noqa: TID253 - this module is only imported inside functions

from factory.constraints.base import Site
from factory.constraints.scope import Scope
from factory.constraints.types import Type


class SiteLog:
    """The sites of one function."""

    def __init__(self, scope: Scope) -> None:
        self.scope = scope
        self.sites: list[Site] = []
        self.stmt = -1
        self._parent: int | None = None

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
            )
        )
        self._parent = index
        return index, outer

    def close_site(
        self, opened: tuple[int, int | None], type_: Type, receiver: cst.CSTNode | None
    ) -> None:
        """Ends a site, now that the type of its receiver is known."""
        index, self._parent = opened
        old = self.sites[index]
        name = receiver.value if isinstance(receiver, cst.Name) else None
        self.sites[index] = Site(
            index=index,
            parent=old.parent,
            type=type_.name,
            method=old.method,
            callee=old.callee,
            variable=name if name is not None and self.scope.is_variable(name) else None,
            is_call=old.is_call,
            stmt=old.stmt,
        )
