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
from dataclasses import dataclass
from pathlib import Path

import pytest
import whole_path
from chat_server import ChatServer
from cluster_builds import PROGRAMS, below, children, contents, make_with_ray, recipe

from factory.engine import WorkerFault
from factory.errors import InfrastructureError, MissingExtra, UserError
from factory.manifest import read_manifest
from factory.models.base import ModelPlan
from factory.pipeline import build
from factory.progress import SilentProgress

pytestmark = [
    pytest.mark.timeout(1800),
    pytest.mark.filterwarnings("default"),
    pytest.mark.usefixtures("unlogged"),
]
"""Ray warns of its own settings."""


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


@pytest.fixture(scope="module")
def cluster() -> Iterator[None]:
    """A cluster of two processors, for the builds that do not start one."""
    ray = pytest.importorskip("ray")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("RAY_worker_niceness", "0")
        patch.setenv("PYTHONPATH", os.pathsep.join(sys.path))  # of workers: they import our jobs
        ray.init("local", num_cpus=2, include_dashboard=False, log_to_driver=False)
    yield
    ray.shutdown()


@pytest.mark.ray
def test_two_actors_make_the_bytes_of_the_local_engine(local: Path, tmp_path: Path) -> None:
    pytest.importorskip("ray")
    make_with_ray(tmp_path / "out")
    assert contents(tmp_path / "out") == contents(local)
    assert read_manifest(tmp_path / "out")["environment"]["engine"] == {"name": "ray", "workers": 2}


@contextmanager
def killing(what: str) -> Iterator[list[int]]:
    """SIGKILL, in the block, of the first actor that is seen at work, or of a sandbox of its."""
    killed: list[int] = []
    over = threading.Event()
    words = (b"ModelActor.complete",) if what == "model" else (b"TaskActor", b".submit")

    def watch() -> None:
        while not over.is_set() and not killed:
            of = children()
            for actor, line in below(os.getpid(), of):
                if not (line.startswith(b"ray::") and all(word in line for word in words)):
                    continue
                under = [pid for pid, _ in below(actor, of)]
                if what == "model" or under:
                    killed.append(under[-1] if what == "sandbox" else actor)
                    os.kill(killed[0], signal.SIGKILL)
                    return
            time.sleep(0.05)

    thread = threading.Thread(target=watch, daemon=True)
    thread.start()
    yield killed
    over.set()
    thread.join()


@pytest.mark.ray
@pytest.mark.parametrize("what", ["actor", "sandbox"])
def test_what_is_killed_at_work_loses_nothing(
    what: str, cluster: None, local: Path, tmp_path: Path
) -> None:
    with killing(what) as killed:
        make_with_ray(tmp_path / "out")
    assert killed, "none was seen at work"
    assert contents(tmp_path / "out") == contents(local)


def is_half_written(out: Path) -> bool:
    """Whether a shard is finished and the next is being written."""
    return (out / "traces/train-00000.parquet").exists() and any(
        out.glob("traces/.train-00001.parquet.part")
    )


@pytest.mark.ray
def test_a_writer_that_is_killed_goes_on(cluster: None, local: Path, tmp_path: Path) -> None:
    """SIGKILL of the process that writes shards, in a shard; the same command goes on."""
    out = tmp_path / "out"
    code = (
        "from pathlib import Path; import cluster_builds; "
        f"cluster_builds.make_with_ray(Path({str(out)!r}))"
    )
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    process = subprocess.Popen([sys.executable, "-c", code], env=environment)
    while not is_half_written(out):
        assert process.poll() is None, "it ended before it could be killed"
        time.sleep(0.005)
    process.send_signal(signal.SIGKILL)
    process.wait()
    assert is_half_written(out)
    assert not (out / "manifest.json").exists()
    make_with_ray(out)
    assert contents(out) == contents(local)
    assert not list(out.glob("*/.*.part"))


@pytest.mark.ray
def test_models_in_actors_make_the_bytes_of_the_local_engine(
    cluster: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two copies of a model write, are measured, teach and rewrite; one is killed at that."""
    replies = whole_path.learn_replies(tmp_path / "known")
    with ChatServer(replies) as server:
        server.delay = 0.5
        recipe = whole_path.make_recipe(
            tmp_path, "openai", "planted", f'{{url: "{server.url}"}}, copies: 2'
        )
        monkeypatch.setenv("TRACEFOUNDRY_CACHE", str(tmp_path / "local-cache"))
        whole_path.make(recipe, tmp_path / "local")
        monkeypatch.setenv("TRACEFOUNDRY_CACHE", str(tmp_path / "ray-cache"))
        with killing("model") as killed:
            whole_path.make(recipe, tmp_path / "ray", 2, "ray")
    assert killed, "none was seen at work"
    assert whole_path.data_of(tmp_path / "ray") == whole_path.data_of(tmp_path / "local")
    whole_path.check(tmp_path / "ray", "planted")
    assert read_manifest(tmp_path / "ray")["environment"]["models"]["planted"]["requests"] > 0


@pytest.mark.ray
def test_a_model_that_cannot_be_loaded_in_an_actor_is_one_line(cluster: None) -> None:
    from factory.cluster.models import RayModels

    away = ModelPlan("openai", "m", settings={"url": "http://127.0.0.1:9/v1", "attempts": 1})
    with (
        RayModels() as models,
        pytest.raises(UserError, match=r"^writer\.model: 'm' cannot be loaded"),
    ):
        models.address(away, "writer.model")


@dataclass(frozen=True)
class Odd:
    """A job whose tasks fail once, always, or by a fault of ours."""

    folder: str

    @contextmanager
    def open(self) -> Iterator[Callable[[str], bytes]]:
        yield self.work

    def work(self, task: str) -> bytes:
        mark = Path(self.folder) / task
        if task == "dies":
            os.kill(os.getpid(), signal.SIGKILL)
        if task == "always" or (task == "once" and not mark.exists()):
            mark.touch()
            raise InfrastructureError("the sandbox failed")
        if task == "fault":
            raise ValueError("ours")
        return task.encode()


@pytest.mark.ray
def test_failing_tasks_are_tried_again_and_faults_are_not(cluster: None, tmp_path: Path) -> None:
    from factory.cluster.engine import RayEngine

    job = Odd(str(tmp_path))
    with RayEngine(job, 1) as engine:
        for index, task in enumerate(("plain", "once")):
            engine.submit(index, task)
        assert sorted([engine.take(), engine.take()]) == [(0, b"plain"), (1, b"once")]
        engine.submit(2, "always")
        with pytest.raises(InfrastructureError, match="unit 2 failed 3 times, last: the sandbox"):
            engine.take()
        engine.submit(3, "dies")
        with pytest.raises(InfrastructureError, match="the Ray cluster failed"):
            engine.take()
        engine.submit(4, "fault")
        with pytest.raises(WorkerFault, match="ValueError: ours"):
            engine.take()
