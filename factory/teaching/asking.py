"""Asks a model for replies, and takes them apart."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from factory.errors import InfrastructureError
from factory.load import trace_of
from factory.models.base import Model, Prompt, Sampling, generation_of
from factory.reasoning.checking import Report
from factory.reasoning.claims import code
from factory.reasoning.plans.outline import Plan, plan_of
from factory.rows import Row

_BLOCK = re.compile(r"<think>(.*?)</think>", re.DOTALL)
LEAST_CLAIMS = 3
"""Claims that must be found in a model's reasoning for anything to be said of it."""


@dataclass(frozen=True, slots=True)
class Asker:
    """A model, and how it is asked."""

    model: Model
    revision: str | None
    sampling: Sampling

    def ask(self, prompts: Sequence[Prompt], n: int = 1) -> list[list[str]]:
        """``n`` replies to each prompt.

        Raises:
            InfrastructureError: The model failed; the replies that it gave before are kept.
        """
        if not prompts:
            return []
        sampling = self.sampling
        try:
            found = self.model.complete(
                prompts,
                n=n,
                temperature=sampling.temperature,
                max_tokens=sampling.max_tokens,
                seed=sampling.seed,
            )
        except (RuntimeError, OSError) as error:
            reason = str(error).strip().split("\n", 1)[0]
            raise InfrastructureError(
                f"the model {self.model.name} failed: {reason}; the replies it gave are kept: "
                "run the same command again to go on"
            ) from error
        return [[text.encode("utf-8", "replace").decode("utf-8") for text in t] for t in found]

    def about(self, prompt: Prompt) -> dict[str, Any]:
        """The column ``generation`` of a row that came of a prompt."""
        return asdict(generation_of(self.model.name, self.revision, self.sampling, prompt))


def reasoning_of(reply: str) -> str | None:
    """The reasoning of a reply: its ``<think>`` block, else what stands before the answer."""
    blocks = _BLOCK.findall(reply)
    if len(blocks) > 1 or reply.count("<think>") != len(blocks):
        return None
    text = blocks[0] if blocks else reply.partition("<answer>")[0]
    kept = "\n".join(line.rstrip() for line in text.strip().splitlines())
    return kept or None


def faults(report: Report) -> list[tuple[str, str]]:
    """What is wrong with a model's reasoning; that a sentence makes no claim is no fault."""
    return [(f.dimension, f.name) for f in report.injuries if f.name != "unreadable"]


def shown_runs(problem: Row, program: Row, traces: Sequence[Row]) -> list[Row]:
    """The runs of a problem's reference that its prompt shows."""
    prompt, entry_point = problem["prompt"][-1]["content"], program["entry_point"]
    found = []
    for row in traces:
        call = f"{entry_point}({row['args']})"
        if f"{code(call)} returns" in prompt:
            found.append(row)
    return found


def plan_of_problem(problem: Row, program: Row, traces: Sequence[Row]) -> Plan | None:
    """The plan of a problem's reference, with the runs that the problem shows as examples.

    Args:
        problem: Its row.
        program: The row of the reference.
        traces: Rows of the reference's runs.
    """
    shown = [trace_of(row, program) for row in shown_runs(problem, program, traces)]
    return plan_of(program["source"], program["entry_point"], shown)
