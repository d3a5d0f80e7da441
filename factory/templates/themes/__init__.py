"""Themed word lists: names and literals of one program come from one theme."""

from __future__ import annotations

from factory.templates.themes.base import Theme
from factory.templates.themes.first import FIRST
from factory.templates.themes.second import SECOND

THEMES: tuple[Theme, ...] = (*FIRST, *SECOND)

__all__ = ["THEMES", "Theme"]
