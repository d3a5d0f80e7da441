"""HumanEval: the head of a function with its docstring, a body, and a ``check(candidate)``.

Source: https://github.com/openai/human-eval (https://arxiv.org/abs/2107.03374).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from factory.problems.shapes.base import PublishedProblem, text_of


def read_humaneval(record: Mapping[str, Any]) -> PublishedProblem:
    """The problem of one record.

    Raises:
        BadProblem: A field is missing or of another type.
    """
    prompt = text_of(record, "prompt")
    entry_point = text_of(record, "entry_point")
    return PublishedProblem(
        statement=f"Complete the function `{entry_point}`, whose head and description are given.",
        tests={"test": text_of(record, "test")},
        references=(prompt + text_of(record, "canonical_solution"),),
        entry_point=entry_point,
        starter=prompt,
        name=str(record.get("task_id", "")),
    )
