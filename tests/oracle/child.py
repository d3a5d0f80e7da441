"""Runs jobs in the interpreter under test, each in a forked process of its own."""

from __future__ import annotations

import ast
import builtins
import gc
import importlib
import io
import json
import os
import select
import signal
import sys
import tempfile
import types
from typing import Any

from oracle.encoding import Encoder
from oracle.objects import is_program_class, mro, type_text
from oracle.probes import install
from oracle.recorder import Recorder
from oracle.rewriting import instrument
from oracle.scopes import read_scopes
from oracle.statements import number_statements

WALL_S = 60.0
NAME = "program"
PRELOADED = ("collections", "contextlib", "dataclasses", "enum", "functools", "re", "typing")


def outcome(kind: str, type_: str | None = None, value: str | None = None) -> dict[str, Any]:
    """The outcome record."""
    return {"kind": kind, "type": type_, "value": value, "message": None}


def message_of(error: BaseException, encoder: Encoder) -> str | None:
    """`str(error)` where that runs no code of the program and shows no address."""
    owner = next(b for b in mro(type(error)) if "__str__" in b.__dict__)
    args = BaseException.__dict__["args"].__get__(error)
    if is_program_class(owner) or not all(encoder.is_faithful(a) for a in args):
        return None
    return str(error)


class Job:
    """One run: module code, then the call."""

    def __init__(self, job: dict[str, Any], result_fd: int) -> None:
        self.job = job
        self.result_fd = result_fd
        self.captured = tempfile.TemporaryFile()
        self.printed_before = 0

    def run(self) -> None:
        """Run and send the trace."""
        os.dup2(self.captured.fileno(), 1)
        sys.stdout = io.TextIOWrapper(open(1, "wb", closefd=False), encoding="utf-8")
        source = self.job["source"]
        tree = ast.parse(source)
        table = number_statements(tree)
        limits = (self.job["max_steps"], self.job["max_value_chars"])
        scopes = read_scopes(source, tree)
        self.recorder = rec = Recorder(table, scopes, limits, self.cut)
        code = instrument(tree, table, scopes, "<traced program>")
        install(rec)
        module = types.ModuleType(NAME)
        sys.modules[NAME] = module
        gc.disable()
        if self.job["entry_point"] is None:
            rec.entry_code = code
            self.send(self.called(lambda: exec(code, module.__dict__)))
            return
        exec(code, module.__dict__)
        setattr(builtins, "@args", lambda *a, **k: (a, k))
        wanted = ast.parse(f"_({self.job['args']}\n)", mode="eval")
        wanted.body.func = ast.copy_location(  # type: ignore[attr-defined]
            ast.Name("@args", ast.Load()), wanted.body
        )
        args, kwargs = eval(compile(wanted, "<args>", "eval"), module.__dict__)
        entry = module.__dict__[self.job["entry_point"]]
        if isinstance(entry, types.FunctionType) and entry.__name__ != "<lambda>":
            rec.entry_code = entry.__code__
        self.send(self.called(lambda: entry(*args, **kwargs)))

    def called(self, call: Any) -> dict[str, Any]:
        """Make the traced call and say how it ended."""
        rec = self.recorder
        sys.stdout.flush()
        self.printed_before = os.fstat(1).st_size
        rec.on = True
        try:
            value = call()
        except BaseException as error:
            rec.on = False
            if isinstance(error, RecursionError):
                rec.recursion = True
            elif rec.recursion:
                return outcome("depth_dependent")
            result = outcome("raised", type_text(type(error)))
            result["message"] = message_of(error, rec.encoder)
            return result
        rec.on = False
        if rec.recursion:
            return outcome("depth_dependent")
        return outcome("returned", *rec.encoder.encode(value))

    def cut(self) -> None:
        """The step limit: nothing of the program runs on."""
        self.recorder.on = False
        self.send(outcome("step_limit"), complete=False)

    def send(self, result: dict[str, Any], complete: bool = True) -> None:
        """Write the trace and end the process."""
        rec = self.recorder
        rec.close()
        sys.stdout.flush()
        self.captured.seek(self.printed_before)
        trace = {
            "outcome": result,
            "complete": complete and not rec.recursion,
            "stdout": self.captured.read().decode("utf-8", "replace"),
            "python": f"{sys.version_info[0]}.{sys.version_info[1]}",
            "statements": rec.table.rows,
            "activations": [a.record for a in rec.activations],
            "steps": rec.steps,
        }
        write_all(self.result_fd, json.dumps(trace).encode())
        os._exit(0)


def write_all(fd: int, data: bytes) -> None:
    """Write every byte."""
    while data:
        data = data[os.write(fd, data) :]


def failure(kind: str, text: str) -> dict[str, Any]:
    """A trace without steps."""
    result = {**outcome(kind), "message": text}
    return {
        "outcome": result,
        "complete": False,
        "stdout": "",
        "python": "",
        "statements": [],
        "activations": [],
        "steps": [],
    }


def run_forked(job: dict[str, Any]) -> bytes:
    """The trace of one job, as JSON."""
    reader, writer = os.pipe()
    pid = os.fork()
    if pid == 0:
        os.close(reader)
        try:
            Job(job, writer).run()
        except BaseException as error:
            text = f"{type(error).__name__}: {error}"
            write_all(writer, json.dumps(failure("bad_program", text)).encode())
        os._exit(1)
    os.close(writer)
    data, limit = b"", job.get("wall_s", WALL_S)
    while select.select([reader], [], [], limit)[0]:
        part = os.read(reader, 1 << 20)
        if not part:
            break
        data += part
    else:
        os.kill(pid, signal.SIGKILL)
        data = json.dumps(failure("timeout", "")).encode()
    os.close(reader)
    os.waitpid(pid, 0)
    return data or json.dumps(failure("crashed", "")).encode()


def main() -> None:
    """Jobs as JSON on stdin, traces as JSON lines on stdout."""
    jobs = json.load(sys.stdin)
    for name in PRELOADED:
        importlib.import_module(name)
    out = os.dup(1)
    null = os.open(os.devnull, os.O_RDONLY)
    os.dup2(null, 0)
    sys.stdin = open(0, closefd=False)
    for job in jobs:
        write_all(out, run_forked(job) + b"\n")
