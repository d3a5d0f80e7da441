"""One unit of work: draws or rows to finished rows and drops, as a worker does it."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import PurePath
from typing import Any

from factory.decontamination import BenchmarkIndex, Hit
from factory.dedupe import dedupe_keys
from factory.execute import execute
from factory.near_duplicates import find_signature
from factory.records import Draft, Dropped, Example
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
from tracer.runner import Runner


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


@dataclass(frozen=True, slots=True)
class BuildJob:
    """Makes units of one build; a worker keeps its sandboxes from unit to unit."""

    context: Context
    index: BenchmarkIndex | None = None

    @contextmanager
    def open(self) -> Iterator[Callable[[Unit], bytes]]:
        """Start the sandboxes."""
        with Runner(self.context.recipe.limits) as runner:
            yield partial(make_unit, maker=EntryMaker(runner, self.context, self.index))


def make_unit(unit: Unit, maker: EntryMaker) -> bytes:
    """The entries of a unit, as :func:`read_unit` takes them."""
    if unit.rows is None:
        numbers = range(unit.first, unit.first + UNIT_DRAWS)
        entries = [maker.draw(number) for number in numbers]
    else:
        entries = [maker.read(raw) for raw in unit.rows]
    text = json.dumps([_plain(entry) for entry in entries])
    return gzip.compress(text.encode("ascii"), compresslevel=1, mtime=0)


def _plain(entry: Entry) -> dict[str, Any]:
    """The entry as JSON-able data; its rows are that already."""
    rows = entry.rows
    return {
        "where": entry.where,
        "rows": rows
        and {"program": rows.program, "traces": rows.traces, "questions": rows.questions},
        "keys": entry.keys,
        "signature": entry.signature,
        "dropped": [asdict(drop) for drop in entry.dropped],
        "hits": [asdict(hit) for hit in entry.hits],
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
        )
        for entry in json.loads(gzip.decompress(content))
    )


def _read_rows(rows: dict[str, Any]) -> ExampleRows:
    return ExampleRows(rows["program"], tuple(rows["traces"]), tuple(rows["questions"]))


class EntryMaker:
    """Makes entries one after another in the sandboxes of one worker."""

    def __init__(self, runner: Runner, context: Context, index: BenchmarkIndex | None) -> None:
        self._runner = runner
        self._context = context
        self._recipe = context.recipe
        self._index = index

    def read(self, raw: RawRecord) -> Entry:
        """The entry of one row of the recipe's file."""
        recipe = self._recipe
        where = f"{PurePath(recipe.source.path or '').name}:{raw.row}"
        drafted = read_draft(raw, recipe)
        dropped, hits = list(drafted.dropped), list[Hit]()
        example = None
        if drafted.draft is not None:
            example = self._example(drafted.draft, f"{recipe.seed}:{raw.row}", where, dropped, hits)
        return self._entry(where, example, dropped, hits)

    def draw(self, number: int) -> Entry:
        """The entry of one draw: of its first attempt that gives an example."""
        recipe = self._recipe
        cells = selected_cells(recipe.grid)
        cell = cells[number % len(cells)]
        dropped, hits = list[Dropped](), list[Hit]()
        for attempt in range(MAX_ATTEMPTS):
            where = draw_place(cell, number, attempt)
            seed = draw_seed(recipe.seed, number, attempt)
            drafted = draw(cell, seed, where, recipe.licence)
            dropped.extend(drafted.dropped)
            if drafted.draft is None:
                continue
            example = self._example(drafted.draft, seed, where, dropped, hits)
            if example is not None:
                return self._entry(where, example, dropped, hits)
        return self._entry(draw_place(cell, number, MAX_ATTEMPTS), None, dropped, hits)

    def _example(
        self, draft: Draft, seed: str, where: str, dropped: list[Dropped], hits: list[Hit]
    ) -> Example | None:
        """What a draft gives when it is run; adds to ``dropped`` and ``hits``."""
        if self._index is not None:
            hit = self._index.find(draft.program.source, program_id(draft))
            if hit is not None:
                hits.append(hit)
                detail = f"{hit.benchmark} {hit.benchmark_id} ({hit.share:.0%})"
                dropped.append(Dropped("decontamination", hit.method, where, detail))
                return None
        execution = execute(draft, self._runner, self._recipe, seed, where)
        dropped.extend(execution.dropped)
        return execution.example

    def _entry(
        self, where: str, example: Example | None, dropped: list[Dropped], hits: list[Hit]
    ) -> Entry:
        if example is None:
            return Entry(where, None, {}, None, tuple(dropped), tuple(hits))
        near = self._recipe.near_duplicates is not None
        return Entry(
            where=where,
            rows=example_rows(example, self._context),
            keys=dedupe_keys(example.draft, self._recipe.dedupe_rule, self._runner),
            signature=find_signature(example.draft.program.source) if near else None,
            dropped=tuple(dropped),
            hits=tuple(hits),
        )
