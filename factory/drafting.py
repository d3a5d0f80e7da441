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

from factory.dedupe import dedupe_key
from factory.execute import execute
from factory.records import Dropped, Example
from factory.rows import Context, ExampleRows, example_rows
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
    key: str | None
    """Equal keys are duplicates; ``None`` is no duplicate of anything."""
    dropped: tuple[Dropped, ...]


@dataclass(frozen=True, slots=True)
class BuildJob:
    """Makes units of one build; a worker keeps its sandboxes from unit to unit."""

    context: Context

    @contextmanager
    def open(self) -> Iterator[Callable[[Unit], bytes]]:
        """Start the sandboxes."""
        with Runner(self.context.recipe.limits) as runner:
            yield partial(make_unit, runner=runner, context=self.context)


def make_unit(unit: Unit, runner: Runner, context: Context) -> bytes:
    """The entries of a unit, as :func:`read_unit` takes them."""
    if unit.rows is None:
        numbers = range(unit.first, unit.first + UNIT_DRAWS)
        entries = [_draw_entry(number, runner, context) for number in numbers]
    else:
        entries = [_row_entry(raw, runner, context) for raw in unit.rows]
    text = json.dumps([_plain(entry) for entry in entries])
    return gzip.compress(text.encode("ascii"), compresslevel=1, mtime=0)


def _plain(entry: Entry) -> dict[str, Any]:
    """The entry as JSON-able data; its rows are that already."""
    rows = entry.rows
    return {
        "where": entry.where,
        "rows": rows
        and {"program": rows.program, "traces": rows.traces, "questions": rows.questions},
        "key": entry.key,
        "dropped": [asdict(drop) for drop in entry.dropped],
    }


def read_unit(content: bytes) -> tuple[Entry, ...]:
    """The entries that :func:`make_unit` wrote."""
    return tuple(
        Entry(
            where=entry["where"],
            rows=None if entry["rows"] is None else _read_rows(entry["rows"]),
            key=entry["key"],
            dropped=tuple(Dropped(**drop) for drop in entry["dropped"]),
        )
        for entry in json.loads(gzip.decompress(content))
    )


def _read_rows(rows: dict[str, Any]) -> ExampleRows:
    return ExampleRows(rows["program"], tuple(rows["traces"]), tuple(rows["questions"]))


def _row_entry(raw: RawRecord, runner: Runner, context: Context) -> Entry:
    recipe = context.recipe
    where = f"{PurePath(recipe.source.path or '').name}:{raw.row}"
    drafted = read_draft(raw, recipe)
    if drafted.draft is None:
        return Entry(where, None, None, drafted.dropped)
    execution = execute(drafted.draft, runner, recipe, f"{recipe.seed}:{raw.row}", where)
    return _entry(where, execution.example, (*drafted.dropped, *execution.dropped), context)


def _draw_entry(number: int, runner: Runner, context: Context) -> Entry:
    recipe = context.recipe
    cells = selected_cells(recipe.grid)
    cell = cells[number % len(cells)]
    dropped: list[Dropped] = []
    for attempt in range(MAX_ATTEMPTS):
        where = draw_place(cell, number, attempt)
        seed = draw_seed(recipe.seed, number, attempt)
        drafted = draw(cell, seed, where, recipe.licence)
        dropped.extend(drafted.dropped)
        if drafted.draft is None:
            continue
        execution = execute(drafted.draft, runner, recipe, seed, where)
        dropped.extend(execution.dropped)
        if execution.example is not None:
            return _entry(where, execution.example, tuple(dropped), context)
    return Entry(draw_place(cell, number, MAX_ATTEMPTS), None, None, tuple(dropped))


def _entry(
    where: str, example: Example | None, dropped: tuple[Dropped, ...], context: Context
) -> Entry:
    if example is None:
        return Entry(where, None, None, dropped)
    rows = example_rows(example, context)
    return Entry(where, rows, dedupe_key(example.draft, context.recipe.dedupe_rule), dropped)
