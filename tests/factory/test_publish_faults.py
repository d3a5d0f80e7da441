"""Faults while publishing: afterwards the earlier release is there or the new one, never a mixture.

Every case publishes a second release over a first one, with something going wrong on the way;
then the same command runs again without a fault.
"""

from __future__ import annotations

import copy
import random
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import published
import pytest
from hub import Fault, TestHub
from hub.client import Client
from hub.faults import Kind
from hub.repositories import Repository
from hub.xet import LargeFiles

pytestmark = pytest.mark.hub

NAME = "owner/d"
TAGS = ("v1.0.0", "v2.0.0")
PLACES = (
    "GET /api/datasets/owner/d$",
    "/tree/",
    "/refs$",
    "resolve/.*manifest",
    "whoami",
    "/preupload/",
    "xet-write-token",
    "/v1/xorbs/",
    "/v1/shards",
    "validate-yaml",
    "/commit/",
    "/tag/",
)
"""Every kind of request of a release; one of them goes wrong."""
ANSWERS = (429, 500, 503)
MOST_REQUESTS = 400
MOST_SECONDS = 60.0


def make_faults() -> Iterator[Fault]:
    """Fifty, always the same: each place, each kind of fault, once or for good."""
    rng = random.Random("faults")
    kinds: tuple[Kind, ...] = ("kill", "drop_after", "status", "drop", "stale")
    order = [(kind, place) for kind in kinds for place in PLACES]
    rng.shuffle(order)
    for kind, place in order[:50]:
        wait = rng.choice([None, "0", "1"])
        yield Fault(
            kind,
            place,
            skip=rng.choice([0, 0, 1]) if place in ("/tree/", "GET /api/datasets/owner/d$") else 0,
            times=1 if kind == "stale" else rng.choice([1, 2, 99]),
            status=rng.choice(ANSWERS),
            headers={} if wait is None else {"Retry-After": wait},
        )


FAULTS = tuple(make_faults())
FEW = 10
"""Faults of the quick run; the others are slow tests."""


@dataclass
class Stage:
    """A Hub with the first release, and both of them on this machine."""

    hub: TestHub
    client: Client
    first: dict[str, bytes]
    """Files of the first release, by path."""
    second: dict[str, bytes]
    folder: Path
    """What is published as the second."""
    repository: Repository
    large: LargeFiles
    home: Path

    def reset(self) -> None:
        self.hub.faults.clear()
        self.hub.log.clear()
        self.hub.repositories = {("dataset", NAME): copy.deepcopy(self.repository)}
        self.hub.large = copy.deepcopy(self.large)
        shutil.rmtree(self.home / "hub", ignore_errors=True)


@pytest.fixture(scope="module")
def stage(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stage]:
    folder = tmp_path_factory.mktemp("faults")
    first = published.build_template_dataset(folder / "first", published.SMALL)
    second = published.build_template_dataset(folder / "second", published.LARGE)
    home = folder / "home"
    with TestHub() as hub, Client(hub.environment, home) as client:
        done = client.python(published.SEND, first, NAME, TAGS[0], "private")
        assert done.returncode == 0, done.stderr
        releases = (
            published.files_of(path, NAME, tag)
            for path, tag in ((first, TAGS[0]), (second, TAGS[1]))
        )
        yield Stage(hub, client, *releases, second, hub.repository(NAME), hub.large, home)


def is_release(files: dict[str, bytes], release: dict[str, bytes]) -> bool:
    """Whether the files are the release, beside what somebody else committed."""
    return {path: files[path] for path in files if path != "OTHER.md"} == release


@pytest.mark.parametrize(
    "fault",
    [
        pytest.param(
            fault,
            marks=() if number < FEW else pytest.mark.slow,
            id=f"{number}-{fault.kind}-{fault.path.strip('/$').replace(' ', '')}-{fault.times}",
        )
        for number, fault in enumerate(FAULTS)
    ],
)
def test_a_fault_loses_nothing(fault: Fault, stage: Stage, tmp_path: Path) -> None:
    stage.reset()
    hub, client = stage.hub, stage.client
    hub.faults = [fault]
    hub.on_kill = client.kill
    arguments = (stage.folder, NAME, TAGS[1], "private")
    cache = {"HF_XET_CACHE": str(tmp_path / "xet")}

    done = client.python(published.SEND, *arguments, **cache)
    assert fault.hits > 0, "the fault has happened"
    assert done.returncode == -9 if fault.kind == "kill" else done.returncode in (0, 3), done
    assert "Traceback" not in done.stderr
    assert done.seconds < MOST_SECONDS
    assert len(hub.log) < MOST_REQUESTS
    if fault.times == 1 and fault.kind != "kill":
        assert done.returncode == 0, done
    repository = hub.repository(NAME)
    for commit in repository.commits.values():
        files = {path: hub.content(commit, path) for path in commit.files}
        empty = not set(files) - {"OTHER.md"}
        assert empty or is_release(files, stage.first) or is_release(files, stage.second)
    tags = repository.tags()
    assert is_release(hub.files(NAME, TAGS[0]), stage.first)
    if done.returncode == 0:
        assert TAGS[1] in tags
    if TAGS[1] in tags:
        assert is_release(hub.files(NAME, TAGS[1]), stage.second)

    hub.faults.clear()
    again = client.python(published.SEND, *arguments, **cache)
    assert again.returncode == 0, again
    for tag, release in zip(TAGS, (stage.first, stage.second), strict=True):
        assert is_release(hub.files(NAME, tag), release)
    assert is_release(hub.files(NAME), stage.second)


def test_the_faults_are_fifty_and_all_places_are_hit() -> None:
    assert len(FAULTS) == 50
    assert {fault.path for fault in FAULTS} == set(PLACES)
    assert {fault.kind for fault in FAULTS[:FEW]} == {fault.kind for fault in FAULTS}
