"""MBPP: a sentence, asserts, and the code that passes them.

Source: https://github.com/google-research/google-research/tree/master/mbpp (also as sanitized).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from factory.problems.shapes.base import BadProblem, PublishedProblem, text_of


def read_mbpp(record: Mapping[str, Any]) -> PublishedProblem:
    """The problem of one record.

    Raises:
        BadProblem: A field is missing or of another type.
    """
    code = text_of(record, "code")
    tests = record.get("test_list")
    if not isinstance(tests, list) or not all(isinstance(test, str) for test in tests):
        raise BadProblem("bad_field", "'test_list' is no list of texts")
    shape: dict[str, Any] = {"test_list": [*tests, *(record.get("challenge_test_list") or ())]}
    for name in ("test_imports", "test_setup_code"):
        if record.get(name):
            shape[name] = record[name]
    return PublishedProblem(
        statement=text_of(record, "prompt", "text"),
        tests={**shape, "code": code},
        references=(code,),
        name=str(record.get("task_id", "")),
    )
