"""Completions by any server of OpenAI's chat API: ``vllm serve`` and others.

Many requests are under way at once. One that is refused for now, answered by an error of the
server, dropped, too slow or malformed is made again a bounded number of times.

Source: https://platform.openai.com/docs/api-reference/chat (``POST /chat/completions``).
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from ssl import SSLContext
from typing import TYPE_CHECKING, Any

from trainer.models.chat_answers import (
    Passing,
    ServerFailure,
    TooLong,
    check_status,
    read_answer,
)
from trainer.models.identities import Prompt, seed_of
from trainer.models.pacing import Pace, Patience, Usage

if TYPE_CHECKING:
    import httpx2

DEFAULT_URL = "https://api.openai.com/v1"
URL_VARIABLE = "OPENAI_BASE_URL"
CONNECT_SECONDS = 20.0


@dataclass(frozen=True, slots=True)
class Server:
    """Where a model is served and how it may be asked."""

    url: str
    """Up to ``/v1``."""
    key: str | None
    concurrency: int
    """Requests under way at once, at most."""
    patience: Patience

    def __post_init__(self) -> None:
        """Check the numbers and the address."""
        if self.concurrency < 1:
            raise ValueError(f"concurrency must be at least 1, not {self.concurrency}")
        if not self.url.startswith(("http://", "https://")):
            raise ValueError(f"the url {self.url!r} does not begin with http:// or https://")

    def client(self) -> httpx2.AsyncClient:
        """A new client of the server."""
        import httpx2

        return httpx2.AsyncClient(
            base_url=self.url.rstrip("/") + "/",
            headers={"Authorization": f"Bearer {self.key}"} if self.key else {},
            timeout=httpx2.Timeout(self.patience.timeout_s, connect=CONNECT_SECONDS),
            limits=httpx2.Limits(max_connections=self.concurrency),
            follow_redirects=True,
            verify=_certificates(),
        )


@cache
def _certificates() -> SSLContext:
    """Read once: it takes longer than most requests."""
    import httpx2

    return httpx2.create_ssl_context()


class OpenAIModel:
    """A model behind a server."""

    def __init__(self, name: str, served_as: str, server: Server, pace: Pace, usage: Usage) -> None:
        """Describe it; nothing is asked yet.

        Args:
            name: What it is, its version included.
            served_as: The server's name for it.
            server: Where it is.
            pace: Limits for a minute.
            usage: Counts what it costs.
        """
        self.name = name
        self._served_as = served_as
        self._server = server
        self._pace = pace
        self._usage = usage

    @property
    def usage(self) -> dict[str, float]:
        """What it has cost so far."""
        return self._usage.as_dict()

    def complete(
        self,
        prompts: Sequence[Prompt],
        *,
        n: int,
        temperature: float,
        max_tokens: int,
        seed: int,
    ) -> list[list[str]]:
        """``n`` replies to each prompt, in their order; empty ones where a prompt is too long.

        What a model thought before its reply, where the server tells it apart, stands before it
        between ``<think>`` tags.

        Args:
            prompts: Chats whose next message is wanted.
            n: Replies to each.
            temperature: Of sampling; 0 takes the likeliest token, so all replies are equal.
            max_tokens: Most tokens of a reply.
            seed: Decides what is drawn, together with the prompt, as far as the server heeds it.

        Raises:
            ServerFailure: The server refuses, or failed in every attempt.
        """
        body = {"model": self._served_as, "temperature": temperature, "max_tokens": max_tokens}
        wanted = n if temperature > 0 else 1
        replies = asyncio.run(self._gather(prompts, body, wanted, seed))
        return replies if temperature > 0 else [each * n for each in replies]

    async def _gather(
        self, prompts: Sequence[Prompt], body: dict[str, Any], n: int, seed: int
    ) -> list[list[str]]:
        gate = asyncio.Semaphore(self._server.concurrency)
        async with self._server.client() as client:

            async def one(prompt: Prompt) -> list[str]:
                async with gate:
                    return await self._complete(client, prompt, body, n, seed)

            try:
                async with asyncio.TaskGroup() as group:
                    tasks = [group.create_task(one(prompt)) for prompt in prompts]
            except ExceptionGroup as failures:
                raise failures.exceptions[0] from None
        return [task.result() for task in tasks]

    async def _complete(
        self,
        client: httpx2.AsyncClient,
        prompt: Prompt,
        body: dict[str, Any],
        n: int,
        seed: int,
    ) -> list[str]:
        """All replies to one prompt; a server that gives fewer than asked is asked again."""
        messages = [dict(message) for message in prompt]
        replies: list[str] = []
        while len(replies) < n:
            own = {"n": n - len(replies), "seed": seed_of(prompt, seed, len(replies))}
            try:
                replies += await self._request(client, {**body, "messages": messages, **own})
            except TooLong:
                return [""] * n
        return replies[:n]

    async def _request(self, client: httpx2.AsyncClient, body: dict[str, Any]) -> list[str]:
        patience = self._server.patience
        for attempt in range(1, patience.attempts + 1):
            await asyncio.sleep(self._pace.reserve())
            try:
                return await self._attempt(client, body)
            except Passing as failure:
                if attempt == patience.attempts:
                    raise ServerFailure(
                        f"{self._server.url}: {failure} (attempt {attempt} of {attempt})"
                    ) from failure
                self._usage.retries += 1
                await asyncio.sleep(patience.wait_after(attempt, failure.wait))
        raise AssertionError("the last attempt returns or raises")

    async def _attempt(self, client: httpx2.AsyncClient, body: dict[str, Any]) -> list[str]:
        import httpx2

        try:
            async with asyncio.timeout(self._server.patience.timeout_s):
                response = await client.post("chat/completions", json=body)
        except TimeoutError as error:
            limit = self._server.patience.timeout_s
            raise Passing(f"no answer within {limit:g} s") from error
        except httpx2.HTTPError as error:
            reason = str(error) or type(error).__name__
            raise Passing(f"the connection failed ({reason})") from error
        check_status(response, self._server.url)
        replies, used = read_answer(response)
        self._usage.add(*used)
        self._pace.use(sum(used))
        return replies


def load(
    model: str,
    revision: str | None = None,
    *,
    url: str | None = None,
    key_variable: str = "OPENAI_API_KEY",
    concurrency: int = 16,
    requests_per_minute: float | None = None,
    tokens_per_minute: float | None = None,
    attempts: int = 6,
    first_wait_s: float = 1.0,
    longest_wait_s: float = 60.0,
    timeout_s: float = 600.0,
    input_price: float = 0.0,
    output_price: float = 0.0,
) -> OpenAIModel:
    """Get in touch with a server.

    Args:
        model: The server's name of the model.
        revision: Whatever tells these weights from others of the same name.
        url: Up to ``/v1``; by default ``$OPENAI_BASE_URL``, or OpenAI's own.
        key_variable: Environment variable that holds the key; it may be unset where none is needed.
        concurrency: Requests under way at once, at most.
        requests_per_minute: The server's limit; ``None``: none.
        tokens_per_minute: The server's limit, of prompts and replies together; ``None``: none.
        attempts: Times that one request is made.
        first_wait_s: Seconds before the second attempt; doubled each time.
        longest_wait_s: Seconds that are waited at most before an attempt.
        timeout_s: Seconds after which a request has failed.
        input_price: Of a million tokens of prompts, for the count of costs.
        output_price: Of a million tokens of replies.

    Raises:
        OSError: The server cannot be reached.
        ValueError: It refuses, does not serve the model, or a number is out of range.
    """
    patience = Patience(attempts, first_wait_s, longest_wait_s, timeout_s)
    place = url or os.environ.get(URL_VARIABLE) or DEFAULT_URL
    server = Server(place, os.environ.get(key_variable), concurrency, patience)
    pace = Pace(requests_per_minute, tokens_per_minute)
    _check_model(server, model)
    name = f"{model}@{revision}" if revision else model
    return OpenAIModel(name, model, server, pace, Usage(input_price, output_price))


def _check_model(server: Server, model: str) -> None:
    """See that the server answers and knows the model, where it lists its models."""
    served = asyncio.run(_list_models(server))
    if served is not None and model not in served:
        listed = ", ".join(served[:10]) or "none"
        raise ValueError(f"{server.url} does not serve it; it serves: {listed}")


async def _list_models(server: Server) -> list[str] | None:
    """Names of the served models; ``None`` where the server does not tell."""
    import httpx2

    patience = server.patience
    async with server.client() as client:
        for attempt in range(1, patience.attempts + 1):
            try:
                response = await client.get("models", timeout=CONNECT_SECONDS)
                check_status(response, server.url)
                return [str(each["id"]) for each in response.json()["data"]]
            except ServerFailure as failure:
                if response.status_code in (401, 403):
                    raise ValueError(str(failure)) from failure
                return None
            except (ValueError, KeyError, TypeError, TooLong):
                return None
            except (httpx2.HTTPError, Passing) as error:
                if attempt == patience.attempts:
                    reason = str(error) or type(error).__name__
                    raise ConnectionError(f"{server.url} cannot be reached ({reason})") from error
                wait = error.wait if isinstance(error, Passing) else None
                await asyncio.sleep(patience.wait_after(attempt, wait))
    return None
