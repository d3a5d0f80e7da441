"""A machine of a Ray cluster is lost while it works: the same bytes, the same replies.

The machines are Ray's own for its tests: each a raylet with its workers, all on this one.
"""

from __future__ import annotations

import json
import os
import secrets
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest
from chat_server import ChatServer
from cluster_builds import PROGRAMS, below, children, contents, make_with_ray, recipe

from factory.cluster.joining import join_cluster
from factory.models.base import ModelPlan
from factory.pipeline import build
from factory.progress import SilentProgress

pytestmark = [
    pytest.mark.ray,
    pytest.mark.timeout(1800),
    pytest.mark.filterwarnings("default"),
    pytest.mark.usefixtures("unlogged"),
]


@pytest.fixture
def cluster(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """A head that does no work and two machines of one processor each."""
    pytest.importorskip("ray")
    from ray.cluster_utils import Cluster

    monkeypatch.setenv("RAY_worker_niceness", "0")
    head = {"num_cpus": 0, "include_dashboard": False}
    cluster = Cluster(initialize_head=True, head_node_args=head)
    for _ in range(2):
        cluster.add_node(num_cpus=1)
    cluster.wait_for_nodes()
    monkeypatch.setenv("RAY_ADDRESS", cluster.address)
    yield cluster
    cluster.shutdown()


def test_without_an_address_a_build_has_a_cluster_of_its_own(
    cluster: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever else runs on the machine."""
    import ray

    monkeypatch.delenv("RAY_ADDRESS")
    with join_cluster(1):
        assert ray.cluster_resources()["CPU"] == 1


def lose(cluster: Any, is_at_work: Callable[[bytes, list[int]], bool]) -> None:
    """Wait for a machine with a worker that is at work, and SIGKILL all of its processes."""
    while True:
        of = children()
        for machine in list(cluster.worker_nodes):
            raylet = machine.all_processes["raylet"][0].process.pid
            for worker, line in below(raylet, of):
                if is_at_work(line, [pid for pid, _ in below(worker, of)]):
                    cluster.remove_node(machine, allow_graceful=False)
                    return
        time.sleep(0.05)


def test_a_machine_that_is_lost_at_work_loses_nothing(cluster: Any, tmp_path: Path) -> None:
    """Two actors are wanted, and after the loss there is room for one."""
    build(recipe(), tmp_path / "local", programs=PROGRAMS, workers=1, progress=SilentProgress())
    with ThreadPoolExecutor(1) as pool:
        lost = pool.submit(
            lose,
            cluster,
            lambda line, under: b"TaskActor" in line and b".submit" in line and bool(under),
        )
        make_with_ray(tmp_path / "ray")
        lost.result(timeout=1)
    assert len(cluster.worker_nodes) == 1
    assert contents(tmp_path / "ray") == contents(tmp_path / "local")


def test_a_model_whose_machine_is_lost_answers_elsewhere(
    cluster: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from factory.cluster.joining import join_cluster
    from factory.cluster.models import RayModels

    monkeypatch.setenv("TRACEFOUNDRY_CACHE", str(tmp_path / "cache"))
    with ChatServer() as server, join_cluster(1), RayModels() as models:
        server.delay = 0.5
        settings = {"url": server.url}
        plan = ModelPlan("openai", "planted", settings=settings, copies=6)
        prompts = [[{"role": "user", "content": str(number)}] for number in range(300)]
        with models.address(plan, "writer.model").open() as model, ThreadPoolExecutor(1) as pool:
            asked = pool.submit(model.complete, prompts, n=1, temperature=0.0, max_tokens=8, seed=0)
            lose(cluster, lambda line, _: b"ModelActor.complete" in line)
            replies = asked.result()
    assert len(cluster.worker_nodes) == 1
    assert [text.partition("/")[0] for (text,) in replies] == [str(n) for n in range(300)]


MACHINE = {"resources": {"CPU": 1}, "node_config": {}, "min_workers": 0, "max_workers": 2}
HEAD = {"resources": {"CPU": 0}, "node_config": {}, "max_workers": 0}
LAUNCHING = {
    "RAY_FAKE_CLUSTER": "1",
    "AUTOSCALER_UPDATE_INTERVAL_S": "1",
    "RAY_OVERRIDE_NODE_ID_FOR_TESTING": "f" * 51 + "00000",
}
"""Of a head whose autoscaler starts raylets on this machine: what its id must be, too."""


def growing(address: str) -> dict[str, Any]:
    """What an autoscaler is told: up to two machines of one processor, none to begin with."""
    provider = {
        "type": "fake_multinode",
        "gcs_address": address,
        "use_node_id_as_ip": True,
        "disable_node_updaters": True,
        "disable_launch_config_check": True,
    }
    commands = ("initialization", "setup", "head_setup", "worker_setup")
    lists = [f"{name}_commands" for name in (*commands, "head_start_ray", "worker_start_ray")]
    lists += ["cluster_synced_files", "rsync_exclude", "rsync_filter"]
    return {
        "cluster_name": "growing",
        "max_workers": 2,
        "upscaling_speed": 1.0,
        "idle_timeout_minutes": 5,
        "provider": provider,
        "available_node_types": {"ray.head.default": HEAD, "machine": MACHINE},
        "head_node_type": "ray.head.default",
        "auth": {},
        "docker": {},
        "file_mounts": {},
        "file_mounts_sync_continuously": False,
        **{key: [] for key in lists},
    }


@contextmanager
def started(environment: dict[str, str], *words: str) -> Iterator[None]:
    """`ray start`, and the end of all that it has started."""
    ray = Path(sys.executable).with_name("ray")
    process = subprocess.Popen(
        [ray, "start", "--block", *words],
        env=os.environ | environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        yield
        assert process.poll() is None, "it ended by itself"
    finally:
        under = [pid for pid, _ in below(process.pid, children())]
        process.terminate()
        process.wait()
        for pid in under:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)


@pytest.mark.parametrize("how", ["joined", "grown"])
def test_a_cluster_that_ray_start_made(how: str, tmp_path: Path) -> None:
    """As docs/scale.md launches it: machines join a head, or its autoscaler starts them."""
    pytest.importorskip("ray")
    from ray._private.services import get_node_ip_address

    with socket.socket() as probe:
        probe.bind(("", 0))
        port = probe.getsockname()[1]
    address = f"{get_node_ip_address()}:{port}"
    environment = {
        "PYTHONPATH": os.pathsep.join(sys.path),
        "RAY_ADDRESS": address,
        "RAY_AUTH_MODE": "token",
        "RAY_AUTH_TOKEN": secrets.token_hex(32),
        "RAY_worker_niceness": "0",
    }
    build(recipe(), tmp_path / "local", programs=PROGRAMS, workers=1, progress=SilentProgress())
    config = tmp_path / "autoscaler.json"
    config.write_text(json.dumps(growing(address)))
    with tempfile.TemporaryDirectory(dir="/tmp") as sockets, ExitStack() as stack:
        words = ["--head", f"--port={port}", "--num-cpus=0", f"--temp-dir={sockets}"]
        words += ["--include-dashboard=false"]
        if how == "grown":
            words.append(f"--autoscaling-config={config}")
        own = LAUNCHING if how == "grown" else {}
        stack.enter_context(started(environment | own, *words))
        wait_for_head(address)
        for machines in (1, 2) if how == "joined" else ():  # two at once would take the same ports
            stack.enter_context(started(environment, f"--address={address}", "--num-cpus=1"))
            count = "ray.cluster_resources().get('CPU', 0)"
            wait = f"import time\nwhile {count} < {machines}:\n    time.sleep(0.2)"
            run_in_cluster(wait, environment)
        out = tmp_path / "ray"
        code = (
            "from pathlib import Path; import cluster_builds; "
            f"cluster_builds.make_with_ray(Path({str(out)!r})); "
            "print(ray.cluster_resources()['CPU'])"
        )
        printed = run_in_cluster(code, environment)
    assert printed.split()[-1] == "2.0"
    assert contents(out) == contents(tmp_path / "local")


def run_in_cluster(code: str, environment: dict[str, str]) -> str:
    """What the code prints in a process that is part of the cluster."""
    done = subprocess.run(
        [sys.executable, "-c", f"import ray; ray.init(log_to_driver=False)\n{code}"],
        env=os.environ | environment,
        check=True,
        capture_output=True,
        text=True,
        timeout=600,
    )
    return done.stdout


def wait_for_head(address: str) -> None:
    host, _, port = address.partition(":")
    while True:
        with suppress(OSError), socket.create_connection((host, int(port)), timeout=1):
            return
        time.sleep(0.2)
