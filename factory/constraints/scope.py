"""Names and their static types inside one function."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from factory.constraints.types import UNKNOWN, Type, join


@dataclass(slots=True)
class Scope:
    """The variables of a function (or of the module, whose ``name`` is empty)."""

    name: str
    outer: Scope | None
    returns: Mapping[str, Type]
    """What each function of the program returns, by qualified name."""
    shared: frozenset[str]
    """Names declared ``global`` or ``nonlocal`` somewhere: never typed."""
    variables: dict[str, Type] = field(default_factory=dict)
    targets: list[dict[str, Type]] = field(default_factory=list)
    """Comprehension targets and lambda parameters in force, innermost last."""
    looked_past: set[str] = field(default_factory=set)
    """Names that were looked up further out before they were bound here."""
    stable: bool = True
    """False once a binding changed what an earlier look-up answered."""

    def bind(self, name: str, type_: Type) -> None:
        """Joins ``type_`` into what ``name`` may hold."""
        if name in self.shared:
            type_ = UNKNOWN
        known = self.variables.get(name)
        joined = type_ if known is None else join(known, type_)
        if name in self.looked_past or (known is not None and joined != known):
            self.stable = False
        self.variables[name] = joined

    def find(self, name: str) -> Type | None:
        """The static type of a variable; ``None`` for a name that no scope binds."""
        for layer in reversed(self.targets):
            if name in layer:
                return layer[name]
        scope: Scope | None = self
        while scope is not None:
            if name in scope.variables:
                return scope.variables[name]
            scope.looked_past.add(name)
            scope = scope.outer
        return None

    def is_variable(self, name: str) -> bool:
        """Whether ``name`` is a variable of this very function, and no comprehension target."""
        return name in self.variables and not any(name in layer for layer in self.targets)

    def find_function(self, name: str) -> str | None:
        """Qualified name of the program's function that ``name`` calls, if it does."""
        scope: Scope | None = self
        if any(name in layer for layer in self.targets):
            return None
        while scope is not None:
            qualified = f"{scope.name}.{name}" if scope.name else name
            if name in scope.variables:
                return None
            if qualified in self.returns:
                return qualified
            scope.looked_past.add(name)
            scope = scope.outer
        return None
