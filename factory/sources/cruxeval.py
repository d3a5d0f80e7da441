"""CRUXEval records: ``code`` defines ``f``, called with ``input``; ``output`` is the result.

Source: https://github.com/facebookresearch/cruxeval (data/cruxeval.jsonl)
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from factory.records import Origin
from factory.sources.base import (
    Drafted,
    checked_tree,
    draft_with_outputs,
    record_name,
    text_field,
)
from tracer.records import Program

ENTRY_POINT = "f"


def read_cruxeval(record: dict[str, Any], origin: Origin, where: str) -> Drafted:
    """The program of one CRUXEval record, with its one call and promised result.

    Raises:
        BadRecord: A field is missing or the program cannot be used.
    """
    source = text_field(record, "code", where)
    given, promised = text_field(record, "input", where), text_field(record, "output", where)
    checked_tree(source, ENTRY_POINT, where)
    origin = replace(origin, name=record_name(record, "id"))
    return draft_with_outputs(Program(source, ENTRY_POINT), origin, where, (given,), (promised,))
