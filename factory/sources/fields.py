"""Records of any shape: the recipe says which field holds which part of the program.

Source: own
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from factory.recipe_records import Fields
from factory.records import Dropped, Origin
from factory.sources.base import (
    BadRecord,
    Drafted,
    checked_tree,
    draft_with_outputs,
    record_name,
    text_field,
    text_list,
)
from tracer.records import Program


def read_fields(record: dict[str, Any], origin: Origin, where: str, fields: Fields) -> Drafted:
    """The program of one record.

    Raises:
        BadRecord: A field is missing or the program cannot be used.
    """
    source = text_field(record, fields.code, where)
    entry_point = fields.entry_point
    if entry_point in record:
        entry_point = text_field(record, entry_point, where)
    if not entry_point.isidentifier():
        detail = f"{entry_point!r} is neither a field nor a name"
        raise BadRecord(Dropped("source", "unknown_entry_point", where, detail))
    checked_tree(source, entry_point, where)
    inputs = () if fields.input is None else text_list(record, fields.input, where)
    outputs: tuple[str, ...] = ()
    if fields.output is not None and fields.output in record:
        outputs = text_list(record, fields.output, where)
    origin = replace(origin, name=record_name(record, "id", "task_id", "name"))
    return draft_with_outputs(Program(source, entry_point), origin, where, inputs, outputs)
