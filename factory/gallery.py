"""The gallery: one short example of every template, as a page of the documentation."""

from __future__ import annotations

import random
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING

from factory.grid import Cell, cells
from factory.records import Constraint, Draft

if TYPE_CHECKING:
    from factory.templates import Template

_TRIES = 3
_HEAD = """# Gallery of templates

Made from the templates by `make docs`; a test compares it. Of each template the shortest of
{tries} draws is shown, at the first level that the template writes, with the constraint that its
text keeps and that its traces must show. Levels: 1 nested calls, 2 + other methods, 3 to 5 + one to
three nested control statements, 6 + helper chain, 7 comprehensions, 8 aliasing, 9 recursion,
10 exceptions, 11 closures, 12 generators, 13 classes.
"""


def gallery_page() -> str:
    """The page in Markdown; the same on every machine and Python version."""
    from factory.templates import TEMPLATES

    def told(template: Template) -> str:
        module = sys.modules[template.write.__module__]
        return (module.__doc__ or "").strip().splitlines()[0]

    parts = [_HEAD.format(tries=_TRIES)]
    ordered = sorted(TEMPLATES, key=lambda each: (each.levels, each.name))
    for template in ordered:
        draft = min(
            _draws(template), key=lambda each: (len(each.program.source), each.program.source)
        )
        constraint = draft.origin.constraint
        assert constraint is not None
        levels = f"level {template.levels[0]}"
        if len(template.levels) > 1:
            levels = f"levels {template.levels[0]} to {template.levels[-1]}"
        call = f"{draft.program.entry_point}({draft.calls[0].args})"
        parts.append(
            f"## {template.name} ({levels})\n\n{told(template)} Here: {describe(constraint)}.\n\n"
            f"```python\n{draft.program.source.rstrip()}\n```\n\nCalled as `{call}`.\n"
        )
    return "\n".join(parts)


def _draws(template: Template) -> Iterator[Draft]:
    """Some programs of a template, of several cells."""
    from factory.templates.draft import draw

    found = 0
    for place, cell in enumerate(_cells_of(template.levels[0])):
        drawn = draw(cell, (template,), random.Random(f"gallery {template.name} {place}"))
        if isinstance(drawn, Draft):
            yield drawn
            found += 1
        if found == _TRIES:
            return


def _length(draft: Draft) -> tuple[int, str]:
    return len(draft.program.source), draft.program.source


def _cells_of(level: int) -> list[Cell]:
    return [cell for cell in cells() if cell.level == level]


def describe(constraint: Constraint) -> str:
    """A constraint in one line: ``str.join nested 2 deep, other methods list.count, for > if``."""
    parts = [f"`{constraint.type}.{constraint.method}` nested {constraint.nested_depth} deep"]
    if constraint.other_methods:
        parts.append(f"also `{'`, `'.join(constraint.other_methods)}`")
    if constraint.control_flow:
        parts.append(" > ".join(constraint.control_flow))
    if constraint.helper_chain:
        parts.append("a helper chain")
    if constraint.feature is not None:
        parts.append(constraint.feature)
    return ", ".join(parts)
