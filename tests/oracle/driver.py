"""Starts the interpreter under test and reads its traces."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any, NamedTuple

BOOT = (
    "import sys; sys.path.insert(0, {path!r}); from oracle.child import main; "
    "sys.path.remove({path!r}); main()"
)


class Job(NamedTuple):
    """One call to trace; `entry_point` None traces the module's own code."""

    source: str
    entry_point: str | None
    args: str
    max_steps: int = 10_000
    max_value_chars: int = 1_000


def trace_many(
    jobs: Iterable[Job | tuple[Any, ...]], *, python: str = sys.executable
) -> list[dict[str, Any]]:
    """Traces of many jobs, made in forks of one subprocess."""
    sent = json.dumps([Job(*job)._asdict() for job in jobs])
    boot = BOOT.format(path=str(Path(__file__).resolve().parent.parent))
    with tempfile.TemporaryDirectory() as empty:
        done = subprocess.run(
            [python, "-I", "-X", "utf8", "-c", boot],
            input=sent,
            capture_output=True,
            text=True,
            cwd=empty,
            check=False,
        )
    if done.returncode:
        raise RuntimeError(f"the oracle's child failed:\n{done.stderr}")
    return [json.loads(line) for line in done.stdout.splitlines()]


def trace(
    source: str,
    entry_point: str | None,
    args: str,
    *,
    max_steps: int = 10_000,
    max_value_chars: int = 1_000,
    python: str = sys.executable,
) -> dict[str, Any]:
    """The trace of one call, shaped as `trace --json` prints it."""
    job = Job(source, entry_point, args, max_steps, max_value_chars)
    return trace_many([job], python=python)[0]
