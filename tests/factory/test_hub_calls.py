"""Names of repositories, and how often and how long a call to the Hub is tried again."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import httpx2
import pytest
from huggingface_hub.errors import (  # noqa: TID253 - what the Hub's client raises
    HfHubHTTPError,
    LocalEntryNotFoundError,
    OfflineModeIsEnabled,
)

from factory.errors import InfrastructureError, UserError
from factory.hub import Caller, Patience, Repository, find_place
from factory.hub.calls import BusyError
from factory.hub.places import parse_repository

QUICK = Patience(attempts=4, first_wait=0.01, total=0.2)


def answer(status: int) -> HfHubHTTPError:
    request = httpx2.Request("GET", "https://hub.invalid/api")
    return HfHubHTTPError("it failed", response=httpx2.Response(status, request=request))


def chained(error: Exception, cause: Exception) -> Exception:
    error.__cause__ = cause
    return error


class Work:
    """Fails as told, then returns 7."""

    def __init__(self, *errors: Exception) -> None:
        self.errors = list(errors)
        self.calls = 0

    def __call__(self) -> int:
        self.calls += 1
        if self.errors:
            raise self.errors.pop(0)
        return 7


@pytest.mark.parametrize(
    "error",
    [
        answer(409),
        answer(412),
        answer(503),
        BusyError(429, None),
        httpx2.ReadTimeout("too slow"),
        httpx2.RemoteProtocolError("hung up"),
        ConnectionError("Network error: sending failed"),
        chained(LocalEntryNotFoundError("not in the cache"), httpx2.ConnectError("refused")),
        chained(RuntimeError("Error while uploading"), answer(502)),
    ],
    ids=lambda error: f"{type(error).__name__}",
)
def test_what_may_pass_is_tried_again(error: Exception) -> None:
    said: list[str] = []
    work = Work(error)
    assert Caller(QUICK, said.append).call("doing", work) == 7
    assert work.calls == 2
    assert len(said) == 1
    assert said[0].startswith("doing: ")
    endless = Work(*[error] * 9)
    with pytest.raises(InfrastructureError, match="run the same command again"):
        Caller(QUICK, said.append).call("doing", endless)
    assert endless.calls == QUICK.attempts


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (answer(400), "refuses the request"),
        (answer(401), "HF_TOKEN"),
        (answer(403), "right to write"),
        (answer(404), "no such repository"),
        (OfflineModeIsEnabled("offline"), "HF_HUB_OFFLINE"),
        (
            ConnectionError("Network error: HTTP status client error (403 Forbidden), domain: x"),
            "right to write",
        ),
    ],
)
def test_what_will_not_pass_is_one_line(error: Exception, words: str) -> None:
    work = Work(error)
    with pytest.raises(UserError, match=words) as caught:
        Caller(QUICK, pytest.fail).call("doing", work)
    assert work.calls == 1
    assert "\n" not in caught.value.message


def test_faults_of_ours_are_not_hidden() -> None:
    with pytest.raises(ZeroDivisionError):
        Caller(QUICK, pytest.fail).call("doing", lambda: 1 // 0)


def test_waiting_has_one_bound_for_all_calls() -> None:
    caller = Caller(Patience(attempts=9, first_wait=0.05, total=0.25), lambda _: None)
    assert caller.call("one", Work(answer(503), answer(503))) == 7
    started = time.monotonic()
    with pytest.raises(InfrastructureError, match=r"attempt 2\)"):
        caller.call("other", Work(*[answer(503)] * 9))
    assert time.monotonic() - started < 5
    with pytest.raises(InfrastructureError, match="asks to wait 3600 s"):
        Caller(QUICK, pytest.fail).call("doing", Work(BusyError(429, 3600.0)))


@pytest.mark.parametrize(
    ("text", "name", "revision"),
    [
        ("owner/name", "owner/name", None),
        ("o/n-a.m_e@v1.0.0", "o/n-a.m_e", "v1.0.0"),
        ("hf://datasets/owner/name@refs/pr/3", "owner/name", "refs/pr/3"),
        ("hf://owner/name", "owner/name", None),
    ],
)
def test_names_of_repositories(text: str, name: str, revision: str | None) -> None:
    assert parse_repository(text) == Repository(name, revision)


@pytest.mark.parametrize(
    "text", ["name", "/owner/name", "a/b/c", "owner/", "-a/b", "a/b@", "a/..", ""]
)
def test_what_is_no_repository(text: str) -> None:
    assert parse_repository(text) is None


def test_folders_come_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "out" / "data").mkdir(parents=True)
    assert find_place("out/data") == Path("out/data")
    assert find_place("hf://datasets/out/data") == Repository("out/data")
    assert find_place("owner/data@v1") == Repository("owner/data", "v1")
    refused: list[tuple[str, Callable[[], object]]] = [
        ("hf://datasets/out/dta", lambda: find_place("out/dta")),
        ("tracefoundry build", lambda: find_place("nowhere")),
    ]
    for words, look in refused:
        with pytest.raises(UserError, match=words):
            look()
