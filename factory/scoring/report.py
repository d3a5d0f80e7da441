"""What a scoring run found: verdicts in the order of the answers, and their sums."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import Any, get_args

from factory.scoring.answers import Answer, BadLine
from tracer.records import Verdict, VerdictStatus
from tracer.rewards import answer_reward

STATUSES: tuple[VerdictStatus, ...] = get_args(VerdictStatus)


@dataclass(frozen=True, slots=True)
class Scored:
    """An answer and its verdict."""

    answer: Answer
    kind: str
    """Kind of the question; ``code`` for a program that is tested."""
    level: int | None
    verdict: Verdict


@dataclass(frozen=True, slots=True)
class ScoreReport:
    """The result of ``tracefoundry score``."""

    id_field: str
    scored: tuple[Scored, ...]
    """In the order of the answers."""
    bad_lines: tuple[BadLine, ...]
    seconds: float

    @property
    def accuracy(self) -> float | None:
        """Share of correct answers among those that could be judged; ``None`` without any."""
        accuracy: float | None = count(self.scored)["accuracy"]
        return accuracy


def count(scored: Iterable[Scored]) -> dict[str, Any]:
    """Number of answers by verdict, and ``accuracy``: correct / (all but infrastructure)."""
    statuses = [each.verdict.status for each in scored]
    counts: dict[str, Any] = {"answers": len(statuses)}
    counts.update((status, statuses.count(status)) for status in STATUSES)
    judged = counts["answers"] - counts["infrastructure"]
    counts["accuracy"] = counts["correct"] / judged if judged else None
    return counts


def count_by(scored: Sequence[Scored], field: str) -> dict[str, dict[str, Any]]:
    """Counts for each value of ``kind`` or ``level``, in their order; ``None`` is left out."""
    values = {getattr(each, field) for each in scored} - {None}
    return {
        str(value): count(each for each in scored if getattr(each, field) == value)
        for value in sorted(values)
    }


def describe_score(report: ScoreReport) -> dict[str, Any]:
    """A report as JSON-able data."""
    return {
        **count(report.scored),
        "by_kind": count_by(report.scored, "kind"),
        "by_level": count_by(report.scored, "level"),
        "bad_lines": [asdict(line) for line in report.bad_lines],
        "seconds": round(report.seconds, 2),
    }


def verdict_lines(report: ScoreReport) -> Iterable[str]:
    """One JSON object for each answer, in their order."""
    for each in report.scored:
        verdict = each.verdict
        row = {
            report.id_field: each.answer.id,
            "verdict": verdict.status,
            "reward": answer_reward(verdict).total,
            "reason": verdict.reason,
        }
        yield json.dumps(row)
