"""Which drops `build --strict` bears."""

from __future__ import annotations

from typing import Any

import pytest

from factory.strictness import unexpected_drops


def manifest(kind: str, mutants: int, drops: dict[str, dict[str, int]]) -> dict[str, Any]:
    return {"recipe": {"source": {"kind": kind}, "inputs": {"mutants": mutants}}, "drops": drops}


@pytest.mark.parametrize(
    ("kind", "mutants", "stage", "reason", "borne"),
    [
        ("templates", 0, "execution", "raised", True),
        ("templates", 0, "constraint", "nested_calls", True),
        ("templates", 0, "execution", "nondeterministic", False),
        ("jsonl", 0, "execution", "raised", False),
        ("jsonl", 2, "execution", "raised", True),
        ("jsonl", 2, "execution", "output_differs", False),
        ("jsonl", 2, "source", "not_json", False),
        ("jsonl", 0, "inputs", "duplicate", True),
        ("jsonl", 0, "dedupe", "duplicate_program", True),
    ],
)
def test_drawing_bears_failures_and_given_data_do_not(
    kind: str, mutants: int, stage: str, reason: str, borne: bool
) -> None:
    found = unexpected_drops(manifest(kind, mutants, {stage: {reason: 3}}))
    assert found == (() if borne else ((stage, reason, 3),))
