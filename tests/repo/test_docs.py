"""Docs that must not contradict the code."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

from factory.gallery import gallery_page
from factory.table import COLUMNS
from tracer.questions import QUESTION_KINDS

DOCS = Path(__file__).parents[2] / "docs"


def test_every_column_is_described() -> None:
    text = (DOCS / "data.md").read_text()
    for config, columns in COLUMNS.items():
        section = text.split(f"## `{config}`")[1].split("\n## ")[0]
        named = set(re.findall(r"`(\w+)`", section))
        for name, kind in columns.items():
            assert name in named, (config, name)
            if isinstance(kind, dict):
                assert set(kind) <= named, (config, name)


def test_every_question_kind_is_described() -> None:
    text = (DOCS / "data.md").read_text()
    for kind in QUESTION_KINDS:
        assert f"`{kind.name}`" in text


def test_gallery_shows_every_template(same_as_file: Callable[[Path, str], None]) -> None:
    from factory.templates import TEMPLATES

    page = gallery_page()
    for template in TEMPLATES:
        assert f"\n## {template.name} (level" in page
    same_as_file(DOCS / "gallery.md", page)
