"""vLLM for real, on a CPU: in process, as a server, and inside TRL's trainer. `make test-vllm`."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import time
import urllib.request
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from factory.audit import audit
from factory.load import read_rows
from factory.models.backends import load_model
from factory.models.base import usage_of
from factory.pipeline import build
from factory.progress import SilentProgress
from factory.recipe import load_recipe

pytestmark = [
    pytest.mark.vllm,
    pytest.mark.timeout(3600),
    pytest.mark.filterwarnings("default"),
]
pytest.importorskip("vllm", reason="`make test-vllm` runs these in an environment of their own")

CONTEXT = 2048
START_SECONDS = 1800
SMALL = {"VLLM_CPU_KVCACHE_SPACE": "1", "OMP_NUM_THREADS": "1", "VLLM_NO_USAGE_STATS": "1"}
SAID = [
    [{"role": "user", "content": "What does f(3) return?\n<answer>\n...\n</answer>\n"}],
    [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "x = 1\n" * 30}],
    [{"role": "user", "content": "y = 2\n" * 2000}],
]
HOW: dict[str, Any] = {"n": 3, "temperature": 1.0, "max_tokens": 8}
RECIPE = """
source: {{kind: {kind}}}
grid: {{types: [int, str], levels: [1, 2]}}
models:
  base: {{backend: {backend}, model: "{model}", settings: {settings}}}
writer: {{model: base, repairs: 1, max_tokens: 24}}
difficulty: {{model: base, kinds: [output], n: 4, max_tokens: 16, least_passes: null}}
sft: {{per_program: 0}}
crpl: {{per_program: 0}}
licence: Apache-2.0
"""


@pytest.fixture(autouse=True)
def surroundings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TRACEFOUNDRY_CACHE", str(tmp_path / "cache"))
    for name, value in SMALL.items():
        monkeypatch.setenv(name, value)


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A model trained here in seconds, with heads of the least size that vLLM runs on a CPU.

    ``TRACEFOUNDRY_GUESSER`` names a folder that has it already.
    """
    if os.environ.get("TRACEFOUNDRY_GUESSER"):
        return Path(os.environ["TRACEFOUNDRY_GUESSER"])
    from trainer.models.tiny import load

    model = load("guesser")
    path = tmp_path_factory.mktemp("models") / "guesser"
    model._model.save_pretrained(path)
    model._tokenizer.save_pretrained(path)
    return path


def check_replies(model: Any) -> None:
    first = model.complete(SAID, seed=1, **HOW)
    assert [len(replies) for replies in first] == [3, 3, 3]
    assert first[2] == ["", "", ""], "a prompt that is too long"
    assert len(set(first[0])) > 1
    assert model.complete(SAID[:2], seed=2, **HOW) != first[:2]
    greedy = model.complete(SAID[:1], n=3, temperature=0.0, max_tokens=8, seed=0)
    assert len(set(greedy[0])) == 1
    assert model.complete(SAID[:1], n=3, temperature=0.0, max_tokens=8, seed=5) == greedy
    spent = usage_of(model)
    assert spent["prompt_tokens"] > 0
    assert 0 < spent["completion_tokens"] <= 8 * (6 + 6 + 1 + 1)


def check_build(recipe: Path, out: Path) -> None:
    """A model that guesses measures the difficulty, and may try to write programs."""
    report = build(load_recipe(recipe), out, programs=4, workers=1, progress=SilentProgress())
    measured = [row for row in read_rows(out, "questions") if row["difficulty"]]
    assert report.manifest["difficulty"]["questions"] == len(measured) > 0
    answers = [answer for row in measured for answer in row["difficulty"]["answers"]]
    assert sum(answer is not None for answer in answers) > len(answers) // 10, "some can be read"
    assert audit(out).ok


IN_PROCESS = {"context": CONTEXT, "eager": True, "memory_share": 0.05}


def test_replies_in_process(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VLLM_ENABLE_V1_MULTIPROCESSING", "0")
    model = load_model("vllm", str(folder), None, IN_PROCESS)
    assert model.name.startswith("guesser@")
    check_replies(model)
    first = model.complete(SAID[:2], seed=1, **HOW)
    assert model.complete(SAID[:2], seed=1, **HOW) == first


def test_a_build_measures_in_process(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("VLLM_ENABLE_V1_MULTIPROCESSING", "0")
    recipe = tmp_path / "r.yaml"
    settings = json.dumps(IN_PROCESS)
    recipe.write_text(
        RECIPE.format(kind="templates", backend="vllm", model=folder, settings=settings)
    )
    check_build(recipe, tmp_path / "out")


@pytest.fixture(scope="module")
def server(folder: Path) -> Iterator[str]:
    """vLLM's own server of OpenAI's API."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "vllm.entrypoints.openai.api_server", "--model", str(folder)]
    options = ["--served-model-name", "guesser", "--host", "127.0.0.1", "--port", str(port)]
    sizes = ["--max-model-len", str(CONTEXT), "--gpu-memory-utilization", "0.05"]
    plain = ["--enforce-eager", "--no-enable-chunked-prefill"]
    process = subprocess.Popen([*command, *options, *sizes, *plain], env=os.environ | SMALL)
    try:
        wait_for(f"http://127.0.0.1:{port}/health", process)
        yield f"http://127.0.0.1:{port}/v1"
    finally:
        process.terminate()
        process.wait()


def wait_for(url: str, process: subprocess.Popen[bytes]) -> None:
    end = time.monotonic() + START_SECONDS
    while time.monotonic() < end:
        assert process.poll() is None, "the server ended"
        try:
            with urllib.request.urlopen(url, timeout=5):
                return
        except OSError:
            time.sleep(1)
    raise AssertionError("the server does not start")


def test_as_a_server(server: str, tmp_path: Path) -> None:
    """The backend ``openai``: replies, then a build that it measures and half writes."""
    settings = {"url": server, "concurrency": 8}
    model = load_model("openai", "guesser", "here", settings)
    check_replies(model)
    recipe = tmp_path / "r.yaml"
    recipe.write_text(
        RECIPE.format(
            kind="mixed", backend="openai", model="guesser", settings=json.dumps(settings)
        )
    )
    check_build(recipe, tmp_path / "out")
    lines = (tmp_path / "out" / "drops.jsonl").read_text().splitlines()
    drops = Counter((json.loads(line)["stage"], json.loads(line)["reason"]) for line in lines)
    assert drops["writing", "no_program"] > 0, "a model that guesses writes no program"


def logged_differences(folder: Path, out: Path, sync: str) -> list[float]:
    """Mean difference between vLLM's and the trainer's log-probabilities, step by step."""
    script = Path(__file__).with_name("colocate.py")
    environment = os.environ | SMALL | {"VLLM_ENABLE_V1_MULTIPROCESSING": "0"}
    done = subprocess.run(
        [sys.executable, str(script), str(folder), str(out), sync],
        capture_output=True,
        text=True,
        env=environment,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    line = next(line for line in done.stdout.splitlines() if line.startswith("LOGGED "))
    differences: list[float] = json.loads(line.removeprefix("LOGGED "))
    return differences


def test_weights_are_handed_to_vllm_in_the_trainer(folder: Path, tmp_path: Path) -> None:
    """GRPO of TRL with ``vllm_mode="colocate"``; without the handing over the two drift apart."""
    pytest.importorskip("trl")
    handed = logged_differences(folder, tmp_path / "on", "on")
    kept = logged_differences(folder, tmp_path / "off", "off")
    assert len(handed) == len(kept) >= 5
    assert max(handed) < 0.01
    assert max(kept[2:]) > 0.05
    assert max(kept[2:]) > 10 * max(handed)
