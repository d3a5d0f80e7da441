"""Jobs for the sandbox, and what is left of them on this machine."""

from __future__ import annotations

import os
import sys
import textwrap
import time
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest

from tracer.records import Limits
from tracer.sandbox import Raw, Zygote

linux_only = pytest.mark.skipif(sys.platform != "linux", reason="needs Linux")
SHORT = Limits(cpu_s=0.5, wall_s=10.0, memory_bytes=256 * 1024 * 1024)


def make_job(
    source: str,
    call: str | None = "f()",
    *,
    mode: str = "run",
    stdin: str = "",
    limits: Limits = SHORT,
) -> dict[str, Any]:
    """Return the job that runs ``call`` of ``source``; without a call, the module text."""
    name, _, rest = (call or "").partition("(")
    return {
        "mode": mode if call else "check",
        "source": textwrap.dedent(source),
        "entry_point": name or None,
        "args": rest[:-1],
        "stdin": stdin,
        "limits": asdict(limits),
    }


def run_source(
    zygote: Zygote,
    source: str,
    call: str | None = "f()",
    *,
    stdin: str = "",
    limits: Limits = SHORT,
) -> Raw:
    """Run one program plainly."""
    return zygote.run(make_job(source, call, stdin=stdin, limits=limits), limits)


def value_of(raw: Raw) -> str:
    """Return the canonical text of what the call returned; anything else fails the test."""
    assert raw.status == "result", raw
    assert raw.payload is not None
    assert raw.payload["outcome"]["kind"] == "returned", raw.payload["outcome"]
    value: str = raw.payload["outcome"]["value"]
    return value


def verdict_of(raw: Raw) -> str:
    """Return how the run ended: the status, or what the harness says within a result."""
    if raw.payload is None:
        return raw.status
    kind: str = raw.payload["outcome"]["kind"]
    return kind


def descendants(of: int | None = None) -> dict[int, str]:
    """Return the state letter of every process below ``of`` (this process), by number."""
    parents: dict[int, list[int]] = {}
    states: dict[int, str] = {}
    for entry in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = entry.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        number = int(entry.parent.name)
        states[number] = fields[0]
        parents.setdefault(int(fields[1]), []).append(number)
    found: dict[int, str] = {}
    waiting = [of or os.getpid()]
    while waiting:
        for child in parents.get(waiting.pop(), []):
            found[child] = states[child]
            waiting.append(child)
    return found


def wait_until_gone(numbers: set[int], seconds: float = 20.0) -> set[int]:
    """Wait until none of these processes runs; return those that still do."""
    end = time.monotonic() + seconds
    left = set(numbers)
    while left and time.monotonic() < end:
        left = {number for number in left if _runs(number)}
        time.sleep(0.02)
    return left


def _runs(number: int) -> bool:
    try:
        return Path(f"/proc/{number}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False
