"""Takes the entries of a build in draw order: dedupes, counts, and passes rows to the shards."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import asdict
from pathlib import Path
from typing import IO

from factory.decontamination import Hit
from factory.dedupe import SeenKeys
from factory.drafting import Entry
from factory.near_duplicates import NearDuplicates
from factory.recipe_records import Recipe
from factory.records import Dropped
from factory.rows import ExampleRows
from factory.sources.units import UNIT_DRAWS
from factory.store import ShardWriter
from factory.tally import Tally

BARREN_ROUNDS = 3
"""Rounds over all cells without a new program after which the grid counts as used up."""


class Merger:
    """The one place where the order of draws decides: first wins."""

    def __init__(self, recipe: Recipe, out: Path, drops_file: IO[str]) -> None:
        self.tally = Tally()
        self._recipe = recipe
        self._writer = ShardWriter(out, recipe.shard_programs)
        self._seen = SeenKeys()
        self._near: NearDuplicates | None = None
        self._open = ExitStack()
        if recipe.near_duplicates is not None:
            self._near = self._open.enter_context(NearDuplicates(recipe.near_duplicates))
        self.hits: list[Hit] = []
        """Programs that were left out because a benchmark has them, in draw order."""
        self._drops_file = drops_file
        self._drops: dict[str, Counter[str]] = {}
        self._entries = 0
        self._barren = 0
        self._patience = self._find_patience()

    def _find_patience(self) -> int | None:
        """Draws without a new program that are borne; ``None`` where the source has an end."""
        if self._recipe.source.kind != "templates":
            return None
        from factory.sources.templates import selected_cells

        return max(UNIT_DRAWS, BARREN_ROUNDS * len(selected_cells(self._recipe.grid)))

    @property
    def done(self) -> bool:
        """Whether no more entries are wanted: enough programs, or a grid that gives no more."""
        if self._patience is None:
            return False
        enough = self.tally.total("programs") == self._recipe.programs
        return enough or self._barren >= self._patience

    @property
    def progress(self) -> int:
        """Programs so far; of a file, rows so far."""
        return self._entries if self._patience is None else self.tally.total("programs")

    @property
    def units_wanted(self) -> int:
        """About how many more units are needed, if every draw gives a program."""
        missing = (self._recipe.programs or 2**31) - self.progress
        return -(-missing // UNIT_DRAWS)

    @property
    def drops(self) -> Mapping[str, Mapping[str, int]]:
        """Number of drops by stage and reason."""
        return self._drops

    @property
    def written(self) -> list[str]:
        """Paths of the files, inside the folder."""
        return self._writer.written

    def add(self, entry: Entry) -> None:
        """Take the next draw or row."""
        self._entries += 1
        self._barren += 1
        for dropped in entry.dropped:
            self._drop(dropped)
        self.hits.extend(entry.hits)
        if entry.rows is None:
            return
        duplicate = self._find_duplicate(entry, entry.rows)
        if duplicate is not None:
            self._drop(duplicate)
            return
        self._seen.add(entry.keys)
        if self._near is not None and entry.signature is not None:
            self._near.add(entry.signature, entry.rows.program["program_id"])
        self._barren = 0
        self.tally.add(entry.rows)
        self._writer.add(entry.rows)

    def _find_duplicate(self, entry: Entry, rows: ExampleRows) -> Dropped | None:
        """Why the program is not new; the first of equal ones is kept, whatever came between."""
        program = rows.program["program_id"]
        reason = self._seen.find(entry.keys)
        if reason is not None:
            return Dropped("dedupe", reason, entry.where, program)
        if self._near is not None and entry.signature is not None:
            other = self._near.find(entry.signature)
            if other is not None:
                detail = f"{program} is nearly {other}"
                return Dropped("dedupe", "near_duplicate", entry.where, detail)
        return None

    def close(self) -> None:
        """Write what is left and forget the indexes."""
        self._writer.close()
        self._open.close()

    def _drop(self, dropped: Dropped) -> None:
        self._drops.setdefault(dropped.stage, Counter())[dropped.reason] += 1
        self._drops_file.write(json.dumps(asdict(dropped)) + "\n")
