"""The backend ``openai`` against a local server of the same API, faults included."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

import pytest
from chat_server import ChatServer, echo

from factory.errors import UserError
from factory.models.backends import load_model, setting_names
from factory.models.base import usage_of
from trainer.models.chat_answers import ServerFailure, text_of
from trainer.models.openai import load
from trainer.models.pacing import Pace, Patience, Usage

PROMPTS = [[{"role": "user", "content": f"prompt {number}"}] for number in range(6)]
HOW: dict[str, Any] = {"n": 3, "temperature": 1.0, "max_tokens": 9, "seed": 4}
QUICK: dict[str, Any] = {"first_wait_s": 0.01, "longest_wait_s": 0.05, "attempts": 3}


@pytest.fixture
def server() -> Iterator[ChatServer]:
    with ChatServer() as running:
        yield running


def test_replies_come_in_order_with_their_own_seeds(server: ChatServer) -> None:
    model = load("planted", "r1", url=server.url, concurrency=4)
    assert model.name == "planted@r1"
    first = model.complete(PROMPTS, **HOW)
    assert [[text.split("/")[0] for text in texts] for texts in first] == [
        [f"prompt {number}"] * 3 for number in range(6)
    ]
    assert len({text for texts in first for text in texts}) == 18
    assert model.complete(PROMPTS[::-1], **HOW) == first[::-1]
    assert model.complete(PROMPTS[2:3], **HOW) == first[2:3]
    assert model.complete(PROMPTS, **(HOW | {"seed": 5})) != first
    body = server.bodies[0]
    assert (body["model"], body["temperature"], body["max_tokens"]) == ("planted", 1.0, 9)


def test_without_temperature_one_reply_is_asked_for(server: ChatServer) -> None:
    model = load("planted", url=server.url)
    (replies,) = model.complete(PROMPTS[:1], **(HOW | {"temperature": 0.0}))
    assert len(replies) == 3
    assert len(set(replies)) == 1
    assert [body["n"] for body in server.bodies] == [1]


def test_a_server_that_heeds_no_n_is_asked_again(server: ChatServer) -> None:
    server.fewer = True
    (replies,) = load("planted", url=server.url).complete(PROMPTS[:1], **HOW)
    assert len(set(replies)) == 3
    assert [body["n"] for body in server.bodies] == [3, 2, 1]
    assert len({body["seed"] for body in server.bodies}) == 3


@pytest.mark.parametrize("fault", [429, 500, 503, 529, "drop", "malformed", "empty", "null"])
def test_a_passing_fault_is_tried_again(server: ChatServer, fault: int | str) -> None:
    model = load("planted", url=server.url, **QUICK)
    want = model.complete(PROMPTS, **HOW)
    server.faults = [fault, fault]
    assert model.complete(PROMPTS, **HOW) == want
    assert usage_of(model)["retries"] == 2


def test_a_slow_answer_is_not_waited_for(server: ChatServer) -> None:
    model = load("planted", url=server.url, timeout_s=0.3, **QUICK)
    server.faults = ["slow"]
    started = time.monotonic()
    assert len(model.complete(PROMPTS[:1], **HOW)[0]) == 3
    assert time.monotonic() - started < 0.9
    assert usage_of(model)["retries"] == 1


def test_retries_are_bounded(server: ChatServer) -> None:
    model = load("planted", url=server.url, **QUICK)
    server.faults = [500] * 30
    with pytest.raises(ServerFailure, match=r"HTTP 500 \(.*injected fault.*attempt 3 of 3\)"):
        model.complete(PROMPTS[:1], **HOW)
    assert len(server.bodies) == 3
    server.faults = ["drop"] * 30
    with pytest.raises(ServerFailure, match="the connection failed"):
        model.complete(PROMPTS[:2], **HOW)


def test_a_refusal_is_not_tried_again(server: ChatServer) -> None:
    model = load("planted", url=server.url, **QUICK)
    server.faults = [422]
    with pytest.raises(ServerFailure, match="HTTP 422"):
        model.complete(PROMPTS[:1], **HOW)
    assert len(server.bodies) == 1


def test_the_wait_that_a_server_asks_for_is_kept_within_bounds(server: ChatServer) -> None:
    model = load("planted", url=server.url, first_wait_s=0.01, longest_wait_s=0.4)
    server.faults, server.retry_after = [429, 429], "0.2"
    model.complete(PROMPTS[:1], **HOW)
    first, second, third = server.times
    assert second - first >= 0.2
    assert third - second >= 0.2
    server.times.clear()
    server.faults, server.retry_after = [429], "3600"
    started = time.monotonic()
    model.complete(PROMPTS[:1], **HOW)
    assert 0.4 <= time.monotonic() - started < 5


def test_a_prompt_that_is_too_long_has_empty_replies(server: ChatServer) -> None:
    model = load("planted", url=server.url, concurrency=1, **QUICK)
    server.faults = ["long"]
    replies = model.complete(PROMPTS[:2], **HOW)
    assert replies[0] == ["", "", ""]
    assert all(replies[1])


def test_no_more_requests_are_open_than_allowed(server: ChatServer) -> None:
    server.delay = 0.05
    load("planted", url=server.url, concurrency=2).complete(PROMPTS, **HOW)
    assert server.most_open == 2


def test_requests_keep_the_limit_for_a_minute(server: ChatServer) -> None:
    model = load("planted", url=server.url, requests_per_minute=600)
    model.complete(PROMPTS, **HOW)
    gaps = [after - before for before, after in zip(server.times, server.times[1:], strict=False)]
    assert server.times[-1] - server.times[0] >= 0.45
    assert min(gaps) > 0.02


def test_tokens_and_costs_are_counted(server: ChatServer) -> None:
    model = load("planted", url=server.url, input_price=10.0, output_price=100.0)
    model.complete(PROMPTS, **HOW)
    assert model.usage == {
        "requests": 6,
        "retries": 0,
        "prompt_tokens": 42,
        "completion_tokens": 18,
        "cost": round((42 * 10 + 18 * 100) / 1e6, 6),
    }


def test_what_a_model_thought_stands_before_its_reply() -> None:
    message = {"content": "<answer>1</answer>", "reasoning_content": "so it is 1"}
    assert text_of({"message": message}) == "<think>\nso it is 1\n</think>\n<answer>1</answer>"
    cut = {"message": {"content": None}, "finish_reason": "length"}
    assert text_of(cut) == ""
    with pytest.raises(TypeError):
        text_of({"message": {"content": None}})


def test_a_server_is_looked_at_before_anything_is_asked(
    server: ChatServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    def opened(model: str = "planted", **settings: Any) -> Any:
        return load_model("openai", model, None, {"url": server.url, **QUICK, **settings}, "m")

    with pytest.raises(UserError, match=r"m: 'other' cannot be loaded: .* it serves: planted"):
        opened("other")
    server.key = "secret"
    with pytest.raises(UserError, match="HTTP 401: is the key right"):
        opened()
    monkeypatch.setenv("MY_KEY", "secret")
    assert opened(key_variable="MY_KEY").complete(PROMPTS[:1], **HOW)
    with pytest.raises(UserError, match="does not begin with http"):
        opened(url="localhost:1")
    with pytest.raises(UserError, match="concurrency must be at least 1"):
        opened(concurrency=0)
    with pytest.raises(UserError, match="cannot be reached"):
        opened(url="http://127.0.0.1:9/v1")
    monkeypatch.setenv("OPENAI_BASE_URL", server.url)
    assert load_model("openai", "planted", None, {"key_variable": "MY_KEY"}).name == "planted"


def test_settings_have_names() -> None:
    assert {"url", "concurrency", "requests_per_minute", "input_price"} <= set(
        setting_names("openai")
    )
    assert {"tensor_parallel", "memory_share", "context"} <= set(setting_names("vllm"))
    assert setting_names("transformers") == ()


def test_waits_double_up_to_the_longest() -> None:
    patience = Patience(first_wait_s=1, longest_wait_s=5)
    assert [patience.wait_after(attempt, None) for attempt in (1, 2, 3, 4, 9)] == [1, 2, 4, 5, 5]
    assert patience.wait_after(1, 3.5) == 3.5
    assert patience.wait_after(1, 99) == 5
    with pytest.raises(ValueError, match="attempts"):
        Patience(attempts=0)


def test_tokens_are_paid_off_before_the_next_request() -> None:
    now = [100.0]
    pace = Pace(tokens_per_minute=600, clock=lambda: now[0])
    assert pace.reserve() == 0
    pace.use(50)
    assert pace.reserve() == pytest.approx(5.0)
    now[0] = 104.0
    assert pace.reserve() == pytest.approx(1.0)
    pace.use(10)
    now[0] = 110.0
    assert pace.reserve() == 0
    with pytest.raises(ValueError, match="more than 0"):
        Pace(requests_per_minute=0)


def test_usage_adds_up() -> None:
    usage = Usage(1.0, 2.0)
    usage.add(500_000, 250_000)
    usage.add(500_000, 250_000)
    assert usage.as_dict()["cost"] == 2.0
    assert echo({"messages": [{"content": "a"}], "seed": 1, "n": 1}) == ["a/1/0"]
