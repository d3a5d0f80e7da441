"""Pairs of a benchmark of reward models: a prompt, a chosen and a rejected reply.

``pair_of({"prompt": "...", "chosen": "...", "rejected": "..."})``; each may be text, or messages as
chat models take them.

Source: the shape of LCB-RB (ReCode, https://arxiv.org/abs/2508.05170), as its paper describes it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

FIELDS = ("prompt", "chosen", "rejected")


@dataclass(frozen=True, slots=True)
class RewardPair:
    """One pair; a reward model should give ``chosen`` the higher score."""

    prompt: tuple[Mapping[str, str], ...]
    """Messages; a plain text is one message of the user."""
    chosen: str
    rejected: str


def pair_of(record: Mapping[str, Any]) -> RewardPair:
    """Read a record.

    Raises:
        ValueError: A field is missing, is neither text nor messages, or both replies are the same.
    """
    missing = [name for name in FIELDS if name not in record]
    if missing:
        there = ", ".join(record) or "nothing"
        raise ValueError(f"no field {missing[0]!r}; there is {there}")
    chosen, rejected = _reply(record, "chosen"), _reply(record, "rejected")
    if chosen == rejected:
        raise ValueError("'chosen' and 'rejected' are the same")
    prompt = record["prompt"]
    if isinstance(prompt, str):
        return RewardPair(({"role": "user", "content": prompt},), chosen, rejected)
    return RewardPair(tuple(_messages(prompt, "prompt")), chosen, rejected)


def _reply(record: Mapping[str, Any], name: str) -> str:
    value = record[name]
    if isinstance(value, str):
        return value
    return _messages(value, name)[-1]["content"]


def _messages(value: Any, name: str) -> list[dict[str, str]]:
    if not isinstance(value, list | tuple) or not value:
        raise ValueError(f"{name!r} is neither text nor a list of messages")
    found: list[dict[str, str]] = []
    for message in value:
        parts = message if isinstance(message, Mapping) else {}
        role, content = parts.get("role"), parts.get("content")
        if not isinstance(role, str) or not isinstance(content, str):
            raise ValueError(f"a message of {name!r} has no role or no content")
        found.append({"role": role, "content": content})
    return found
