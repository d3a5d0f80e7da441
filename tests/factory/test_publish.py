"""`tracefoundry publish` against the Hub of the tests, and what comes back from there."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import published
import pyarrow.parquet as pq  # noqa: TID253 - this is the test of the Parquet files
import pytest
from command_line import Command
from hub import Fault, TestHub
from hub.client import Client
from hub.server import OWNER_TOKEN, READER_TOKEN

import cards
from cards.model import Curve, Evaluation, Training, TrainingData
from factory.files import file_sha256
from factory.pipeline import build
from factory.progress import SilentProgress
from factory.recipe import load_recipe
from factory.store import write_rows
from factory.table import COLUMNS, CONFIGS

pytestmark = pytest.mark.hub

LOAD = """
import json, sys
from datasets import load_dataset
name, config = sys.argv[1:]
data = load_dataset(name, config, revision="v1.0.0")
found = {split: [rows.column_names, rows.to_list()] for split, rows in data.items()}
streamed = load_dataset(name, config, streaming=True)
assert {split: list(rows) for split, rows in streamed.items()} == {
    split: rows for split, (_, rows) in found.items()}
print(json.dumps(found))
"""

EXAMPLES = """
import json, re, sys
import duckdb
from datasets import load_dataset
from huggingface_hub import HfFileSystem
name, tag = sys.argv[1:]
text = HfFileSystem().read_text(f"datasets/{name}@{tag}/README.md")
assert "PATH_OR_REPO" not in text
names, found = {}, {}
exec(re.findall(r"```python\\n(.+?)```", text, re.DOTALL)[0], names)
for config, data in names.items():
    if type(data).__name__ == "DatasetDict":
        rows = {split: some.to_list() for split, some in data.items()}
        streamed = load_dataset(name, config, revision=tag, streaming=True)
        assert {split: list(some) for split, some in streamed.items()} == rows, config
        found[config] = {split: [data[split].column_names, some] for split, some in rows.items()}
with duckdb.connect() as connection:
    connection.register_filesystem(HfFileSystem())
    for statement in re.findall(r"```sql\\n(.+?)```", text, re.DOTALL)[0].split(";"):
        assert not statement.strip() or connection.execute(statement).fetchall(), statement
print(json.dumps([re.findall(r"`(tracefoundry query .+?)`", text)[0], found]))
"""
"""Runs what the card says, as it stands there, and streams every config beside; prints the command
that the card names, and columns and rows by config and split."""


@pytest.fixture(scope="module")
def pair(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[TestHub, Client]]:
    home = tmp_path_factory.mktemp("home")
    with TestHub() as hub, Client(hub.environment, home) as client:
        yield hub, client
        text = "".join(client.printed)
        assert OWNER_TOKEN not in text
        assert READER_TOKEN not in text


@pytest.fixture
def hub(pair: tuple[TestHub, Client]) -> Iterator[TestHub]:
    pair[0].repositories.clear()
    pair[0].log.clear()
    yield pair[0]
    pair[0].faults.clear()


@pytest.fixture
def client(pair: tuple[TestHub, Client]) -> Client:
    return pair[1]


def posts(hub: TestHub) -> list[str]:
    """What was asked of the Hub that changes it."""
    changing = ("POST", "PUT", "DELETE")
    harmless = ("validate-yaml", "paths-info")
    return [
        line
        for line in hub.log
        if line.startswith(changing) and not line.endswith(harmless) and "paths-info" not in line
    ]


def rows_of(folder: Path, config: str) -> dict[str, list[object]]:
    found: dict[str, list[object]] = {}
    for path in sorted((folder / config).glob("*.parquet")):
        rows = pq.read_table(path, partitioning=None).to_pylist()
        if rows:
            found.setdefault(path.name.split("-")[0], []).extend(rows)
    return found


def test_a_dry_run_shows_everything_and_sends_nothing(
    hub: TestHub, client: Client, small_build: Path
) -> None:
    done = client.run("publish", small_build, "owner/d", "--dry-run", "--json")
    assert done.returncode == 0, done.stderr
    shown = json.loads(done.stdout)
    assert shown["changed"]["new"] == sorted(published.files_of(small_build))
    assert shown["bytes"] == sum(map(len, published.files_of(small_build, "owner/d").values()))
    assert (shown["published"], shown["commit"], shown["audit"]) == (False, None, None)
    assert posts(hub) == []
    assert hub.repositories == {}


def test_what_was_published_comes_back(
    hub: TestHub, client: Client, large_build: Path, tmp_path: Path
) -> None:
    """Published, loaded config by config, queried over hf://, audited, scored, explained."""
    done = client.run("publish", large_build, "owner/d", "--private", "--tag", "v1.0.0", "--json")
    assert done.returncode == 0, done.stderr
    shown = json.loads(done.stdout)
    repository = hub.repository("owner/d")
    assert repository.private
    assert len(repository.commits) == 2, "the empty first one, and one with everything"
    assert hub.files("owner/d", "v1.0.0") == published.files_of(large_build, "owner/d", "v1.0.0")
    assert repository.tags()["v1.0.0"].oid == repository.main.oid == shown["commit"]
    assert shown["audit"]["checked"]["programs"] == published.LARGE

    examples = client.python(EXAMPLES, "owner/d", "v1.0.0")
    assert examples.returncode == 0, examples.stderr
    command, loaded = json.loads(examples.stdout.splitlines()[-1])
    assert command == "tracefoundry query owner/d@v1.0.0"
    assert tuple(loaded) == CONFIGS
    for config, splits in loaded.items():
        rows = rows_of(large_build, config)
        assert {split: rows for split, (_, rows) in splits.items()} == rows
        assert all(columns == list(COLUMNS[config]) for columns, _ in splits.values())

    sql = "SELECT kind, count(*) AS n FROM steps GROUP BY kind ORDER BY kind"
    local = client.run("query", large_build, sql, "--csv")
    assert local.stdout.count("\n") > 2
    for place in ("owner/d@v1.0.0", "hf://datasets/owner/d@main"):
        assert client.run("query", place, sql, "--csv").stdout == local.stdout
    named = [
        client.run("query", place, "--name", "drop_reasons", "--csv").stdout
        for place in ("owner/d", large_build)
    ]
    assert named[0] == named[1]

    audited = client.run("audit", "owner/d@v1.0.0", "--json")
    assert audited.returncode == 0, audited.stderr
    assert json.loads(audited.stdout)["checked"] == shown["audit"]["checked"]

    question = pq.read_table(large_build / "questions" / "train-00000.parquet").to_pylist()[0]
    answer = {"question_id": question["question_id"], "answer": question["key"]}
    (tmp_path / "answers.jsonl").write_text(json.dumps(answer))
    scored = client.run("score", "owner/d", "--answers", tmp_path / "answers.jsonl", "--json")
    assert json.loads(scored.stdout)["answers"] == 1
    explained = client.run("explain", "owner/d", question["question_id"], "--json")
    assert json.loads(explained.stdout)["question"] == question
    compared = client.run("diff", large_build, "owner/d@v1.0.0", "--json")
    assert json.loads(compared.stdout)["same"], compared

    for source, site in ((large_build, "site"), ("owner/d", "remote")):
        assert client.run("view", source, "--out", tmp_path / site).returncode == 0
    assert published.files_of(tmp_path / "remote") == published.files_of(tmp_path / "site")


ODD = """def f(k):
    value = [2**70, None, True, 1.0, '1', chr(0xdfff)][k]
    return value
"""


def test_odd_values_survive_the_way(hub: TestHub, client: Client, tmp_path: Path) -> None:
    """Beyond 64 bits, of many types in one column, half a surrogate pair; loaded and streamed."""
    row = {"code": ODD, "inputs": [*"012345"], "entry": "f"}
    broken = {**row, "code": ODD.replace("'1'", "'\ud800'")}
    lines = "\n".join(map(json.dumps, (row, broken)))
    (tmp_path / "rows.jsonl").write_text(lines)
    fields = {"code": "code", "input": "inputs", "output": None, "entry_point": "entry"}
    source = {"kind": "jsonl", "path": "rows.jsonl", "fields": fields}
    recipe = {"source": source, "inputs": {"mutants": 0}, "licence": "MIT"}
    (tmp_path / "recipe.yaml").write_text(json.dumps(recipe))
    build(load_recipe(tmp_path / "recipe.yaml"), tmp_path / "out", progress=SilentProgress())
    send(client, tmp_path / "out", "v1.0.0")
    loaded = client.python(LOAD, "owner/d", "traces")
    assert loaded.returncode == 0, loaded.stderr
    ((_, rows),) = json.loads(loaded.stdout.splitlines()[-1]).values()
    values = [value["output_value"] for value in rows]
    assert values == ["1180591620717411303424", "None", "True", "1.0", "'1'", r"'\udfff'"]
    assert json.loads((tmp_path / "out" / "drops.jsonl").read_text())["reason"] == "lone_surrogate"


def send(client: Client, folder: Path, *arguments: str, **environment: str) -> dict[str, Any]:
    done = client.python(published.SEND, folder, "owner/d", *arguments, **environment)
    assert done.returncode == 0, done.stderr
    return dict(json.loads(done.stdout))


def test_the_same_again_changes_nothing(hub: TestHub, client: Client, small_build: Path) -> None:
    commit = send(client, small_build, "v1.0.0")["commit"]
    assert not hub.repository("owner/d").private
    hub.log.clear()
    again = client.run("publish", small_build, "owner/d", "--tag", "v1.0.0", "--json")
    assert again.returncode == 0
    assert posts(hub) == []
    shown = json.loads(again.stdout)
    assert (shown["published"], shown["commit"]) == (True, commit)
    assert shown["audit"] is None, "nothing was sent, so nothing was run"


def test_growth_sends_only_what_is_new_and_shrinking_deletes(
    hub: TestHub, client: Client, small_build: Path, large_build: Path
) -> None:
    send(client, small_build, "")
    license = {"path": "LICENSE", "content": "TQ=="}
    by_hand = [
        {"key": "header", "value": {"summary": "by hand"}},
        {"key": "file", "value": license},
    ]
    hub.repository("owner/d").commit("main", by_hand, "owner", pull=False)
    changed = send(client, large_build, "")
    full = [name for name in published.files_of(small_build) if "train-00000" in name]
    assert set(changed["same"]) >= set(full)
    assert changed["new"]
    assert changed["deleted"] == []
    assert hub.files("owner/d") == {**published.files_of(large_build, "owner/d"), "LICENSE": b"M"}

    gone = set(published.files_of(large_build)) - set(published.files_of(small_build))
    assert set(send(client, small_build, "")["deleted"]) == gone
    assert hub.files("owner/d") == {**published.files_of(small_build, "owner/d"), "LICENSE": b"M"}
    assert len(hub.repository("owner/d").commits) == 5, "one a release, the first, one by hand"


def make_repository(client: Client) -> None:
    code = "from huggingface_hub import HfApi; HfApi().create_repo('owner/d', repo_type='dataset')"
    assert client.python(code).returncode == 0


def test_a_pull_request_leaves_main_alone(hub: TestHub, client: Client, small_build: Path) -> None:
    lost = client.run("publish", small_build, "owner/d", "--pr")
    assert (lost.returncode, "no such repository" in lost.stderr) == (2, True)
    make_repository(client)
    for _ in range(2):
        sent = send(client, small_build, "", "pr", HF_TOKEN=READER_TOKEN)
        assert sent["pull_request"].endswith("/datasets/owner/d/discussions/1")
    assert hub.files("owner/d") == {}
    assert hub.files("owner/d", "refs/pr/1") == published.files_of(small_build, "owner/d")


def test_a_tag_is_never_moved(
    hub: TestHub, client: Client, small_build: Path, large_build: Path
) -> None:
    first = send(client, small_build, "v1.0.0")
    done = client.run("publish", large_build, "owner/d", "--tag", "v1.0.0")
    assert done.returncode == 2
    assert "v1.0.0 is there and holds another release" in done.stderr
    assert hub.files("owner/d") == published.files_of(small_build, "owner/d", "v1.0.0")
    send(client, large_build, "v1.1.0")
    assert send(client, small_build, "v1.0.0")["commit"] == first["commit"]
    newest = published.files_of(large_build, "owner/d", "v1.1.0")
    assert hub.files("owner/d") == newest, "an old release does not come back"


@pytest.mark.parametrize(
    ("arguments", "environment", "words"),
    [
        (["owner/d", "--private"], {}, "is public already"),
        (["owner/d", "--tag", "v2.0.0"], {"HF_TOKEN": ""}, "no Hub token"),
        (["owner/d", "--tag", "v2.0.0"], {"HF_TOKEN": "hf_wrong"}, "HTTP 401"),
        (["owner/new"], {"HF_TOKEN": READER_TOKEN}, "HTTP 403"),
        (["owner/new", "--tag", "1.0"], {}, "vX.Y.Z"),
        (["owner/new", "--tag", "v1.0.0", "--pr"], {}, "--tag and --pr"),
        (["owner/new@v1"], {}, "file:DIR"),
    ],
)
def test_what_cannot_be_is_one_line(
    arguments: list[str],
    environment: dict[str, str],
    words: str,
    hub: TestHub,
    client: Client,
    small_build: Path,
) -> None:
    make_repository(client)
    done = client.run("publish", small_build, *arguments, "--sample", "1", **environment)
    assert done.returncode == 2, done
    error = [line for line in done.stderr.splitlines() if line.startswith("error: ")]
    assert len(error) == 1
    assert words in error[0]
    assert "Traceback" not in done.stderr
    assert hub.files("owner/d") == {}
    assert ("dataset", "owner/new") not in hub.repositories


def change_rows(folder: Path, config: str, values: dict[str, object]) -> None:
    """Other values in the first row of a config, with a checksum that is right."""
    name = f"{config}/train-00000.parquet"
    rows = pq.read_table(folder / name, partitioning=None).to_pylist()
    write_rows(folder / name, config, [{**rows[0], **values}, *rows[1:]])
    manifest = json.loads((folder / "manifest.json").read_text())
    manifest["checksums"][name] = file_sha256(folder / name)
    (folder / "manifest.json").write_text(json.dumps(manifest))


def test_data_that_do_not_reproduce_are_not_published(
    hub: TestHub, client: Client, small_build: Path, tmp_path: Path
) -> None:
    folder = Path(shutil.copytree(small_build, tmp_path / "data"))
    change_rows(folder, "traces", {"stdout": "never"})
    done = client.run("publish", folder, "owner/d")
    assert done.returncode == 1
    assert "stdout: published 'never'" in done.stdout
    assert "nothing was published" in done.stderr
    assert hub.repositories == {}


def test_an_audit_of_the_hub_names_the_changed_row(
    hub: TestHub, client: Client, small_build: Path, tmp_path: Path
) -> None:
    folder = Path(shutil.copytree(small_build, tmp_path / "data"))
    change_rows(folder, "traces", {"stdout": "never"})
    send(client, folder, "v1.0.0")
    done = client.run("audit", "owner/d@v1.0.0", "--json")
    assert done.returncode == 1
    (problem,) = json.loads(done.stdout)["problems"]
    row = pq.read_table(folder / "traces" / "train-00000.parquet").to_pylist()[0]
    assert (problem["config"], problem["id"]) == ("traces", row["trace_id"])
    assert problem["column"] == "stdout"


def test_a_busy_hub_is_waited_for(hub: TestHub, client: Client, small_build: Path) -> None:
    hub.faults = [
        Fault("status", "GET /api/datasets", status=429, headers={"Retry-After": "2"}),
        Fault("stale", "/commit/"),
        Fault("status", "preupload", status=503),
    ]
    done = client.python(published.SEND, small_build, "owner/d", "v1.0.0")
    assert done.returncode == 0, done.stderr
    assert "HTTP 429; trying again in 2 s" in done.stderr
    assert "HTTP 412" in done.stderr
    assert done.seconds > 2
    files = hub.files("owner/d", "v1.0.0")
    assert files.pop("OTHER.md") == b"other", "somebody else's commit is kept"
    assert files == published.files_of(small_build, "owner/d", "v1.0.0")


@pytest.mark.parametrize(
    ("fault", "most"),
    [
        (Fault("status", "", status=503, times=999, headers={"Retry-After": "3600"}), 1),
        (Fault("status", "preupload", status=502, times=999), 6),
        (Fault("drop", "/commit/", times=999), 6),
        (
            Fault(
                "status",
                "repos/create",
                status=409,
                times=999,
                body="Cannot create repo: another conflicting operation is in progress",
            ),
            6,
        ),
    ],
    ids=["an-hour", "preupload", "commit", "create"],
)
def test_no_retry_is_unbounded(
    fault: Fault, most: int, hub: TestHub, client: Client, small_build: Path
) -> None:
    hub.faults = [fault]
    done = client.python(published.SEND, small_build, "owner/d", "v1.0.0")
    assert done.returncode == 3, done
    assert "run the same command again" in done.stderr
    assert fault.hits == most
    assert done.seconds < 30
    assert not any(repository.tags() for repository in hub.repositories.values())


def test_network_failures_are_exit_code_3(hub: TestHub, client: Client, small_build: Path) -> None:
    send(client, small_build, "v1.0.0")
    busy = {"Retry-After": "3600"}
    hub.faults = [Fault("status", "/storage|resolve", times=999, headers=busy)]
    queried = client.run("query", "owner/d", "SELECT count(*) FROM steps")
    assert queried.returncode == 3, queried
    assert queried.stderr.count("\n") == 1
    for command in ("audit", "query"):
        for place, code in (("owner/none", 2), ("owner/d@none", 2)):
            done = client.run(command, place)
            assert done.returncode == code
            assert done.stderr.startswith("error: looking for owner/")


def test_a_model_is_published_without_its_checkpoints(
    hub: TestHub, client: Client, tmp_path: Path
) -> None:
    folder = tmp_path / "tiny-model"
    (folder / "checkpoint-3").mkdir(parents=True)
    (folder / "config.json").write_text("{}")
    (folder / "plots").mkdir()
    (folder / "plots" / "reward.svg").write_text("<svg/>")
    for name in ("checkpoint-3/model.safetensors", "training_args.bin", ".secret.json"):
        (folder / name).write_bytes(b"no")
    lacking = client.run("publish", folder, "owner/m")
    assert (lacking.returncode, "safetensors" in lacking.stderr) == (2, True)
    (folder / "model.safetensors").write_bytes(b"\0weights")
    lacking = client.run("publish", folder, "owner/m")
    assert (lacking.returncode, "README.md" in lacking.stderr) == (2, True)
    (folder / "README.md").write_text(
        "---\nlicense: mit\n---\n# Model\n![reward by step](plots/reward.svg)\n"
    )
    done = client.run("publish", folder, "owner/m", "--tag", "v0.1.0")
    assert done.returncode == 0, done.stderr
    files = hub.files("owner/m", "v0.1.0", kind="model")
    assert sorted(files) == [
        "README.md",
        "config.json",
        "model.safetensors",
        "plots/reward.svg",
    ]
    (folder / "model.safetensors").rename(folder / "model-00001-of-00001.safetensors")
    assert client.run("publish", folder, "owner/m", "--tag", "v0.2.0").returncode == 0
    weights = [path for path in hub.files("owner/m", kind="model") if "safetensors" in path]
    assert weights == ["model-00001-of-00001.safetensors"]


def test_the_card_of_a_trained_model_is_made_for_its_repository(
    hub: TestHub, client: Client, tmp_path: Path
) -> None:
    data = TrainingData("owner/d", "a" * 40, "b" * 16, 3, 12)
    training = Training("sft", data, {"epochs": 1}, 4, 0.5, (Curve("loss", ((1, 2.0), (4, 1.0))),))
    record = cards.ModelRecord(
        "run", "tiny", "text-generation", None, (training,), (), {}, "CPU", 0, base_on_hub=False
    )
    folder = tmp_path / "run"
    (folder / "eval").mkdir(parents=True)
    (folder / "adapter_config.json").write_text("{}")
    (folder / "adapter_model.safetensors").write_bytes(b"\0weights")
    (folder / "card.json").write_text(cards.record_text(record))
    line = {"kind": "all", "level": None, "mode": "greedy", "k": 1, "value": 0.5}
    line |= {"low": 0.25, "high": 0.75, "questions": 8}
    report = {"benchmarks": [{"name": "cruxeval", "results": [line]}]}
    (folder / "eval" / "eval.json").write_text(json.dumps(report))
    done = client.run("publish", folder, "owner/m", "--tag", "v0.1.0")
    assert done.returncode == 0, done.stderr
    files = hub.files("owner/m", "v0.1.0", kind="model")
    named = replace(
        record,
        name="owner/m",
        evaluations=(Evaluation("cruxeval", "pass@1, greedy", 0.5, None, 8, (0.25, 0.75)),),
    )
    assert cards.parse_record(files["card.json"]) == named
    assert {path: files[path] for path in cards.model_files(named)} == cards.model_files(named)
    assert set(files) - set(cards.model_files(named)) == {
        "adapter_config.json",
        "adapter_model.safetensors",
        "card.json",
    }
    again = client.run("publish", folder, "owner/m", "--tag", "v0.1.0")
    assert "all is at" in again.stdout
    for name in ("eval/eval.json", "card.json"):
        (folder / name).write_text("{}")
        refused = client.run("publish", folder, "owner/m")
        assert (refused.returncode, refused.stderr.count("\n")) == (2, 1), refused
        assert name in refused.stderr


def test_a_folder_is_a_place_too(tracefoundry: Command, small_build: Path, tmp_path: Path) -> None:
    target = tmp_path / "released"
    arguments = ("publish", small_build, f"file:{target}", "--sample", "1")
    assert tracefoundry(*arguments).returncode == 0
    assert published.files_of(target) == published.files_of(small_build)
    assert "all is at" in tracefoundry(*arguments).stdout
    target.rename(tmp_path / ".released.old")
    assert "all is at" in tracefoundry(*arguments).stdout, "what was killed between two renames"
    (target / "LICENSE").write_text("M")
    (target / "traces" / "train-00009.parquet").write_bytes(b"old")
    done = tracefoundry(*arguments)
    assert "- traces/train-00009.parquet" in done.stdout
    assert published.files_of(target) == {**published.files_of(small_build), "LICENSE": b"M"}
    assert sorted(entry.name for entry in tmp_path.iterdir()) == ["released"]


def test_a_folder_of_something_else_is_refused(
    tracefoundry: Command, small_build: Path, tmp_path: Path
) -> None:
    (tmp_path / "mine.txt").write_text("mine")
    for target, words in (
        (tmp_path, "no release of ours"),
        (tmp_path / "mine.txt", "is a file"),
        (small_build, "the folder that is to be published"),
    ):
        done = tracefoundry("publish", small_build, f"file:{target}")
        assert (done.returncode, words in done.stderr) == (2, True), done
    done = tracefoundry("publish", small_build, f"file:{tmp_path / 'x'}", "--tag", "v1.0.0")
    assert done.returncode == 2
    assert (tmp_path / "mine.txt").read_text() == "mine"


@pytest.mark.parametrize(
    ("harm", "words"),
    [
        (lambda folder: (folder / "manifest.json").unlink(), "no manifest.json"),
        (lambda folder: (folder / "traces/train-00000.parquet").unlink(), "missing"),
        (lambda folder: (folder / "drops.jsonl").write_text("x"), "checksum"),
        (
            lambda folder: (folder / "traces/test-00007.parquet").write_bytes(b"x"),
            "the manifest does not know it",
        ),
    ],
    ids=["manifest", "file", "changed", "stranger"],
)
def test_a_folder_that_is_not_as_built_is_refused(
    harm: object, words: str, tracefoundry: Command, small_build: Path, tmp_path: Path
) -> None:
    folder = Path(shutil.copytree(small_build, tmp_path / "data"))
    assert callable(harm)
    harm(folder)
    done = tracefoundry("publish", folder, f"file:{tmp_path / 'out'}", "--dry-run")
    assert (done.returncode, done.stdout) == (2, "")
    assert words in done.stderr


def test_foreign_programs_need_a_licence(
    tracefoundry: Command, small_build: Path, tmp_path: Path
) -> None:
    folder = Path(shutil.copytree(small_build, tmp_path / "data"))
    change_rows(folder, "programs", {"generator": "jsonl", "licence": None})
    target = f"file:{tmp_path / 'out'}"
    done = tracefoundry("publish", folder, target, "--dry-run")
    assert (done.returncode, "--allow-unlicensed" in done.stderr) == (2, True)
    told = tracefoundry("publish", folder, target, "--dry-run", "--allow-unlicensed")
    assert told.returncode == 0
    change_rows(folder, "programs", {"generator": "jsonl", "licence": "MIT"})
    assert tracefoundry("publish", folder, target, "--dry-run").returncode == 0
