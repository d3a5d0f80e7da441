"""Runs `tracefoundry`: in this process, which is fast, or in one of its own."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Done:
    returncode: int
    stdout: str
    stderr: str


Command = Callable[..., Done]
"""`command(*arguments, stdin="")`; the fixture `tracefoundry` of conftest is one."""


def spawn(*arguments: str | Path, **environment: str) -> Done:
    """Run the module in a process of its own."""
    done = subprocess.run(
        [sys.executable, "-m", "factory", *map(str, arguments)],
        capture_output=True,
        text=True,
        timeout=100,
        env=os.environ | {"COLUMNS": "120"} | environment,
        check=False,
    )
    return Done(done.returncode, done.stdout, done.stderr)
