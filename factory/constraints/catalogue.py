"""The targets of the grid: per built-in type, what can be called on it, and how it nests.

Labels are those of :mod:`factory.constraints.signatures`.
"""

from __future__ import annotations

_IN_ITSELF: dict[str, str] = {
    "str": "capitalize center find join ljust lstrip lower partition removeprefix removesuffix "
    "replace rfind rjust rstrip split strip swapcase title upper zfill",
    "dict": "get pop setdefault |",
    "set": "difference intersection symmetric_difference union",
    "tuple": "* + [:] []",
    "int": "% & // ^ abs() bit_count bit_length divmod() max() min() pow()",
}
"""Targets whose result can be their own receiver or argument."""

_IN_OTHER_CALLS: dict[str, str] = {
    "str": "count endswith isalpha isdigit startswith",
    "list": "append copy count extend index insert pop remove reverse sort",
    "dict": "copy items keys popitem update values",
    "set": "add copy discard isdisjoint issubset issuperset remove update",
    "tuple": "count in index len() max() min() sorted() sum()",
}
"""Targets that only nest with other calls."""

_NO_NEST = "it takes no argument and returns None, so no call can hold it or be held by it"
_IMPOSSIBLE: dict[tuple[str, str], str] = {
    ("list", "clear"): _NO_NEST,
    ("dict", "clear"): _NO_NEST,
    ("set", "clear"): _NO_NEST,
    ("set", "pop"): "which element it removes depends on the hash seed",
}

TYPES = ("str", "list", "dict", "set", "tuple", "int")
"""Types of the grid, in grid order."""


def target_methods(type_: str) -> tuple[str, ...]:
    """Labels of every possible target of a type, sorted."""
    return tuple(sorted(f"{_IN_ITSELF.get(type_, '')} {_IN_OTHER_CALLS.get(type_, '')}".split()))


def nests_in_itself(type_: str, method: str) -> bool:
    """Whether a nest of this target counts only calls of the target itself."""
    return method in _IN_ITSELF.get(type_, "").split()


def impossible_targets() -> tuple[tuple[str, str, str], ...]:
    """``(type, method, reason)`` of targets that no program can hold."""
    return tuple((*target, reason) for target, reason in _IMPOSSIBLE.items())
