"""Programs that nobody has run yet: from records of real files, and drawn from templates."""

from __future__ import annotations

from functools import partial
from pathlib import PurePath

from factory.recipe_records import Recipe
from factory.records import Dropped, Origin
from factory.sources.base import BadRecord, Drafted, Reader
from factory.sources.cruxeval import read_cruxeval
from factory.sources.fields import read_fields
from factory.sources.humaneval import read_humaneval
from factory.sources.mbpp import read_mbpp
from factory.sources.records import RawRecord, parse_record

__all__ = ["SHAPES", "Drafted", "RawRecord", "read_draft"]

SHAPES: dict[str, Reader] = {
    "cruxeval": read_cruxeval,
    "humaneval": read_humaneval,
    "mbpp": read_mbpp,
}


def read_draft(raw: RawRecord, recipe: Recipe) -> Drafted:
    """The draft of one record of the recipe's file, or the drop that says why there is none."""
    file = PurePath(recipe.source.path or "").name
    where = f"{file}:{raw.row}"
    record = parse_record(raw, where)
    if isinstance(record, Dropped):
        return Drafted(None, (record,))
    origin = Origin("jsonl", file=file, row=raw.row, licence=recipe.licence)
    try:
        return _reader(recipe)(record, origin, where)
    except BadRecord as bad:
        return Drafted(None, (bad.dropped,))


def _reader(recipe: Recipe) -> Reader:
    if recipe.source.fields is not None:
        return partial(read_fields, fields=recipe.source.fields)
    return SHAPES[recipe.source.shape or ""]
