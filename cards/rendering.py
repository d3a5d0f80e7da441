"""Renders the Markdown templates of this folder; an undefined name is an error, never a blank."""

from __future__ import annotations

import re
from importlib import resources
from typing import Any

_MARKS = re.compile(r"[\\|`*_<\[\]]")


def render_template(name: str, **values: Any) -> str:
    """The text of ``cards/<name>.md.jinja`` with these values.

    Raises:
        jinja2.UndefinedError: The template tells something that no value holds.
    """
    import jinja2

    environment = jinja2.Environment(
        loader=jinja2.FunctionLoader(_read),
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        autoescape=False,  # noqa: S701 (Markdown, not HTML)
    )
    environment.filters["number"] = number_text
    environment.filters["cell"] = cell_text
    environment.filters["words"] = lambda name: cell_text(name.replace("_", " "))
    return environment.get_template(f"{name}.md.jinja").render(**values)


def number_text(number: float) -> str:
    """A number with thousands separated; four digits of a fraction."""
    if isinstance(number, float) and not number.is_integer():
        return f"{number:.4g}"
    return f"{int(number):,}"


def cell_text(value: Any) -> str:
    """A value inside a Markdown table or sentence: one line, nothing of it is markup."""
    if isinstance(value, bool) or value is None:
        return {True: "yes", False: "no", None: "–"}[value]
    if isinstance(value, int | float):
        return number_text(value)
    return _MARKS.sub(lambda mark: f"\\{mark[0]}", " ".join(str(value).split()))


def _read(name: str) -> str:
    return (resources.files("cards") / name).read_text("utf-8")
