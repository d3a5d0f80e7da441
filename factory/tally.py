"""Counts of a dataset, taken from its rows one program at a time."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable
from typing import Any

from factory.diversity import Diversity
from factory.recipe_records import SPLITS
from factory.rows import ExampleRows, Row
from factory.store import text_size
from factory.table import CONFIGS

LENGTHS = (5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000)
"""Last numbers of steps of the ranges in which traces are counted; above them is one more."""
KIND_COLUMNS = {
    "questions": "kind",
    "stage1": "task",
    "sft": "task",
    "crpl": "pair_kind",
    "problems": "source",
}
"""Configs whose rows are of several kinds, and the column that says which."""
NO_LEVEL = "none"
"""Key of programs without a level: those that no template made."""


class Tally:
    """Counts by config, level, split and kind."""

    def __init__(self) -> None:
        self._splits = {config: Counter[str]() for config in CONFIGS}
        self._levels = {config: Counter[str]() for config in CONFIGS}
        self._bytes = {config: Counter[str]() for config in CONFIGS}
        self._lengths = Counter[int]()
        self.diversity = Diversity()
        """How unlike one another the programs are."""
        self._kinds = {config: Counter[str]() for config in KIND_COLUMNS}
        self.passes = Counter[int]()
        """Measured questions by the number of right answers."""
        self._mutants = Counter[str]()
        """Mutants of references: ``made``, and ``killed`` by the tests."""
        self.cells = Counter[tuple[str, str, int]]()
        """Programs by type, method and level: the cells of the grid."""

    def add(self, rows: ExampleRows) -> None:
        """Count one program with everything about it."""
        self.count("programs", [rows.program])
        self.diversity.add(rows.program["source"])
        self.count("traces", rows.traces)
        self.count("questions", rows.questions)
        self.count("stage1", rows.stage1)
        self.count("sft", rows.sft)
        self.count("crpl", rows.crpl)
        self.count("problems", rows.problems)

    def count(self, config: str, rows: Iterable[Row]) -> None:
        """Count rows of one config."""
        for row in rows:
            self._splits[config][row["split"]] += 1
            self._bytes[config][row["split"]] += text_size(row)
            level = row["level"]
            self._levels[config][NO_LEVEL if level is None else str(level)] += 1
            if config in KIND_COLUMNS:
                self._kinds[config][row[KIND_COLUMNS[config]]] += 1
            if config == "questions" and row["difficulty"] is not None:
                self.passes[row["difficulty"]["passes"]] += 1
            if config == "problems":
                self._mutants["made"] += row["mutants"]
                self._mutants["killed"] += row["mutants_killed"]
            if config == "traces":
                self._lengths[bisect_left(LENGTHS, row["n_steps"])] += 1
            if config == "programs" and row["constraint"] is not None:
                constraint = row["constraint"]
                key = (constraint["type"], constraint["method"], constraint["level"])
                self.cells[key] += 1

    def total(self, config: str) -> int:
        """Number of rows of a config."""
        return self._splits[config].total()

    def counts(self) -> dict[str, Any]:
        """The manifest's ``counts``."""
        counts: dict[str, Any] = {}
        for config in CONFIGS:
            counts[config] = {"total": self.total(config)}
            if config in KIND_COLUMNS:
                column = KIND_COLUMNS[config]
                counts[config][f"by_{column}"] = dict(sorted(self._kinds[config].items()))
            if config == "traces":
                counts[config]["by_length"] = {
                    _length_range(place): self._lengths[place] for place in sorted(self._lengths)
                }
            if config == "problems":
                counts[config]["mutants"] = {
                    name: self._mutants[name] for name in ("made", "killed")
                }
            counts[config]["by_level"] = dict(sorted(self._levels[config].items()))
            counts[config]["by_split"] = {split: self._splits[config][split] for split in SPLITS}
        return counts

    def sizes(self) -> dict[str, dict[str, int]]:
        """The manifest's ``sizes``: about how many bytes of memory a split's rows take."""
        return {c: {split: self._bytes[c][split] for split in SPLITS} for c in CONFIGS}


def _length_range(place: int) -> str:
    """The steps of a range as text: ``6-10``; the last has no end: ``>10000``."""
    if place == len(LENGTHS):
        return f">{LENGTHS[-1]}"
    first = LENGTHS[place - 1] + 1 if place else 0
    return f"{first}-{LENGTHS[place]}"
