"""Compares runs of one call: results as the harness makes them, under two hash seeds and clocks."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

from tracer.inside.columns import REPORT, expand
from tracer.records import Outcome

_TRACED = ("args", "outcome", "complete", "stdout", *REPORT)
"""What two traced runs must have in common, down to the last value on the way."""


def has_ended(result: dict[str, Any]) -> bool:
    """Whether the call came to its own end."""
    return bool(result["outcome"]["kind"] in ("returned", "raised"))


def met_recursion_limit(result: dict[str, Any]) -> bool:
    """Whether the depth of the stack decided; a shared process begins at another one."""
    ended = result["outcome"]
    return bool(ended["kind"] == "depth_dependent" or ended["type"] == "RecursionError")


def agree(one: dict[str, Any], other: dict[str, Any]) -> bool:
    """Whether two runs end alike and print the same."""
    if all(r["outcome"]["type"] == "RecursionError" for r in (one, other)):
        return True  # how deep it came, and so what it printed, says nothing about the program
    return bool(one["outcome"] == other["outcome"] and one["stdout"] == other["stdout"])


def agreed(one: dict[str, Any], other: dict[str, Any]) -> Outcome:
    """What two untraced runs under different hash seeds and clocks say together."""
    if one == other:
        return Outcome(**one)
    if other["kind"] not in ("returned", "raised"):
        return Outcome(**other)
    return Outcome("nondeterministic", None, None, "two runs differ")


def same_steps(one: dict[str, Any], other: dict[str, Any]) -> bool:
    """Whether two traced runs are the same, down to the last value on the way."""
    return all(one[key] == other[key] for key in _TRACED)


def first_difference(one: dict[str, Any], other: dict[str, Any]) -> str:
    """Say where two traces part."""
    pairs = zip(_by_step(one), _by_step(other), strict=False)
    for index, (left, right) in enumerate(pairs):
        if left != right:
            line = one["statements"][left[0]]["line"]
            return f"two runs differ from step {index} (line {line}) on"
    return "two runs differ on the way to the same result"


def _by_step(traced: dict[str, Any]) -> list[tuple[Any, ...]]:
    """Return what a traced run reported of each step, the statement first."""
    columns = expand(traced)
    changes: dict[int, list[Any]] = defaultdict(list)
    for step, *change in zip(*columns["changes"].values(), strict=True):
        changes[step].append(change)
    rows = zip(*columns["steps"].values(), strict=True)
    return [(*row, changes.get(index)) for index, row in enumerate(rows)]


def difference(one: dict[str, Any], other: dict[str, Any]) -> str:
    """Say in what two runs differ."""
    for key in ("kind", "type", "value", "message"):
        if one["outcome"][key] != other["outcome"][key]:
            return f"two runs differ in {key}: {one['outcome'][key]} and {other['outcome'][key]}"
    return "two runs print different text"
