"""The queries that come with the package: ``factory/queries/*.sql``, one file each.

A file begins with comments of the forms ``-- question: …``, ``-- columns: a, b`` and, for every
``$name`` of its text, ``-- parameter name=default: meaning``.
"""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass
from importlib import resources

from factory.errors import UserError


@dataclass(frozen=True, slots=True)
class NamedQuery:
    """A question that comes with the package: one file of ``factory/queries``."""

    name: str
    question: str
    columns: tuple[str, ...]
    parameters: tuple[tuple[str, object, str], ...]
    """Name, default and meaning of every ``$name`` in the text."""
    sql: str


def named_queries() -> tuple[NamedQuery, ...]:
    """Every query of the package, sorted by name."""
    folder = resources.files("factory") / "queries"
    files = sorted((f for f in folder.iterdir() if f.name.endswith(".sql")), key=lambda f: f.name)
    return tuple(_read(f.name.removesuffix(".sql"), f.read_text(encoding="utf-8")) for f in files)


def find_query(name: str) -> NamedQuery:
    """Return the query of that name.

    Raises:
        UserError: There is none; the nearest names are listed.
    """
    from difflib import get_close_matches

    queries = {query.name: query for query in named_queries()}
    if name in queries:
        return queries[name]
    near = get_close_matches(name, queries, n=3, cutoff=0.4) or sorted(queries)
    raise UserError(f"no query is named {name!r}; there is: {', '.join(near)} (--list shows all)")


def parse_settings(settings: list[str], query: NamedQuery | None = None) -> dict[str, object]:
    """Turn ``k=v`` texts into parameters, on top of the defaults of a named query.

    A value that reads as a Python number, ``True``, ``False``, ``None`` or quoted text is that;
    anything else is text.

    Raises:
        UserError: A text has no ``=``, or the query has no such parameter.
    """
    values = {name: default for name, default, _ in query.parameters} if query else {}
    for setting in settings:
        name, sign, text = setting.partition("=")
        if not sign:
            raise UserError(f"--set {setting}: write it as NAME=VALUE")
        if query is not None and name not in values:
            known = ", ".join(values) or "none"
            raise UserError(f"--set {name}: query {query.name} has no such parameter ({known})")
        values[name] = _literal(text)
    return values


def _read(name: str, text: str) -> NamedQuery:
    heads = re.findall(r"^-- (question|columns|parameter (\w+)=(\S+)): (.+)$", text, re.MULTILINE)
    return NamedQuery(
        name=name,
        question=" ".join(line for kind, _, _, line in heads if kind == "question"),
        columns=tuple(
            column
            for kind, _, _, line in heads
            if kind == "columns"
            for column in re.split(r",\s*", line.strip())
        ),
        parameters=tuple(
            (parameter, _literal(default), line)
            for _, parameter, default, line in heads
            if parameter
        ),
        sql=text,
    )


def _literal(text: str) -> object:
    try:
        value = ast.literal_eval(text)
    except (ValueError, SyntaxError):
        return text
    return value if isinstance(value, (bool, int, float, str, type(None))) else text
