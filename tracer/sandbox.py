"""Runs untrusted programs: the parent's side of the zygote in :mod:`tracer.inside.zygote`."""

from __future__ import annotations

import contextlib
import json
import os
import secrets
import shutil
import socket
import subprocess
import sys
import tempfile
import weakref
from dataclasses import asdict, dataclass
from pathlib import Path
from types import TracebackType
from typing import Any

from tracer.inside.folders import empty_folder
from tracer.inside.layers import layers_off
from tracer.inside.protocol import NONCE_BYTES, ProtocolError, pack_frame
from tracer.records import Limits
from tracer.session import Raw, RawStatus, Session, judge, receive_frame

__all__ = ["HARNESS", "Raw", "RawStatus", "Session", "Zygote"]

HARNESS = "tracer.inside.harness"
_BOOTSTRAP = Path(__file__).parent / "inside" / "bootstrap.py"
_START_S = 120.0
_GRACE_S = 60.0
"""How much longer than its wall limit a job may keep us waiting: a busy machine is no failure."""
_FAREWELL_S = 5.0
_LINKER_VARIABLES = ("LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH")


class _Broken(Exception):
    """The zygote is gone or can't be understood."""


@dataclass(slots=True)
class _Process:
    popen: subprocess.Popen[bytes]
    link: socket.socket
    folder: str
    owner: int
    """The process that may speak to it: a fork of that process may not."""


class Zygote:
    """One small process that forks a contained child for each job.

    It is started by the first job, and again when it has died. Not thread safe.

    Args:
        hash_seed: seed of ``hash()`` in the programs, 0 to 4294967295.
        shifted_clock: whether programs see a clock that is far from the true one.
        python: interpreter that runs the programs.
        off: names of layers to leave out; ``None`` leaves it to the environment
            (:data:`~tracer.inside.layers.SWITCH`).
        harness: module of ours, loaded by the zygote, whose ``execute`` runs the jobs.

    Raises:
        ValueError: the environment names a layer that doesn't exist.
    """

    def __init__(
        self,
        *,
        hash_seed: int,
        shifted_clock: bool = False,
        python: str = sys.executable,
        off: frozenset[str] | None = None,
        harness: str = HARNESS,
    ) -> None:
        self._harness = harness
        self._hash_seed = hash_seed
        self._shifted_clock = shifted_clock
        self._python = python
        self._off = layers_off(os.environ) if off is None else off
        self._process: _Process | None = None
        self._finalizer: weakref.finalize[..., Any] | None = None
        self._layers: tuple[tuple[str, bool, str], ...] = ()

    def __enter__(self) -> Zygote:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    def layers(self) -> tuple[tuple[str, bool, str], ...]:
        """Return ``(name, in force, reason if not)`` of every layer, starting the zygote.

        Raises:
            OSError: it cannot be started.
        """
        try:
            self._started()
        except _Broken as error:
            self.close()
            raise OSError(str(error)) from None
        return self._layers

    def run(self, job: dict[str, Any], limits: Limits) -> Raw:
        """Run one job in a contained child of its own.

        Args:
            job: what :func:`tracer.inside.harness.execute` takes; JSON values only.
            limits: of this run.

        Returns:
            The result, or what became of the run. A failure of ours is ``infrastructure``,
            after one more try in a new zygote.
        """
        nonce = secrets.token_bytes(NONCE_BYTES)
        header = {"limits": asdict(limits), "nonce": nonce.hex()}
        frame = pack_frame(header, json.dumps(job).encode())
        detail = ""
        for _ in range(2):
            try:
                return judge(*self._exchange(frame, limits.wall_s + _GRACE_S), nonce)
            except _Broken as error:
                detail = str(error)
                self.close()
            except BaseException:
                self.close()
                raise
        return Raw("infrastructure", None, detail)

    def start(self, job: dict[str, Any], limits: Limits) -> Session:
        """Start one job and return at once; the next one may start when it has finished.

        Raises:
            OSError: no sandbox can be started.
        """
        nonce = secrets.token_bytes(NONCE_BYTES)
        header = {"limits": asdict(limits), "nonce": nonce.hex(), "talk": True}
        frame = pack_frame(header, json.dumps(job).encode())
        ours, theirs = socket.socketpair()
        if hasattr(socket, "SO_PASSCRED"):  # the kernel then says which process sends
            ours.setsockopt(socket.SOL_SOCKET, socket.SO_PASSCRED, 1)
        detail = ""
        with theirs:
            for _ in range(2):
                try:
                    link = self._started().link
                    link.settimeout(_GRACE_S)
                    link.sendall(frame)
                    socket.send_fds(link, [b"t"], [theirs.fileno()])
                    return Session(ours, link, nonce)
                except (_Broken, OSError) as error:
                    detail = str(error)
                    self.close()
        ours.close()
        raise OSError(f"the sandbox process does not answer: {detail}")

    def close(self) -> None:
        """End the zygote and all its children; the next job starts it again."""
        if self._finalizer is not None:
            self._finalizer()
        self._process = self._finalizer = None

    def _exchange(self, frame: bytes, seconds: float) -> tuple[dict[str, Any], bytes]:
        link = self._started().link
        try:
            link.settimeout(seconds)
            link.sendall(frame)
            return receive_frame(link, seconds)
        except (OSError, ProtocolError) as error:
            raise _Broken(f"the sandbox process does not answer: {error}") from None

    def _started(self) -> _Process:
        process = self._process
        if process is not None and process.owner == os.getpid():
            return process
        self._process = process = _start(
            self._python,
            self._hash_seed,
            {
                "shifted_clock": self._shifted_clock,
                "off": sorted(self._off),
                "harness": self._harness,
            },
        )
        self._finalizer = weakref.finalize(self, _stop, process)
        try:
            greeting, _ = receive_frame(process.link, _START_S)
        except (OSError, ProtocolError) as error:
            code = process.popen.poll()
            ended = "" if code is None else f" (exit code {code})"
            raise _Broken(f"the sandbox process did not start{ended}: {error}") from None
        if "layers" not in greeting:
            raise _Broken(f"the sandbox process did not start: {greeting.get('error')}")
        self._layers = tuple((name, active, why) for name, active, why in greeting["layers"])
        return process


def _start(python: str, hash_seed: int, settings: dict[str, Any]) -> _Process:
    folder = tempfile.mkdtemp(prefix="tracefoundry-")
    ours, theirs = socket.socketpair()
    settings = settings | {"folder": folder, "parent": os.getpid()}
    environment = {name: os.environ[name] for name in _LINKER_VARIABLES if name in os.environ}
    # Not -I: it would ignore the hash seed. -S -s -P and a cleared environment do the same.
    command = [python, "-S", "-s", "-P", "-X", "utf8", str(_BOOTSTRAP), str(theirs.fileno())]
    try:
        popen = subprocess.Popen(  # noqa: S603 - our own interpreter and script
            [*command, json.dumps(settings)],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            pass_fds=(theirs.fileno(),),
            env=environment | {"PYTHONHASHSEED": str(hash_seed)},
            cwd="/",
            start_new_session=True,
        )
    except OSError as error:
        ours.close()
        os.rmdir(folder)
        raise _Broken(f"{python} cannot be started: {error.strerror}") from None
    finally:
        theirs.close()
    return _Process(popen, ours, folder, os.getpid())


def _stop(process: _Process) -> None:
    """Hang up, which ends the zygote with all its children; kill it should it not listen."""
    process.link.close()
    if process.owner != os.getpid():
        return
    try:
        process.popen.wait(_FAREWELL_S)
    except subprocess.TimeoutExpired:
        process.popen.kill()
        process.popen.wait()
    with contextlib.suppress(OSError):
        descriptor = os.open(process.folder, os.O_RDONLY | os.O_DIRECTORY)
        try:
            empty_folder(descriptor)
        finally:
            os.close(descriptor)
    shutil.rmtree(process.folder, ignore_errors=True)
