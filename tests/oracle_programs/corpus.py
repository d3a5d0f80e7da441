"""Reads the programs `NN_rule.py` of this folder; each says in its first lines how it is called."""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple


class Case(NamedTuple):
    """One program of the corpus; `needs` is the least Python 3 minor version it compiles on."""

    name: str
    source: str
    entry_point: str | None
    args: str
    max_steps: int
    needs: int


def corpus() -> list[Case]:
    """All programs, in the order of their names.

    Directives stand in comments at the top: `# call: f(1)` (`None` for the module's own code),
    `# max_steps: 50`, `# needs: 3.12`.
    """
    cases = []
    for path in sorted(Path(__file__).parent.glob("[0-9]*.py")):
        source = path.read_text(encoding="utf-8")
        found = dict(re.findall(r"^# (call|max_steps|needs): (.*)$", source, re.MULTILINE))
        name, _, args = found["call"].partition("(")
        entry = None if name == "None" else name
        steps = int(found.get("max_steps", 10_000))
        needs = int(found.get("needs", "3.11").partition(".")[2])
        cases.append(Case(path.stem, source, entry, args.removesuffix(")"), steps, needs))
    return cases
