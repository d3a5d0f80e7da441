"""One unit of work: draws or rows to finished rows and drops, as a worker does it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import PurePath

from factory.decontamination import BenchmarkIndex, Hit
from factory.dedupe import dedupe_keys
from factory.entries import Entry, write_unit
from factory.execute import Work, execute
from factory.models.base import Model
from factory.models.sharing import ModelAddress
from factory.near_duplicates import find_signature
from factory.problems.making import Problemsmith
from factory.problems.public import Publisher
from factory.problems.results import Made
from factory.records import Dropped, Example
from factory.rows import Context, ExampleRows, Row, example_rows, make_plan_rows, program_id
from factory.sources import RawRecord, read_draft
from factory.sources.records import parse_record
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
            model = None if self.writer is None else stack.enter_context(self.writer.open())
            maker = EntryMaker(runner, tester, self.context, self.index, model)
            yield partial(make_unit, maker=maker)


def make_unit(unit: Unit, maker: EntryMaker) -> bytes:
    """The entries of a unit, as :func:`factory.entries.read_unit` takes them."""
    if unit.rows is None:
        numbers = range(unit.first, unit.first + UNIT_DRAWS)
        entries = maker.draw(numbers)
    else:
        entries = maker.read(unit.rows)
    return write_unit(entries)


@dataclass(frozen=True, slots=True)
class _Notes:
    """What is noted of one draw or row on the way to its entry."""

    dropped: list[Dropped] = field(default_factory=list)
    hits: list[Hit] = field(default_factory=list)

    def add(self, later: _Notes) -> None:
        """Note what was noted later too."""
        self.dropped.extend(later.dropped)
        self.hits.extend(later.hits)


@dataclass(frozen=True, slots=True)
class _Ending:
    """What one draw or row has come to."""

    where: str
    example: Example | None
    noted: _Notes


class EntryMaker:
    """Makes the entries of a unit together, in the sandboxes of one worker."""

    def __init__(
        self,
        runner: Runner,
        tester: UnitTester,
        context: Context,
        index: BenchmarkIndex | None,
        writer: Model | None = None,
    ) -> None:
        self._runner = runner
        self._smith = Problemsmith(runner, tester, context.recipe)
        self._publisher = Publisher(tester, context.recipe)
        self._writer = writer
        self._context = context
        self._recipe = context.recipe
        self._index = index

    def read(self, rows: Sequence[RawRecord]) -> tuple[Entry, ...]:
        """The entries of rows of the recipe's file."""
        recipe = self._recipe
        if recipe.source.kind == "problems":
            return tuple(map(self._take_in, rows))
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
        return self._entries(
            [_Ending(f"{name}:{row}", examples.get(row), noted) for row, noted in notes.items()]
        )

    def _take_in(self, raw: RawRecord) -> Entry:
        """The entry of a record of a public data set of problems."""
        where = f"{PurePath(self._recipe.source.path or '').name}:{raw.row}"
        record = parse_record(raw, where)
        if isinstance(record, Dropped):
            return Entry(where, None, {}, None, (record,), ())
        made = self._publisher.take(record)
        noted = _Notes(list(made.drops(where)))
        rows = [row for row in made.rows if not self._is_published(row, where, noted)]
        return Entry(
            where, None, {}, None, tuple(noted.dropped), tuple(noted.hits), problems=tuple(rows)
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
        endings: dict[int, _Ending] = {}
        for attempt in range(MAX_ATTEMPTS):
            works: dict[int, Work] = {}
            for number in numbers:
                if number not in endings:
                    cell = cells[number % len(cells)]
                    where = draw_place(cell, number, attempt)
                    seed = draw_seed(recipe.seed, number, attempt)
                    drafted = draw(cell, seed, where, recipe.licence)
                    notes[number].dropped.extend(drafted.dropped)
                    if drafted.draft is not None:
                        works[number] = Work(drafted.draft, seed, where)
            for number, example in self._examples(works, notes).items():
                endings[number] = _Ending(works[number].where, example, notes[number])
        for number in numbers:
            if number not in endings:
                where = draw_place(cells[number % len(cells)], number, MAX_ATTEMPTS)
                endings[number] = _Ending(where, None, notes[number])
        return dict(zip(endings, self._entries([*endings.values()]), strict=True))

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
        entries = self._entries([_Ending(talks.place(n), examples.get(n), notes[n]) for n in own])
        return {
            n: replace(entry, replies=talks.replies(n) + (n in examples), cell=str(cell))
            for (n, cell), entry in zip(own.items(), entries, strict=True)
        }

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
        return self._is_found(work.draft.program.source, program_id(work.draft), work.where, noted)

    def _is_published(self, row: Row, where: str, noted: _Notes) -> bool:
        """Whether a benchmark has the reference of a problem."""
        return self._is_found(row["reference"], row["problem_id"], where, noted)

    def _is_found(self, source: str, own_id: str, where: str, noted: _Notes) -> bool:
        if self._index is None:
            return False
        hit = self._index.find(source, own_id)
        if hit is None:
            return False
        noted.hits.append(hit)
        detail = f"{hit.benchmark} {hit.benchmark_id} ({hit.share:.0%})"
        noted.dropped.append(Dropped("decontamination", hit.method, where, detail))
        return True

    def _entries(self, endings: Sequence[_Ending]) -> tuple[Entry, ...]:
        """The entry of each draw or row; their problems are made together."""
        examples = {n: end.example for n, end in enumerate(endings) if end.example is not None}
        rows = {n: example_rows(example, self._context) for n, example in examples.items()}
        asked = [(rows[n].program, example.traces) for n, example in examples.items()]
        made = dict(zip(examples, self._smith.make_many(asked), strict=True))
        return tuple(
            self._entry(end, end.example, rows[n], made[n])
            if end.example is not None
            else Entry(end.where, None, {}, None, tuple(end.noted.dropped), tuple(end.noted.hits))
            for n, end in enumerate(endings)
        )

    def _entry(self, end: _Ending, example: Example, rows: ExampleRows, made: Made) -> Entry:
        near = self._recipe.near_duplicates is not None
        pairs = make_plan_rows(rows.program, made, self._recipe)
        return Entry(
            where=end.where,
            rows=replace(rows, problems=made.rows, crpl=(*rows.crpl, *pairs)),
            keys=dedupe_keys(example.draft, self._recipe.dedupe_rule, self._runner),
            signature=find_signature(example.draft.program.source) if near else None,
            dropped=(*end.noted.dropped, *made.drops(end.where)),
            hits=tuple(end.noted.hits),
        )
