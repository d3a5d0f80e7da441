"""Which drops of a build are a sign of something wrong."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

EXPECTED_STAGES = frozenset(
    {
        "constraint",
        "inputs",
        "filter",
        "dedupe",
        "decontamination",
        "curriculum",
        "difficulty",
        "problems",
        "writing",
    }
)
"""Stages that draw more than they keep."""
EXPECTED_ENDINGS = frozenset(
    {
        "depth_dependent",
        "memory",
        "no_trace",
        "output_limit",
        "output_too_large",
        "raised",
        "step_limit",
        "timeout",
        "unfaithful_output",
    }
)
"""Ways in which a drawn program or a mutated input may fail without anybody's fault."""

WRITTEN = frozenset({"llm", "mixed"})
"""Kinds of sources whose programs a language model writes: they may end in any way."""


def unexpected_drops(manifest: Mapping[str, Any]) -> tuple[tuple[str, str, int], ...]:
    """Stage, reason and number of the drops that ``build --strict`` does not bear.

    Programs of a file that come with their own inputs are all expected to run, so that there
    every failing execution counts.
    """
    recipe = manifest["recipe"]
    kind = recipe["source"]["kind"]
    drawn = kind != "jsonl" or recipe["inputs"]["mutants"] > 0
    written = kind in WRITTEN
    return tuple(
        (stage, reason, number)
        for stage, reasons in manifest["drops"].items()
        if stage not in EXPECTED_STAGES
        for reason, number in reasons.items()
        if not (stage == "execution" and (written or (drawn and reason in EXPECTED_ENDINGS)))
    )
