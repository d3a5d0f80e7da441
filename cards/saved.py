"""The record of a model's card as a file beside the weights, so that the card can be made anew."""

from __future__ import annotations

import json
from dataclasses import asdict

from cards.model import ModelRecord

RECORD = "card.json"
"""Name of the file."""


def record_text(record: ModelRecord) -> str:
    """The record as JSON.

    Raises:
        ValueError: It holds a number that JSON has no word for.
    """
    return json.dumps(asdict(record), indent=1, allow_nan=False) + "\n"


def parse_record(text: str | bytes) -> ModelRecord:
    """The record that a file holds.

    Raises:
        ValueError: It is none; the first fault is named, in one line.
    """
    from pydantic import TypeAdapter, ValidationError

    try:
        return TypeAdapter(ModelRecord).validate_json(text)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(map(str, first["loc"])) or "the file"
        raise ValueError(f"{where}: {first['msg']}") from error
