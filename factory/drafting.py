"""One unit of work: draws or rows to finished rows and drops, as a worker does it."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import asdict, dataclass, field, replace
from functools import partial
from pathlib import PurePath
from typing import Any

from factory.decontamination import BenchmarkIndex, Hit
from factory.dedupe import dedupe_keys
from factory.execute import Work, execute
from factory.models.base import Model
from factory.models.sharing import ModelAddress
from factory.near_duplicates import find_signature
from factory.problems.making import Problemsmith
from factory.records import Dropped, Example
from factory.rows import Context, ExampleRows, example_rows, program_id
from factory.sources import RawRecord, read_draft
from factory.sources.templates import (
    MAX_ATTEMPTS,
    draw,
    draw_place,
    draw_seed,
    selected_cells,
)
from factory.sources.units import UNIT_DRAWS, Unit
from factory.writing.talks import Talks, is_written
from tracer.runner import Runner
from tracer.unit_tests import UnitTester


@dataclass(frozen=True, slots=True)
class Entry:
    """What became of one draw or row: in draw order these are the whole build."""

    where: str
    rows: ExampleRows | None
    keys: dict[str, str]
    """Programs that share one are duplicates (:func:`factory.dedupe.dedupe_keys`)."""
    signature: str | None
    """For :mod:`factory.near_duplicates`; ``None`` when the recipe does not ask for it."""
    dropped: tuple[Dropped, ...]
    hits: tuple[Hit, ...]
    """Programs that were left out because a benchmark has them."""
    replies: int = 0
    """Replies of the model that writes programs; 0 where none was asked."""
    cell: str = ""
    """Cell of the grid for which the model wrote."""


@dataclass(frozen=True, slots=True)
class BuildJob:
    """Makes units of one build; a worker keeps its sandboxes from unit to unit."""

    context: Context
    index: BenchmarkIndex | None = None
    writer: ModelAddress | None = None
    """Where the model that writes programs is, if one does."""

    @contextmanager
    def open(self) -> Iterator[Callable[[Unit], bytes]]:
        """Start the sandboxes, and get in touch with the model."""
        recipe = self.context.recipe
        with ExitStack() as stack:
            runner = stack.enter_context(Runner(recipe.limits))
            tester = stack.enter_context(UnitTester())
            smith = Problemsmith(runner, tester, recipe)
            model = None if self.writer is None else stack.enter_context(self.writer.open())
            yield partial(
                make_unit, maker=EntryMaker(runner, smith, self.context, self.index, model)
            )


_MADE_HERE = ("program", "traces", "questions", "sft", "crpl", "problems")
"""Rows that a worker makes; the prompts of ``stage1`` come when all questions are measured."""


def make_unit(unit: Unit, maker: EntryMaker) -> bytes:
    """The entries of a unit, as :func:`read_unit` takes them."""
    if unit.rows is None:
        numbers = range(unit.first, unit.first + UNIT_DRAWS)
        entries = maker.draw(numbers)
    else:
        entries = maker.read(unit.rows)
    text = json.dumps([_plain(entry) for entry in entries])
    return gzip.compress(text.encode("ascii"), compresslevel=1, mtime=0)


def _plain(entry: Entry) -> dict[str, Any]:
    """The entry as JSON-able data; its rows are that already."""
    rows = entry.rows
    return {
        "where": entry.where,
        "rows": rows and {config: getattr(rows, config) for config in _MADE_HERE},
        "keys": entry.keys,
        "signature": entry.signature,
        "dropped": [asdict(drop) for drop in entry.dropped],
        "hits": [asdict(hit) for hit in entry.hits],
        "replies": entry.replies,
        "cell": entry.cell,
    }


def read_unit(content: bytes) -> tuple[Entry, ...]:
    """The entries that :func:`make_unit` wrote."""
    return tuple(
        Entry(
            where=entry["where"],
            rows=None if entry["rows"] is None else _read_rows(entry["rows"]),
            keys=entry["keys"],
            signature=entry["signature"],
            dropped=tuple(Dropped(**drop) for drop in entry["dropped"]),
            hits=tuple(Hit(**hit) for hit in entry["hits"]),
            replies=entry["replies"],
            cell=entry["cell"],
        )
        for entry in json.loads(gzip.decompress(content))
    )


def _read_rows(rows: dict[str, Any]) -> ExampleRows:
    several = {config: tuple(rows[config]) for config in _MADE_HERE if config != "program"}
    return ExampleRows(rows["program"], **several)


@dataclass(frozen=True, slots=True)
class _Notes:
    """What is noted of one draw or row on the way to its entry."""

    dropped: list[Dropped] = field(default_factory=list)
    hits: list[Hit] = field(default_factory=list)

    def add(self, later: _Notes) -> None:
        """Note what was noted later too."""
        self.dropped.extend(later.dropped)
        self.hits.extend(later.hits)


class EntryMaker:
    """Makes the entries of a unit together, in the sandboxes of one worker."""

    def __init__(
        self,
        runner: Runner,
        smith: Problemsmith,
        context: Context,
        index: BenchmarkIndex | None,
        writer: Model | None = None,
    ) -> None:
        self._runner = runner
        self._smith = smith
        self._writer = writer
        self._context = context
        self._recipe = context.recipe
        self._index = index

    def read(self, rows: Sequence[RawRecord]) -> tuple[Entry, ...]:
        """The entries of rows of the recipe's file."""
        recipe = self._recipe
        name = PurePath(recipe.source.path or "").name
        notes = {raw.row: _Notes() for raw in rows}
        works: dict[int, Work] = {}
        for raw in rows:
            drafted = read_draft(raw, recipe)
            notes[raw.row].dropped.extend(drafted.dropped)
            if drafted.draft is not None:
                seed = f"{recipe.seed}:{raw.row}"
                works[raw.row] = Work(drafted.draft, seed, f"{name}:{raw.row}")
        examples = self._examples(works, notes)
        return tuple(
            self._entry(f"{name}:{row}", examples.get(row), noted) for row, noted in notes.items()
        )

    def draw(self, numbers: Sequence[int]) -> tuple[Entry, ...]:
        """The entries of draws, in order: written by the model, or drawn from templates."""
        written = [number for number in numbers if is_written(number, self._recipe)]
        drawn = [number for number in numbers if number not in written]
        made = {**self._draw(drawn), **self._write(written)}
        return tuple(made[number] for number in numbers)

    def _draw(self, numbers: Sequence[int]) -> dict[int, Entry]:
        """The entry of each draw: of its first attempt that gives an example."""
        recipe = self._recipe
        cells = selected_cells(recipe.grid)
        notes = {number: _Notes() for number in numbers}
        entries: dict[int, Entry] = {}
        for attempt in range(MAX_ATTEMPTS):
            works: dict[int, Work] = {}
            for number in numbers:
                if number not in entries:
                    cell = cells[number % len(cells)]
                    where = draw_place(cell, number, attempt)
                    seed = draw_seed(recipe.seed, number, attempt)
                    drafted = draw(cell, seed, where, recipe.licence)
                    notes[number].dropped.extend(drafted.dropped)
                    if drafted.draft is not None:
                        works[number] = Work(drafted.draft, seed, where)
            for number, example in self._examples(works, notes).items():
                entries[number] = self._entry(works[number].where, example, notes[number])
        for number in numbers:
            if number not in entries:
                where = draw_place(cells[number % len(cells)], number, MAX_ATTEMPTS)
                entries[number] = self._entry(where, None, notes[number])
        return entries

    def _write(self, numbers: Sequence[int]) -> dict[int, Entry]:
        """The entry of each draw: of the model's first reply that gives an example."""
        if not numbers:
            return {}
        assert self._writer is not None
        cells = selected_cells(self._recipe.grid)
        own = {number: cells[number % len(cells)] for number in numbers}
        talks = Talks(own, self._recipe, self._writer)
        notes = {number: _Notes() for number in numbers}
        examples: dict[int, Example] = {}
        for _ in range(self._recipe.writer.repairs + 1):
            works: dict[int, Work] = {}
            new = {number: _Notes() for number in numbers if number not in examples}
            for number, drafted in talks.ask(list(new)) if new else ():
                new[number].dropped.extend(drafted.dropped)
                if drafted.draft is not None:
                    seed = draw_seed(self._recipe.seed, number, talks.replies(number))
                    works[number] = Work(drafted.draft, seed, talks.place(number))
            examples |= self._examples(works, new)
            for number, noted in new.items():
                notes[number].add(noted)
                if number not in examples:
                    talks.refuse(number, noted.dropped)
        entries = {}
        for number, cell in own.items():
            entry = self._entry(talks.place(number), examples.get(number), notes[number])
            replies = talks.replies(number) + (number in examples)
            entries[number] = replace(entry, replies=replies, cell=str(cell))
        return entries

    def _examples(
        self, works: Mapping[int, Work], notes: Mapping[int, _Notes]
    ) -> dict[int, Example]:
        """What drafts give when they are run; adds to ``notes``."""
        clean = {
            number: work
            for number, work in works.items()
            if not self._is_known(work, notes[number])
        }
        executions = execute(tuple(clean.values()), self._runner, self._recipe)
        found: dict[int, Example] = {}
        for number, execution in zip(clean, executions, strict=True):
            notes[number].dropped.extend(execution.dropped)
            if execution.example is not None:
                found[number] = execution.example
        return found

    def _is_known(self, work: Work, noted: _Notes) -> bool:
        """Whether a benchmark has the program."""
        if self._index is None:
            return False
        hit = self._index.find(work.draft.program.source, program_id(work.draft))
        if hit is None:
            return False
        noted.hits.append(hit)
        detail = f"{hit.benchmark} {hit.benchmark_id} ({hit.share:.0%})"
        noted.dropped.append(Dropped("decontamination", hit.method, work.where, detail))
        return True

    def _entry(self, where: str, example: Example | None, noted: _Notes) -> Entry:
        dropped, hits = tuple(noted.dropped), tuple(noted.hits)
        if example is None:
            return Entry(where, None, {}, None, dropped, hits)
        near = self._recipe.near_duplicates is not None
        rows = example_rows(example, self._context)
        made = self._smith.make(rows.program, example.traces)
        return Entry(
            where=where,
            rows=replace(rows, problems=made.rows),
            keys=dedupe_keys(example.draft, self._recipe.dedupe_rule, self._runner),
            signature=find_signature(example.draft.program.source) if near else None,
            dropped=(*dropped, *made.drops(where)),
            hits=hits,
        )
