"""The small process that forks one contained child for each job.

It is started by :mod:`tracer.sandbox` through ``bootstrap.py``, loads the harness and the modules
that programs use most, contains itself, and then answers one frame for each frame until its parent
hangs up. It never runs a program's code itself.
"""

from __future__ import annotations

import _socket
import array
import contextlib
import gc
import importlib
import os
import signal
import time
from typing import Any, NoReturn

from tracer.inside.child import Execute, run_child
from tracer.inside.clock import shift_clock
from tracer.inside.containment import Containment, contain_zygote, plan_child
from tracer.inside.folders import empty_folder
from tracer.inside.preload import hide_own_modules, preload_modules
from tracer.inside.protocol import pack_frame, read_frame
from tracer.inside.supervision import Ending, Orphaned, supervise

ENVIRONMENT = {"TZ": "UTC0", "TMPDIR": os.curdir}
"""All that programs find in ``os.environ``; temporary files go to their own directory."""

HARNESS = "tracer.inside.harness"
"""Runs jobs unless the settings name another module."""


def serve(link: int, settings: dict[str, Any]) -> NoReturn:
    """Answer jobs on the socket ``link`` until the other side closes it, then end this process.

    Args:
        link: descriptor of a connected stream socket.
        settings: ``folder`` (an empty directory), ``off`` (layers to leave out),
            ``shifted_clock``, ``parent`` (process number) and ``harness`` (the module of ours whose
            ``execute`` runs jobs).
    """
    masters = [link]
    try:
        with contextlib.suppress(AttributeError, OSError):
            masters.append(os.pidfd_open(settings["parent"]))
        if os.getppid() != settings["parent"]:
            os._exit(0)
        execute = _load(settings["shifted_clock"], settings.get("harness", HARNESS))
        here = contain_zygote(settings["folder"], settings["off"])
    except BaseException as error:
        _send(link, {"error": f"{type(error).__name__}: {error}"})
        os._exit(1)
    _send(link, {"layers": here.report()})
    try:
        while True:
            header, job_text = read_frame(lambda size: _receive(link, size))
            talk = _take_descriptor(link) if header.get("talk") else -1
            ending = _answer(here, execute, header, job_text, masters, talk)
            _send(link, {"status": ending.status, "detail": ending.detail}, ending.message)
    except (Orphaned, EOFError, OSError):
        here.remove_home()
        os._exit(0)


def _load(shifted_clock: bool, harness: str) -> Execute:
    """Load what children need; afterwards no module of ours can be found by a program."""
    if shifted_clock:
        shift_clock()
    preload_modules()
    execute: Execute = importlib.import_module(harness).execute
    hide_own_modules()
    # Python ignores this signal; it is to end a program that writes too much.
    signal.signal(signal.SIGXFSZ, signal.SIG_DFL)
    os.environ.clear()
    os.environ.update(ENVIRONMENT)
    time.tzset()
    gc.collect()
    gc.freeze()
    return execute


def _answer(
    here: Containment,
    execute: Execute,
    header: dict[str, Any],
    job_text: bytes,
    masters: list[int],
    talk: int,
) -> Ending:
    plan = plan_child(here, header["limits"])
    nonce = bytes.fromhex(header["nonce"])
    reading, writing = os.pipe()
    try:
        child = os.fork()
    except OSError as error:
        os.close(reading)
        return Ending("infrastructure", f"no process could be made: {error.strerror}")
    else:
        if child == 0:
            try:
                run_child(here, plan, execute, nonce, job_text, writing, talk)
            finally:
                os._exit(1)
    finally:
        os.close(writing)
        if talk >= 0:
            os.close(talk)
    try:
        return supervise(here, child, reading, header["limits"], masters)
    finally:
        empty_folder(here.work)


def _take_descriptor(link: int) -> int:
    """Receive the one descriptor that follows a frame whose header says ``talk``."""
    numbers = array.array("i")
    door = _socket.socket(fileno=link)
    try:
        _, parts, _, _ = door.recvmsg(1, _socket.CMSG_SPACE(numbers.itemsize))
    finally:
        door.detach()
    for level, kind, content in parts:
        if (level, kind) == (_socket.SOL_SOCKET, _socket.SCM_RIGHTS):
            numbers.frombytes(content)
    if len(numbers) != 1:
        raise EOFError
    return numbers[0]


def _send(link: int, header: dict[str, Any], body: bytes = b"") -> None:
    left = memoryview(pack_frame(header, body))
    while left:
        left = left[os.write(link, left) :]


def _receive(link: int, size: int) -> bytes:
    parts: list[bytes] = []
    while size:
        part = os.read(link, min(size, 1 << 20))
        if not part:
            raise EOFError
        parts.append(part)
        size -= len(part)
    return b"".join(parts)
