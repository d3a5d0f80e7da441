"""What a server of OpenAI's chat API answered: replies, or which kind of failure.

Source: https://platform.openai.com/docs/api-reference/chat/object.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import httpx2

_BUSY = frozenset({408, 409, 425, 429, 500, 502, 503, 504, 529})
"""Answers after which trying again may help."""
_TOO_LONG = (
    "context_length_exceeded",
    "maximum context length",
    "max_model_len",
    "input is too long",
)
"""What servers say of a prompt that does not fit."""


class ServerFailure(RuntimeError):
    """The server refuses, or failed in every attempt."""


class Passing(Exception):
    """A failure after which trying again may help."""

    def __init__(self, reason: str, wait: float | None = None) -> None:
        super().__init__(reason)
        self.wait = wait


class TooLong(Exception):
    """The prompt does not fit."""


def check_status(response: httpx2.Response, url: str) -> None:
    """Refuse an answer that is an error.

    Args:
        response: The answer.
        url: The server's, for messages.

    Raises:
        Passing: Trying again may help.
        TooLong: The prompt does not fit.
        ServerFailure: It would be refused again.
    """
    status = response.status_code
    if status < 400:
        return
    said = " ".join(response.text.split())[:200]
    if status in _BUSY:
        after = response.headers.get("retry-after", "").strip()
        wait = float(after) if after.replace(".", "", 1).isdigit() else None
        raise Passing(f"HTTP {status} ({said})", wait)
    if status in (400, 413, 422) and any(text in said.lower() for text in _TOO_LONG):
        raise TooLong
    hint = {401: ": is the key right?", 403: ": the key may not do this"}.get(status, "")
    raise ServerFailure(f"{url}: HTTP {status}{hint} ({said})")


def read_answer(response: httpx2.Response) -> tuple[list[str], tuple[int, int]]:
    """The replies, and the tokens of prompt and replies.

    Raises:
        Passing: The answer cannot be read.
    """
    try:
        answer = response.json()
        replies = [text_of(choice) for choice in answer["choices"]]
        usage = answer.get("usage") or {}
        used = int(usage.get("prompt_tokens", 0)), int(usage.get("completion_tokens", 0))
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise Passing(f"a malformed answer ({type(error).__name__}: {error})") from error
    if not replies:
        raise Passing("an answer without a reply")
    return replies, used


def text_of(choice: Any) -> str:
    """The reply of one choice, what the model thought before it between ``<think>`` tags."""
    message = choice["message"]
    content = message["content"]
    thought = message.get("reasoning_content") or message.get("reasoning")
    if content is None and (thought or choice.get("finish_reason") == "length"):
        content = ""
    if not isinstance(content, str):
        raise TypeError(f"content is {type(content).__name__}")
    return f"<think>\n{thought}\n</think>\n{content}" if isinstance(thought, str) else content
