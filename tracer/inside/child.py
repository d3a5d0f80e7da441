"""What a forked child does: descriptors, containment, the program, one report.

The code that runs after the program has had its chance uses nothing that a program can replace:
names are bound here at import, and the JSON encoder is a private copy.
"""

from __future__ import annotations

import builtins
import fcntl
import importlib.util
import json
import os
import signal
from builtins import BaseException, MemoryError, len, memoryview, type
from collections.abc import Callable, Iterable
from os import _exit, write
from signal import SIG_BLOCK, pthread_sigmask
from sys import getrecursionlimit, setrecursionlimit, settrace
from typing import Any, NoReturn

from tracer.inside.containment import Containment, Step
from tracer.inside.limits import highest_descriptor
from tracer.inside.protocol import pack_message

Execute = Callable[[dict[str, Any], Callable[[dict[str, Any]], NoReturn]], NoReturn]

_ALL_SIGNALS = signal.valid_signals()
_DELIVERY_FRAMES = 500
"""Frames that a delivery out of a deep recursion may use on top."""


def _private_encoder() -> Callable[[Any], str]:
    spec = importlib.util.find_spec("json.encoder")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    module.__dict__["__builtins__"] = dict(vars(builtins))
    spec.loader.exec_module(module)
    encode: Callable[[Any], str] = module.JSONEncoder(separators=(",", ":")).encode
    return encode


_encode = _private_encoder()


def run_child(
    here: Containment,
    plan: tuple[Step, ...],
    execute: Execute,
    nonce: bytes,
    job_text: bytes,
    channel: int,
    talk: int = -1,
) -> NoReturn:
    """Contain this process, run the job in it, report once through ``channel`` and end.

    Args:
        here: what the zygote holds ready.
        plan: how to contain this process.
        execute: the harness.
        nonce: what marks the report as that of this job.
        job_text: the job as JSON.
        channel: writing end of the pipe for the report.
        talk: a socket through which the job can be talked to while it runs, if there is one; the
            harness finds its number in the job as ``_talk_fd``.
    """

    def pack(status: str, detail: str, payload: Any = None) -> bytes:
        report = _encode({"status": status, "detail": detail, "payload": payload})
        return pack_message(nonce, report.encode())

    def send(message: bytes) -> NoReturn:
        try:
            left = memoryview(message)
            while len(left):
                left = left[write(channel, left) :]
            _exit(0)
        finally:
            _exit(1)

    out_of_memory = pack("memory", "no memory was left for the result")

    def deliver(result: dict[str, Any]) -> NoReturn:
        settrace(None)
        pthread_sigmask(SIG_BLOCK, _ALL_SIGNALS)
        setrecursionlimit(getrecursionlimit() + _DELIVERY_FRAMES)
        try:
            message = pack("result", "", result)
        except MemoryError:
            message = out_of_memory
        except BaseException as error:
            message = pack("crashed", f"its result cannot be written: {type(error).__name__}")
        send(message)

    try:
        try:
            job = json.loads(job_text)
            job["_stdout_fd"] = 1
            channel, job["_talk_fd"] = _contain(here, plan, job["stdin"], channel, talk)
        except BaseException as error:
            send(pack("infrastructure", f"{type(error).__name__}: {error}"))
        try:
            execute(job, deliver)
        except MemoryError:
            send(out_of_memory)
        except BaseException as error:
            send(pack("crashed", f"the harness ended with {type(error).__name__}"))
    finally:
        _exit(1)


def _contain(
    here: Containment, plan: tuple[Step, ...], stdin: str, channel: int, talk: int
) -> tuple[int, int]:
    """Arrange descriptors, enter the work directory and all layers.

    Returns:
        The new numbers of ``channel`` and ``talk``.
    """
    os.setsid()
    top = highest_descriptor()
    _open_file(here, 0, stdin.encode("utf-8", "surrogatepass"))
    _open_file(here, 1, b"")
    middle = top // 2
    hidden = middle + int.from_bytes(os.urandom(2), "big") % (middle - 16)
    os.dup2(channel, hidden, inheritable=False)
    kept = {0, 1, 2, hidden, *here.library.values()}
    if talk >= 0:
        hidden_talk = hidden - 1 if hidden > middle else hidden + 1
        os.dup2(talk, hidden_talk, inheritable=False)
        kept.add(talk := hidden_talk)
    here.enter_work_folder()
    for _, step in plan:
        step()
    _close_all_but(kept, top)
    return hidden, talk


def _open_file(here: Containment, number: int, content: bytes) -> None:
    """Make descriptor ``number`` a nameless file that holds ``content``."""
    if hasattr(os, "memfd_create"):
        descriptor = os.memfd_create("stream")
    else:
        descriptor = os.open("stream", os.O_RDWR | os.O_CREAT | os.O_EXCL, dir_fd=here.work)
        os.unlink("stream", dir_fd=here.work)
    left = memoryview(content)
    while left:
        left = left[os.write(descriptor, left) :]
    os.lseek(descriptor, 0, os.SEEK_SET)
    os.dup2(descriptor, number)
    os.close(descriptor)
    if number == 1:
        fcntl.fcntl(number, fcntl.F_SETFL, os.O_APPEND)


def _close_all_but(kept: Iterable[int], top: int) -> None:
    low = 0
    for descriptor in sorted(kept):
        if low < descriptor:
            os.closerange(low, descriptor)
        low = descriptor + 1
    os.closerange(low, top)
