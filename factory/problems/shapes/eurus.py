"""Eurus-2-RL: a chat, and tests as JSON in ``reward_model.ground_truth``; no solutions.

Its mathematical records (``ability: math``) are no problems of code.

Source: https://huggingface.co/datasets/PRIME-RL/Eurus-2-RL-Data.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from factory.problems.shapes.base import BadProblem, PublishedProblem, json_of, text_of


def read_eurus(record: Mapping[str, Any]) -> PublishedProblem:
    """The problem of one record; a field ``solution``, where somebody added one, is tried.

    Raises:
        BadProblem: It is not about code, or a field is missing or of another type.
    """
    if record.get("ability") != "code":
        raise BadProblem("no_code", f"its ability is {record.get('ability')!r}")
    messages, reward = record.get("prompt"), json_of(record.get("reward_model"), "reward_model")
    users = [m for m in messages or () if isinstance(m, dict) and m.get("role") == "user"]
    if not users or not isinstance(reward, dict):
        raise BadProblem("missing_field", "no user message in 'prompt', or no 'reward_model'")
    pairs = json_of(reward.get("ground_truth"), "reward_model.ground_truth")
    if not isinstance(pairs, dict) or not pairs.get("inputs"):
        raise BadProblem("missing_field", "'reward_model.ground_truth' holds no inputs")
    solution = record.get("solution")
    extra = record.get("extra_info")
    return PublishedProblem(
        statement=text_of(users[-1], "content"),
        tests={"input_output": pairs},
        references=(solution,) if isinstance(solution, str) else (),
        entry_point=pairs.get("fn_name") or None,
        name=str(extra.get("index", "")) if isinstance(extra, dict) else "",
    )
