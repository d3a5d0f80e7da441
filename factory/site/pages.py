"""The HTML of the pages: one document that holds style and scripts, so that it works anywhere.

Texts of programs are untrusted. In a page they are only ever data: JSON without a ``<``, of which
the scripts make text nodes.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from importlib import resources
from typing import Any

from factory.site.documents import Shown, program_document
from tracer.records import Question, Trace

SCRIPTS = (
    *("dom", "theme", "python", "states", "chunks", "questions", "code", "variables"),
    *("player", "catalogue", "keys", "app"),
)
"""Files of ``assets``, in the order in which they need one another."""
KEYS: tuple[tuple[tuple[str, ...], str], ...] = (
    (("→", "j"), "one step forward; in the list, the next program"),
    (("←", "k"), "one step back; in the list, the program before"),
    (("Home", "End"), "first step, end of the call"),
    (("[", "]"), "the call before, the next call"),
    (("Space",), "play or pause"),
    (("a",), "show or hide all answers"),
    (("/",), "search the programs"),
    (("t",), "dark or light"),
    (("Esc",), "leave a field; up one page"),
    (("?",), "this list"),
)
TRACE_STEPS = 10_000
"""Most steps in a page of one trace."""


def site_page(title: str, overview: Mapping[str, Any]) -> bytes:
    """``index.html`` of a site; its data lie beside it."""
    return _render(title=title, overview=overview, data=None)


def trace_page(title: str, trace: Trace, questions: tuple[Question, ...]) -> bytes:
    """A page of one trace that needs no other file."""
    shown = Shown(trace, tuple((str(place), each) for place, each in enumerate(questions)))
    facts = [f"Python {trace.python}"]
    document = program_document("trace", title, facts, [shown], TRACE_STEPS)
    return _render(title=title, overview=None, data=data_script("program", [document]))


def data_script(name: str, content: Any) -> str:
    """A script that hands ``content`` to the page.

    ASCII only, and no ``<`` that could end a script element or begin a comment.
    """
    text = json.dumps(content, ensure_ascii=True, separators=(",", ":")).replace("<", "\\u003c")
    return f'tracefoundry.receive("{name}",{text});'


def _render(**values: Any) -> bytes:
    import jinja2

    environment = jinja2.Environment(
        undefined=jinja2.StrictUndefined, autoescape=True, trim_blocks=True, lstrip_blocks=True
    )
    values = {key: _trusted(value) if key == "data" else value for key, value in values.items()}
    text = environment.from_string(_asset("page.html.jinja")).render(
        style=_trusted(_asset("style.css")),
        script=_trusted(_script()),
        keys=KEYS,
        **values,
    )
    return text.encode("utf-8", errors="xmlcharrefreplace")


def _trusted(text: str | None) -> Any:
    """Text of ours that stands in the page as it is."""
    from markupsafe import Markup

    return None if text is None else Markup(text)  # noqa: S704 (no text of the data)


@cache
def _script() -> str:
    """The scripts as one, in a scope of its own."""
    parts = "\n".join(_asset(f"{name}.js") for name in SCRIPTS)
    return f'(() => {{\n"use strict";\n{parts}}})();'


@cache
def _asset(name: str) -> str:
    return (resources.files("factory.site") / "assets" / name).read_text("utf-8")
