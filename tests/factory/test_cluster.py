"""Builds on a local Ray cluster: the bytes of the local engine, whoever is killed."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from factory.engine import WorkerFault
from factory.errors import InfrastructureError, MissingExtra, UserError
from factory.files import file_sha256
from factory.manifest import read_manifest
from factory.pipeline import build
from factory.progress import SilentProgress
from factory.recipe import load_recipe
from factory.recipe_records import Inputs, Recipe
from factory.training_records import Reasoning

PROGRAMS = 18
pytestmark = [pytest.mark.timeout(1800), pytest.mark.filterwarnings("default")]
"""Ray warns of its own settings."""


def recipe() -> Recipe:
    none = Reasoning(per_program=0)
    return replace(load_recipe("tiny"), inputs=Inputs(1), seed=7, sft=none, crpl=none)


def contents(folder: Path) -> dict[str, Any]:
    files = {str(p.relative_to(folder)): file_sha256(p) for p in folder.rglob("*.parquet")}
    manifest = {k: v for k, v in read_manifest(folder).items() if k != "environment"}
    return {**files, "drops": (folder / "drops.jsonl").read_bytes(), "manifest": manifest}


def test_an_engine_that_is_not_there_is_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(UserError, match="no engine 'slurm'; there are: local, ray"):
        build(recipe(), tmp_path / "out", engine="slurm", progress=SilentProgress())
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(MissingExtra, match=r"--engine ray needs ray.*tracefoundry\[ray\]"):
        build(recipe(), tmp_path / "out", engine="ray", progress=SilentProgress())


@pytest.fixture(scope="module")
def local(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("local") / "out"
    build(recipe(), out, programs=PROGRAMS, workers=1, progress=SilentProgress())
    return out


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ray's workers give way to everything else on the machine unless told otherwise."""
    monkeypatch.setenv("RAY_worker_niceness", "0")


def make_with_ray(out: Path) -> None:
    build(recipe(), out, programs=PROGRAMS, workers=2, engine="ray", progress=SilentProgress())


@pytest.mark.ray
def test_two_actors_make_the_bytes_of_the_local_engine(local: Path, tmp_path: Path) -> None:
    pytest.importorskip("ray")
    make_with_ray(tmp_path / "out")
    assert contents(tmp_path / "out") == contents(local)
    assert read_manifest(tmp_path / "out")["environment"]["engine"] == {"name": "ray", "workers": 2}


def finished(out: Path) -> int:
    return len(list(out.glob(".work/*/unit-*")))


@pytest.mark.ray
def test_an_actor_that_is_killed_loses_nothing(local: Path, tmp_path: Path) -> None:
    """SIGKILL of a worker that runs programs, as soon as it has done a unit."""
    pytest.importorskip("ray")
    out, killed = tmp_path / "out", []

    def kill() -> None:
        while not finished(out):
            time.sleep(0.02)
        for process in Path("/proc").iterdir():
            try:
                title = (process / "cmdline").read_bytes()
            except OSError:
                continue
            if b"ray::" in title and b"TaskActor" in title and is_mine(int(process.name)):
                os.kill(int(process.name), signal.SIGKILL)
                killed.append(process.name)
                return

    thread = threading.Thread(target=kill, daemon=True)
    thread.start()
    make_with_ray(out)
    thread.join()
    assert killed, "no actor was found to be killed"
    assert contents(out) == contents(local)


def is_mine(pid: int) -> bool:
    """Whether a process descends from this one."""
    while pid > 1:
        if pid == os.getpid():
            return True
        try:
            text = Path(f"/proc/{pid}/stat").read_text()
        except OSError:
            return False
        pid = int(text.rpartition(")")[2].split()[1])
    return False


@pytest.mark.ray
def test_a_writer_that_is_killed_goes_on(local: Path, tmp_path: Path) -> None:
    """SIGKILL of the process that merges and writes shards; the same command goes on."""
    pytest.importorskip("ray")
    out = tmp_path / "out"
    code = f"import test_cluster; test_cluster.make_with_ray({Path(str(out))!r})"
    environment = os.environ | {
        "PYTHONPATH": os.pathsep.join([str(Path(__file__).parent), *sys.path])
    }
    process = subprocess.Popen(
        [sys.executable, "-c", f"from pathlib import PosixPath; {code}"], env=environment
    )
    while finished(out) < 1:
        assert process.poll() is None, "it ended before it could be killed"
        time.sleep(0.05)
    process.send_signal(signal.SIGKILL)
    process.wait()
    assert not (out / "manifest.json").exists()
    make_with_ray(out)
    assert contents(out) == contents(local)


@dataclass(frozen=True)
class Odd:
    """A job whose tasks fail once, always, or by a fault of ours."""

    folder: str

    @contextmanager
    def open(self) -> Iterator[Callable[[str], bytes]]:
        yield self.work

    def work(self, task: str) -> bytes:
        mark = Path(self.folder) / task
        if task == "always" or (task == "once" and not mark.exists()):
            mark.touch()
            raise InfrastructureError("the sandbox failed")
        if task == "fault":
            raise ValueError("ours")
        return task.encode()


@pytest.mark.ray
def test_failing_tasks_are_tried_again_and_faults_are_not(tmp_path: Path) -> None:
    pytest.importorskip("ray")
    from factory.cluster import RayEngine

    job = Odd(str(tmp_path))
    with RayEngine(job, 1) as engine:
        for index, task in enumerate(("plain", "once")):
            engine.submit(index, task)
        assert sorted([engine.take(), engine.take()]) == [(0, b"plain"), (1, b"once")]
        engine.submit(2, "always")
        with pytest.raises(InfrastructureError, match="unit 2 failed 3 times, last: the sandbox"):
            engine.take()
        engine.submit(3, "fault")
        with pytest.raises(WorkerFault, match="ValueError: ours"):
            engine.take()
