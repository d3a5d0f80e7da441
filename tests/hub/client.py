"""Clients of the test Hub: processes in which ``huggingface_hub`` was told where it is.

``HF_ENDPOINT`` is read when the library is imported, so a client is a process of its own.  One
process imports everything once; each command runs in a fork of it, which can be killed.
"""

from __future__ import annotations

import importlib
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

ROOT = Path(__file__).parents[2]
IMPORTED = (
    "factory.cli",
    "factory.data_files",
    "factory.publishing",
    "factory.query",
    "huggingface_hub.hf_api",
    "huggingface_hub.hf_file_system",
    "jinja2",
    "pyarrow.compute",
    "pyarrow.dataset",
    "pyarrow.parquet",
    "rich.console",
    "rich.table",
)
"""What the commands import: once, before the forks."""


@dataclass(frozen=True)
class Ran:
    """How a command ended."""

    returncode: int
    stdout: str
    stderr: str
    seconds: float


class Client:
    """Runs commands against one Hub; use it as a context manager."""

    def __init__(self, environment: Mapping[str, str], home: Path) -> None:
        self._process = subprocess.Popen(
            [sys.executable, __file__],
            env={
                **os.environ,
                **environment,
                "HF_HOME": str(home),
                "PYTHONPATH": f"{ROOT}{os.pathsep}{ROOT / 'tests'}",
                "COLUMNS": "120",
            },
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self.printed: list[str] = []
        """Everything that the commands printed."""
        self._child: int | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self._process.__exit__(None, None, None)

    def run(self, *arguments: str | Path, **environment: str) -> Ran:
        """The command line."""
        return self._do({"run": [str(each) for each in arguments], "environment": environment})

    def python(self, code: str, *arguments: str | Path, **environment: str) -> Ran:
        """Python code, with ``arguments`` as ``sys.argv[1:]``."""
        return self._do(
            {"code": code, "arguments": list(map(str, arguments)), "environment": environment}
        )

    def kill(self) -> None:
        """Kill the running command, as the machine would."""
        if self._child is not None:
            with suppress(ProcessLookupError):
                os.kill(self._child, signal.SIGKILL)

    def _do(self, job: dict[str, Any]) -> Ran:
        stdin, stdout = self._process.stdin, self._process.stdout
        assert stdin is not None
        assert stdout is not None
        started = time.monotonic()
        stdin.write(json.dumps(job) + "\n")
        stdin.flush()
        self._child = int(stdout.readline())
        answer = json.loads(stdout.readline())
        self._child = None
        done = Ran(**answer, seconds=time.monotonic() - started)
        self.printed += [done.stdout, done.stderr]
        return done


def serve() -> None:
    """Import everything, then run what is asked for, each in a fork."""
    for name in IMPORTED:
        importlib.import_module(name)
    for line in sys.stdin:
        job = json.loads(line)
        with tempfile.TemporaryFile("w+") as out, tempfile.TemporaryFile("w+") as err:
            child = os.fork()
            if not child:
                _work(job, out.fileno(), err.fileno())
            print(child, flush=True)  # noqa: T201
            _, status = os.waitpid(child, 0)
            out.seek(0)
            err.seek(0)
            done = {
                "returncode": os.waitstatus_to_exitcode(status),
                "stdout": out.read(),
                "stderr": err.read(),
            }
        print(json.dumps(done), flush=True)  # noqa: T201


def _work(job: dict[str, Any], out: int, err: int) -> None:
    code = 99
    try:
        os.dup2(out, 1)
        os.dup2(err, 2)
        os.environ.update(job["environment"])
        if "run" in job:
            from factory.cli import run

            code = run(job["run"])
        else:
            sys.argv = ["code", *job["arguments"]]
            exec(compile(job["code"], "code", "exec"), {"__name__": "code"})
            code = 0
    except SystemExit as end:
        code = int(end.code or 0)
    except BaseException:
        import traceback

        traceback.print_exc()
    finally:
        with suppress(OSError):
            sys.stdout.flush()
            sys.stderr.flush()
        os._exit(code)


if __name__ == "__main__":
    serve()
