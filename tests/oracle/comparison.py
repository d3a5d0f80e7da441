"""Says in words how two traces differ."""

from __future__ import annotations

from typing import Any

IGNORED = {"schema_version", "python"}
SHOWN = 20


def differences(path: str, expected: Any, got: Any) -> list[str]:
    """Every differing leaf below `path`."""
    if isinstance(expected, dict) and isinstance(got, dict):
        found = []
        for key in [*expected, *(k for k in got if k not in expected)]:
            if key not in got or key not in expected:
                side = "missing" if key not in got else "not expected"
                found.append(f"{path}.{key}: {side}")
            else:
                found += differences(f"{path}.{key}", expected[key], got[key])
        return found
    if isinstance(expected, list) and isinstance(got, list):
        found = []
        for place, (one, two) in enumerate(zip(expected, got, strict=False)):
            found += differences(f"{path}[{place}]", one, two)
        if len(expected) != len(got):
            found.append(f"{path}: expected {len(expected)} items, got {len(got)}")
        return found
    if expected != got or type(expected) is not type(got):
        return [f"{path}: expected {expected!r}, got {got!r}"]
    return []


def overflowed(trace: dict[str, Any]) -> bool:
    """Whether a RecursionError ended or cut the trace, at a depth that nothing fixes."""
    result = trace["outcome"]
    return bool(result["kind"] == "depth_dependent" or result["type"] == "RecursionError")


def compare(expected: dict[str, Any], got: dict[str, Any]) -> list[str]:
    """Differences in words, at most 20 of them; none means that the traces agree.

    Where the recursion limit was hit only the outcome and the first half of the steps count.
    """
    one = {k: v for k, v in expected.items() if k not in IGNORED}
    two = {k: v for k, v in got.items() if k not in IGNORED}
    if overflowed(one) and overflowed(two):
        half = min(len(one["steps"]), len(two["steps"])) // 2
        keys = ("stmt", "activation", "depth", "occurrence")
        for each in (one, two):
            each["steps"] = [{k: s[k] for k in keys} for s in each["steps"][:half]]
            each["outcome"] = {**each["outcome"], "message": None}
            each["activations"] = []
    found = differences("trace", one, two)
    if len(found) > SHOWN:
        found = [*found[:SHOWN], f"… and {len(found) - SHOWN} more"]
    return found
