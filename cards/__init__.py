"""Dataset and model cards: Markdown with a YAML header, rendered from one record.

A card is never edited: it is rendered anew whenever its record changes, and an undefined name in
a template is an error, not a blank.
"""

from __future__ import annotations

from cards.dataset import card_files, render
from cards.model import ModelRecord, model_files, render_model
from cards.plots import Plot, plots
from cards.results import BASE_EVALUATED, EVALUATED, RESULTS, parse_results
from cards.saved import RECORD, parse_record, record_text

__all__ = [
    "BASE_EVALUATED",
    "EVALUATED",
    "RECORD",
    "RESULTS",
    "ModelRecord",
    "Plot",
    "card_files",
    "model_files",
    "parse_record",
    "parse_results",
    "plots",
    "record_text",
    "render",
    "render_model",
]
