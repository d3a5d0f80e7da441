"""A build whose questions are answered by a model behind a server, through the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import whole_path
from chat_server import ChatServer
from command_line import Command, Done

from factory.files import file_sha256
from factory.load import read_rows
from factory.manifest import read_manifest
from factory.models.base import prompt_hash
from factory.recipe import load_recipe

RECIPE = """
source: {{kind: templates}}
grid: {{types: [int], levels: [1, 2]}}
models:
  base:
    backend: openai
    model: planted
    revision: r1
    settings: {{url: "{url}", attempts: 2, first_wait_s: 0.01, input_price: 2.0}}
difficulty: {{model: base, kinds: [output], n: 2, max_tokens: 16, least_passes: null}}
sft: {{per_program: 0}}
crpl: {{per_program: 0}}
licence: Apache-2.0
"""


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("TRACEFOUNDRY_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


def checksums(folder: Path) -> dict[str, str]:
    files = sorted(path for path in folder.rglob("*.parquet"))
    return {str(path.relative_to(folder)): file_sha256(path) for path in files}


@pytest.mark.usefixtures("cache")
def test_a_build_asks_a_server_once_and_goes_on_where_it_failed(
    tmp_path: Path, tracefoundry: Command
) -> None:
    recipe = tmp_path / "r.yaml"
    with ChatServer(lambda body: ["<answer>7</answer>", "<answer>x</answer>"]) as server:
        recipe.write_text(RECIPE.format(url=server.url))

        def build(name: str) -> Done:
            out = str(tmp_path / name)
            return tracefoundry(
                "build", str(recipe), "--out", out, "--programs", "3", "--workers", "1"
            )

        server.faults = [*["pass"] * 3, *[500] * 60]
        failed = build("first")
        assert failed.returncode == 3
        assert "HTTP 500" in failed.stderr
        assert "run the same command again" in failed.stderr
        server.faults = []
        assert build("first").returncode == 0
        whole = len({prompt_hash(body["messages"]) for body in server.bodies})
        asked = len(server.bodies)
        again = build("second")
        assert again.returncode == 0
        assert len(server.bodies) == asked, "a second build asks for nothing"
        assert "measured with planted@r1" in again.stdout
        manifest = json.loads((tmp_path / "first" / "manifest.json").read_text())
        assert manifest["difficulty"]["questions"] == whole
        spent = manifest["environment"]["models"]["planted@r1"]
        assert spent["cost"] == pytest.approx(spent["prompt_tokens"] * 2e-6)
        assert checksums(tmp_path / "first") == checksums(tmp_path / "second")
        sent = {prompt_hash(body["messages"]) for body in server.bodies}
    rows = [row for row in read_rows(tmp_path / "first", "questions") if row["difficulty"]]
    assert rows
    for row in rows:
        found = row["difficulty"]
        assert (found["model"], found["revision"], found["n"]) == ("planted@r1", "r1", 2)
        assert (found["temperature"], found["max_tokens"], found["seed"]) == (1.0, 16, 0)
        assert found["prompt_hash"] in sent
    assert tracefoundry("audit", str(tmp_path / "first")).returncode == 0
    assert load_recipe(recipe).models["base"].settings is not None
    assert "http" not in json.dumps(manifest["recipe"])


FAULTS = [429, "slow", 500, "drop", "malformed", "null", 503, "empty"]


def test_faults_of_a_server_change_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A model that writes, is measured, teaches and rewrites; with faults in every stage."""
    replies = whole_path.learn_replies(tmp_path / "known")
    found = []
    for name, faults in (("quiet", []), ("rough", FAULTS)):
        monkeypatch.setenv("TRACEFOUNDRY_CACHE", str(tmp_path / name))
        with ChatServer(replies) as server:
            server.faults = [fault for each in faults for fault in ("pass", each, "pass")]
            settings = f'{{url: "{server.url}", timeout_s: 0.8, attempts: 9, first_wait_s: 0.01}}'
            recipe = whole_path.make_recipe(tmp_path, "openai", "planted", settings)
            out = tmp_path / f"{name}-out"
            whole_path.make(recipe, out)
            assert not server.faults
        found.append(whole_path.data_of(out))
        (spent,) = read_manifest(out)["environment"]["models"].values()
        assert spent["retries"] >= len(faults)
    assert found[0] == found[1]
    whole_path.check(out, "planted")
