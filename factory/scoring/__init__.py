"""Scoring a file of model answers against a built dataset or a file of foreign tasks."""

from __future__ import annotations

from factory.scoring.report import ScoreReport, describe_score, verdict_lines
from factory.scoring.run import score

__all__ = ["ScoreReport", "describe_score", "score", "verdict_lines"]
