"""The unmodified clients against the Hub of the tests."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import pytest
from hub import Fault, TestHub
from hub.client import Client
from hub.server import READER_TOKEN

pytestmark = pytest.mark.hub

ROUND_TRIP = """
import random, sys
from huggingface_hub import (
    CommitOperationAdd, CommitOperationDelete, HfApi, HfFileSystem, hf_hub_download,
    snapshot_download)

api, kind, folder = HfApi(), sys.argv[1], sys.argv[2]
name, start = "owner/things", f"hf://{kind}s/owner/things" if kind != "model" else "hf://owner/things"
assert api.whoami()["name"] == "owner"
for _ in range(2):
    api.create_repo(name, repo_type=kind, private=True, exist_ok=True)
first = api.repo_info(name, repo_type=kind)
assert first.private
content = random.Random(1).randbytes(400_000) + b"ab" * 100_000
open(f"{folder}/a.bin", "wb").write(content)
made = api.create_commit(name, [
    CommitOperationAdd("deep/er/a.bin", f"{folder}/a.bin"),
    CommitOperationAdd("b.parquet", b"PAR1"),
    CommitOperationAdd("empty.txt", b""),
    CommitOperationAdd("README.md", b"---\\nlicense: mit\\n---\\n"),
], commit_message="first", repo_type=kind, parent_commit=first.sha)
api.create_tag(name, tag="v1", revision=made.oid, repo_type=kind)
paths = {entry.path for entry in api.list_repo_tree(name, recursive=True, repo_type=kind)}
assert paths == {"deep", "deep/er", "deep/er/a.bin", "b.parquet", "empty.txt", "README.md"}
copy = snapshot_download(name, repo_type=kind, revision="v1")
assert open(f"{copy}/deep/er/a.bin", "rb").read() == content
assert open(f"{copy}/empty.txt", "rb").read() == b""
files = HfFileSystem()
with files.open(f"{start}/deep/er/a.bin") as file:
    file.seek(123_456)
    assert file.read(1_000) == content[123_456:124_456]
assert files.info(f"{start}/deep/er/a.bin", expand_info=True)["last_commit"].title == "first"
second = api.create_commit(name, [CommitOperationDelete("b.parquet")],
    commit_message="second", repo_type=kind, parent_commit=made.oid)
assert files.glob(f"{start}@v1/*.parquet") and not files.glob(f"{start}@main/*.parquet")
pull = api.create_commit(name, [CommitOperationAdd("c.bin", b"c" * 100 + content[:200_000])],
    commit_message="third", repo_type=kind, parent_commit=second.oid, create_pr=True)
(found,) = api.get_repo_discussions(name, repo_type=kind, discussion_type="pull_request")
assert (found.title, found.num) == ("third", 1)
assert "c.bin" in api.list_repo_files(name, revision="refs/pr/1", repo_type=kind)
assert "c.bin" not in api.list_repo_files(name, repo_type=kind)
refs = api.list_repo_refs(name, repo_type=kind, include_pull_requests=True)
assert [ref.name for ref in refs.tags] == ["v1"] and len(refs.pull_requests) == 1
api.delete_tag(name, tag="v1", repo_type=kind)
assert not api.list_repo_refs(name, repo_type=kind).tags
"""

REFUSALS = """
import sys
from huggingface_hub import CommitOperationAdd, HfApi
from huggingface_hub.errors import (
    BadRequestError, EntryNotFoundError, HfHubHTTPError, RepositoryNotFoundError,
    RevisionNotFoundError)

def refused(kind, work):
    try:
        work()
    except kind as error:
        return error.response.status_code
    raise AssertionError("it was not refused")

owner, reader, nobody = HfApi(), HfApi(token=sys.argv[1]), HfApi(token=False)
owner.create_repo("owner/d", repo_type="dataset", private=True)
def add(api, **options):
    return api.create_commit("owner/d", [CommitOperationAdd("a.txt", b"a")],
        commit_message="m", repo_type="dataset", **options)
start = owner.dataset_info("owner/d").sha
assert refused(RepositoryNotFoundError, lambda: nobody.dataset_info("owner/d")) == 401
assert refused(RepositoryNotFoundError, lambda: owner.dataset_info("owner/e")) == 404
assert refused(RevisionNotFoundError, lambda: owner.dataset_info("owner/d", revision="x")) == 404
assert refused(HfHubHTTPError, lambda: add(reader)) == 403
assert add(reader, create_pr=True).pr_url.endswith("/discussions/1")
add(owner, parent_commit=start)
assert refused(HfHubHTTPError, lambda: owner.create_commit("owner/d",
    [CommitOperationAdd("a.txt", b"b")], commit_message="m", repo_type="dataset",
    parent_commit=start)) == 412
owner.create_tag("owner/d", tag="v1", repo_type="dataset")
assert refused(HfHubHTTPError,
    lambda: owner.create_tag("owner/d", tag="v1", repo_type="dataset")) == 409
assert refused(EntryNotFoundError,
    lambda: owner.hf_hub_download("owner/d", "none.txt", repo_type="dataset")) == 404
"""

APPEND = """
import random, sys
from huggingface_hub import CommitOperationAdd, HfApi
api, folder, length = HfApi(), sys.argv[1], int(sys.argv[2])
api.create_repo("owner/d", repo_type="dataset", exist_ok=True)
content = random.Random(2).randbytes(length)
open(f"{folder}/a.bin", "wb").write(content)
api.create_commit("owner/d", [CommitOperationAdd("a.bin", f"{folder}/a.bin")],
    commit_message="m", repo_type="dataset")
"""

LIE = """
from huggingface_hub import CommitOperationAdd, HfApi
api = HfApi()
api.create_repo("owner/d", repo_type="dataset")
addition = CommitOperationAdd("a.bin", b"content\\0")
addition.upload_info.sha256 = bytes(32)
try:
    api.create_commit("owner/d", [addition], commit_message="m", repo_type="dataset")
except Exception as error:
    print(error)
else:
    raise AssertionError("it was taken")
"""


@pytest.fixture(
    scope="module",
    params=[
        pytest.param(True, id="xet"),
        pytest.param(False, id="lfs", marks=pytest.mark.slow),
    ],
)
def pair(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[TestHub, Client]]:
    home = tmp_path_factory.mktemp("home")
    with TestHub(xet=request.param) as hub, Client(hub.environment, home) as client:
        yield hub, client


@pytest.fixture
def hub(pair: tuple[TestHub, Client]) -> TestHub:
    pair[0].repositories.clear()
    return pair[0]


@pytest.fixture
def client(pair: tuple[TestHub, Client]) -> Client:
    return pair[1]


def test_the_client_of_the_hub(hub: TestHub, client: Client, tmp_path: Path) -> None:
    for kind in ("dataset", "model"):
        done = client.python(ROUND_TRIP, kind, tmp_path)
        assert done.returncode == 0, done.stderr
        files = hub.files("owner/things", kind=kind)
        assert sorted(files) == ["README.md", "deep/er/a.bin", "empty.txt"]
        assert files["deep/er/a.bin"][:400_000] == random.Random(1).randbytes(400_000)
    assert not hub.large.broken
    assert any("/cas/v1/xorbs/" in line for line in hub.log) is hub.xet
    assert any("/objects/batch" in line for line in hub.log) is not hub.xet


def test_refusals_are_those_of_the_hub(client: Client) -> None:
    done = client.python(REFUSALS, READER_TOKEN)
    assert done.returncode == 0, done.stderr


def test_only_new_chunks_are_sent_again(hub: TestHub, client: Client, tmp_path: Path) -> None:
    assert client.python(APPEND, tmp_path, "1000000").returncode == 0
    before = hub.large.received
    assert before >= 1_000_000
    assert client.python(APPEND, tmp_path, "1100000").returncode == 0
    sent = hub.large.received - before
    assert (sent < 400_000) is hub.xet, sent
    assert len(hub.files("owner/d")["a.bin"]) == 1_100_000


def test_content_of_another_digest_is_refused(hub: TestHub, client: Client) -> None:
    done = client.python(LIE)
    assert done.returncode == 0, done.stderr
    assert hub.files("owner/d") == {}


def test_faults_happen_when_they_are_said_to(hub: TestHub, client: Client) -> None:
    code = "from huggingface_hub import HfApi; print(HfApi().whoami()['name'])"
    hub.faults = [
        Fault("status", "whoami", skip=1, status=418),
        Fault("drop", "whoami", skip=1),
        Fault("kill", "whoami", skip=1),
    ]
    hub.on_kill = client.kill
    codes = [client.python(code).returncode for _ in range(5)]
    assert codes == [0, 99, 99, -9, 0]
    assert [fault.hits for fault in hub.faults] == [1, 1, 1]
