"""The targets of the grid: per type, what can be called on it and how that is written.

Labels are those of :mod:`factory.constraints.signatures`. A *form* is an expression with holes:
``_`` is the receiver, names in capitals stand for values (``ITEM`` is an element of the receiver,
``SELF`` another value of its type; a number at the end repeats the same text), and ``_full`` is a
receiver that holds two elements at least. A form that begins with ``!`` is a row of statements that
change the receiver, one that begins with ``=`` uses a constant. Library modules have rows of their
own; their holes are named after types.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from factory.constraints.tables import iterators, mappings, modules, numbers, sequences, sets, texts
from factory.constraints.tables.common import BUILTIN_REASONS, CONSTANT, NO_FORMAT, NO_RESULT

_ROWS: dict[str, str] = {
    "str": texts.STR,
    "bytes": texts.BYTES,
    "int": numbers.INT,
    "float": numbers.FLOAT,
    "complex": numbers.COMPLEX,
    "bool": numbers.BOOL,
    "list": sequences.LIST,
    "tuple": sequences.TUPLE,
    "dict": mappings.DICT,
    "set": sets.SET,
    "frozenset": sets.FROZENSET,
    "range": sequences.RANGE,
    "enumerate": iterators.ENUMERATE,
    "zip": iterators.ZIP,
    "map": iterators.MAP,
    "filter": iterators.FILTER,
    "reversed": iterators.REVERSED,
    "sorted": iterators.SORTED,
    "Counter": mappings.COUNTER,
    "deque": sequences.DEQUE,
    "defaultdict": mappings.DEFAULTDICT,
    "OrderedDict": mappings.ORDERED_DICT,
    "namedtuple": modules.NAMEDTUPLE,
    "itertools": modules.ITERTOOLS,
    "functools": modules.FUNCTOOLS,
    "math": modules.MATH,
    "re": modules.RE,
    "Pattern": modules.PATTERN,
    "Match": modules.MATCH,
    "string": modules.STRING,
    "Template": modules.TEMPLATE,
    "dataclasses": modules.DATACLASSES,
}
_REASONS: dict[str, dict[str, str]] = {
    **texts.IMPOSSIBLE,
    **numbers.IMPOSSIBLE,
    **sequences.IMPOSSIBLE,
    **mappings.IMPOSSIBLE,
    **sets.IMPOSSIBLE,
    **iterators.IMPOSSIBLE,
    **modules.IMPOSSIBLE,
}
TYPES = tuple(_ROWS)
"""Rows of the grid, in grid order: built-in types, classes of the library, modules."""
BUILTIN_TYPES = TYPES[: TYPES.index("Counter")]
"""Rows to which built-in functions apply."""


@dataclass(frozen=True, slots=True)
class Target:
    """One target of the grid."""

    type: str
    label: str
    forms: tuple[str, ...]
    """Ways to write one use of it."""

    @property
    def only_changes(self) -> bool:
        """Whether it is a statement, or a call that returns None."""
        return self.forms[0].startswith("!")

    @property
    def nest_reason(self) -> str | None:
        """Why no use of it can hold another one; ``None`` when one can."""
        if self.only_changes:
            return NO_RESULT
        return CONSTANT if self.forms[0].startswith("=") else None


@cache
def targets(type_: str) -> dict[str, Target]:
    """Every possible target of a row, by label, sorted."""
    forms: dict[str, list[str]] = {}
    for line in _ROWS.get(type_, "").splitlines():
        label, _, form = line.partition(" :: ")
        if form:
            forms.setdefault(label, []).append(form)
    return {label: Target(type_, label, tuple(forms[label])) for label in sorted(forms)}


def target_methods(type_: str) -> tuple[str, ...]:
    """Labels of every possible target of a type, sorted."""
    return tuple(targets(type_))


def nests(type_: str, method: str) -> bool:
    """Whether uses of this target can hold one another; what returns nothing cannot."""
    return nest_reason(type_, method) is None


@cache
def impossible_targets() -> tuple[tuple[str, str, str], ...]:
    """``(type, method, reason)`` of targets that no program can hold."""
    found = [
        (type_, label, reason)
        for type_ in TYPES
        for label, reason in sorted(_REASONS.get(type_, {}).items())
    ]
    for type_ in BUILTIN_TYPES:
        if "format()" not in targets(type_) and "format()" not in _REASONS[type_]:
            found.append((type_, "format()", NO_FORMAT))
        found += [(type_, f"{name}()", reason) for name, reason in sorted(BUILTIN_REASONS.items())]
    return tuple(found)


def nest_reason(type_: str, method: str) -> str | None:
    """Why the target has no cell for nested calls; ``None`` when it has one."""
    target = targets(type_).get(method)
    return target.nest_reason if target is not None else None
