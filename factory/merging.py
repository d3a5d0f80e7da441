"""Takes the entries of a build in draw order: dedupes, counts, and passes rows to the shards."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import asdict, replace
from itertools import islice
from pathlib import Path
from types import TracebackType
from typing import IO

from factory.decontamination import Hit
from factory.dedupe import SeenKeys
from factory.difficulty.measuring import Asked, Measurer
from factory.entries import Entry
from factory.near_duplicates import NearDuplicates
from factory.reasoning.shortcuts import Sample
from factory.recipe_records import Recipe
from factory.records import Dropped
from factory.rows import ExampleRows, Row
from factory.sources.units import UNIT_DRAWS
from factory.stage1 import make_prompts
from factory.store import ShardWriter
from factory.tally import Tally
from factory.teaching.opening import Staff
from factory.writing.acceptance import Acceptance

BARREN_ROUNDS = 3
"""Rounds over all cells without a new program after which the grid counts as used up."""


class Merger:
    """The one place where the order of draws decides: first wins; use it in ``with``."""

    def __init__(
        self,
        recipe: Recipe,
        out: Path,
        drops_file: IO[str],
        measurer: Measurer | None = None,
        staff: Staff | None = None,
    ) -> None:
        self.tally = Tally()
        self.writing = Acceptance()
        """How the programs of the model that writes some were taken."""
        self.shortcuts = Sample()
        """The pairs by which the build finds out whether they can be told apart unread."""
        self._recipe = recipe
        self._measurer = measurer
        self._staff = staff or Staff()
        self._open = ExitStack()
        self._writer = self._open.enter_context(ShardWriter(out, recipe.shard_programs))
        self._seen = self._open.enter_context(SeenKeys())
        self._near: NearDuplicates | None = None
        if recipe.near_duplicates is not None:
            self._near = self._open.enter_context(NearDuplicates(recipe.near_duplicates))
        self.hits: list[Hit] = []
        """Programs that were left out because a benchmark has them, in draw order."""
        self._drops_file = drops_file
        self._drops: dict[str, Counter[str]] = {}
        self._problems: set[str] = set()
        """Ids of problems that belong to no program."""
        self._entries = 0
        self._accepted = 0
        self._prompts = 0
        self._in_cell = Counter[tuple[str, str, int]]()
        self._barren = 0
        self._patience = self._find_patience()

    def __enter__(self) -> Merger:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Forget the indexes, and what was not written."""
        self._open.close()

    def _find_patience(self) -> int | None:
        """Draws without a new program that are borne; ``None`` where the source has an end."""
        if not self._recipe.source.drawn:
            return None
        from factory.sources.templates import selected_cells

        return max(UNIT_DRAWS, BARREN_ROUNDS * len(selected_cells(self._recipe.grid)))

    @property
    def done(self) -> bool:
        """Whether no more entries are wanted: enough programs, or a grid that gives no more."""
        if self._patience is None:
            return False
        enough = self._accepted == self._recipe.programs
        return enough or self._barren >= self._patience

    @property
    def progress(self) -> int:
        """Programs so far; of a file, rows so far."""
        return self._entries if self._patience is None else self._accepted

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

    def add(self, entries: Iterable[Entry]) -> None:
        """Take the draws or rows of the next unit, as many as are wanted."""
        accepted: list[ExampleRows] = []
        for entry in entries:
            if self.done:
                break
            rows = self._accept(entry)
            if rows is not None:
                accepted.append(rows)
            for problem in entry.problems:
                self._take_in(problem, entry.where)
        for rows in self._teach(self._measure(accepted)):
            finished = self._with_prompts(rows)
            self.tally.add(finished)
            for pair in finished.crpl:
                self.shortcuts.add(pair)
            self._writer.add(finished)

    def _accept(self, entry: Entry) -> ExampleRows | None:
        """The rows of an entry that is kept."""
        self._entries += 1
        self._barren += 1
        for dropped in entry.dropped:
            self._drop(dropped)
        self.hits.extend(entry.hits)
        if entry.replies:
            self.writing.add(entry.cell, entry.replies, entry.rows is not None)
        if entry.rows is None:
            return None
        program = entry.rows.program
        if self._is_full(program):
            self._drop(Dropped("curriculum", "cell_full", entry.where, program["program_id"]))
            return None
        duplicate = self._find_duplicate(entry, entry.rows)
        if duplicate is not None:
            self._drop(duplicate)
            return None
        self._seen.add(entry.keys)
        if self._near is not None and entry.signature is not None:
            self._near.add(entry.signature, entry.rows.program["program_id"])
        self._barren = 0
        self._accepted += 1
        if program["constraint"] is not None:
            self._in_cell[_cell_of(program)] += 1
        return entry.rows

    def _take_in(self, problem: Row, where: str) -> None:
        """Keep a problem that belongs to no program, the first of equal ones."""
        own_id = problem["problem_id"]
        if own_id in self._problems:
            self._drop(Dropped("dedupe", "same_problem", where, own_id))
            return
        self._problems.add(own_id)
        self.tally.count("problems", [problem])
        self._writer.add_problem(problem)

    def _is_full(self, program: Row) -> bool:
        """Whether the program's cell has as many as the recipe allows."""
        most = self._recipe.grid.per_cell
        if most is None or program["constraint"] is None:
            return False
        return self._in_cell[_cell_of(program)] >= most

    def _measure(self, programs: Sequence[ExampleRows]) -> Sequence[ExampleRows]:
        """The programs with their questions measured, where a model is at hand."""
        if self._measurer is None:
            return programs
        asked = [
            Asked(rows.program, trace, question)
            for rows in programs
            for trace, question in _with_traces(rows)
        ]
        measured = iter(self._measurer.measure(asked))
        return [
            replace(rows, questions=tuple(islice(measured, len(rows.questions))))
            for rows in programs
        ]

    def _teach(self, programs: Sequence[ExampleRows]) -> Sequence[ExampleRows]:
        """The programs with what models wrote about their runs, where such are at hand."""
        teacher, rewriter = self._staff.teacher, self._staff.rewriter
        if teacher is not None:
            taught = teacher.teach(programs)
            programs = [
                replace(rows, sft=(*rows.sft, *each.rows))
                for rows, each in zip(programs, taught, strict=True)
            ]
            for each in taught:
                for dropped in each.dropped:
                    self._drop(dropped)
        if rewriter is not None:
            written = rewriter.rewrite(programs)
            programs = [
                replace(rows, crpl=(*rows.crpl, *pairs))
                for rows, (pairs, _) in zip(programs, written, strict=True)
            ]
            for _, refused in written:
                for dropped in refused:
                    self._drop(dropped)
        return programs

    def _with_prompts(self, rows: ExampleRows) -> ExampleRows:
        """The rows of a program with its prompts, as far as more are wanted."""
        made = make_prompts(rows.program, rows.traces, rows.questions, self._recipe)
        for dropped in made.dropped:
            self._drop(dropped)
        prompts = made.rows
        most = self._recipe.stage1.rows
        if most is not None and rows.program["split"] == "train":
            prompts = prompts[: most - self._prompts]
            self._prompts += len(prompts)
        return replace(rows, stage1=prompts)

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
        """Write what is left."""
        self._writer.close()

    def _drop(self, dropped: Dropped) -> None:
        self._drops.setdefault(dropped.stage, Counter())[dropped.reason] += 1
        self._drops_file.write(json.dumps(asdict(dropped)) + "\n")


def _cell_of(program: Row) -> tuple[str, str, int]:
    constraint = program["constraint"]
    return constraint["type"], constraint["method"], constraint["level"]


def _with_traces(rows: ExampleRows) -> Iterator[tuple[Row, Row]]:
    """Each question with its trace."""
    traces = {trace["trace_id"]: trace for trace in rows.traces}
    return ((traces[question["trace_id"]], question) for question in rows.questions)
