"""Prompt templates as data: the texts that a recipe uses when it gives none, and their check.

A template is text with ``$name`` for what is filled in and ``$$`` for a dollar sign (Python's
:class:`string.Template`). The texts are part of the recipe, so the manifest of a dataset holds
those that made it.

Source: own.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from string import Template

SYSTEM = (
    "You read Python programs and work out what they do when they run. "
    "Reason step by step and keep track of every variable; do not guess."
)

IO_MIXED = """\
Below is a Python program. The number before each line is its line number and not part of it.

```
$numbered
```

The call `$call` is made. Answer $count questions about this one run.

$questions

Reason first. Then write one JSON object between answer tags that gives each question's id the text
of its answer:

<answer>
$form
</answer>
"""

OI = """\
Below is a Python program.

```python
$program
```

$questions

Reason first. Then write the answer alone between answer tags:

<answer>
...
</answer>
"""

BASELINE = """\
Below is a Python program. The number before each line is its line number and not part of it.

```
$numbered
```

$questions

Reason first. Then write the answer alone between answer tags:

<answer>
...
</answer>
"""

CODING = (
    "You write Python functions that do exactly what is asked for. "
    "Reason step by step before you write any code; do not guess."
)

PROBLEM = """\
$statement

Examples:

$examples

The code begins like this:

```python
$starter
```

Reason first. Then write the whole code, with imports and helpers, between answer tags:

<think>
...
</think>
<answer>
```python
...
```
</answer>
"""

ABOUT_PROBLEM = frozenset({"statement", "examples", "starter", "entry_point"})
"""``statement`` what the function does; ``examples`` some calls with their results; ``starter`` how
the code begins; ``entry_point`` the function."""

ABOUT_PROGRAM = frozenset({"program", "numbered"})
"""Of these a template names at least one."""
PLACEHOLDERS = frozenset({*ABOUT_PROGRAM, "call", "entry_point", "questions", "count", "form"})
"""``program`` the source; ``numbered`` the source with line numbers; ``call`` the traced call
(empty where it is the answer); ``entry_point`` its function; ``questions`` the questions with their
ids, or the one question alone; ``count`` how many; ``form`` an empty answer with the ids."""


def check_template(key: str, text: str) -> None:
    """Refuse a template that cannot be filled.

    Args:
        key: Name of the recipe's key, for the message.
        text: The template.

    Raises:
        ValueError: A placeholder is unknown, a ``$`` stands alone, or the program or the questions
            would not be in the prompt.
    """
    names = check_names(key, text, PLACEHOLDERS)
    if "questions" not in names or not names & ABOUT_PROGRAM:
        raise ValueError(f"{key}: needs $questions and one of $program and $numbered")


def check_names(key: str, text: str, known: frozenset[str]) -> frozenset[str]:
    """The placeholders of a template, all of which must be known.

    Raises:
        ValueError: One is unknown, or a ``$`` stands alone.
    """
    template = Template(text)
    if not template.is_valid():
        raise ValueError(f"{key}: a single '$' means nothing; write '$$' for a dollar sign")
    names = frozenset(template.get_identifiers())
    unknown = sorted(names - known)
    if unknown:
        listed = ", ".join(f"${name}" for name in sorted(known))
        raise ValueError(f"{key}: unknown placeholder ${unknown[0]}; known here: {listed}")
    return names


def fill(text: str, values: Mapping[str, str]) -> str:
    """The prompt that a checked template gives; ``values`` holds all of :data:`PLACEHOLDERS`."""
    return Template(text).substitute(values)


def describe(
    source: str, entry_point: str, call: str, questions: Mapping[str, str]
) -> dict[str, str]:
    """What the placeholders stand for.

    Args:
        source: The program.
        entry_point: Function that is called.
        call: The call as it would be written; empty where it must not be told.
        questions: Texts of the questions by id; a single one is asked without its id.
    """
    form = json.dumps(dict.fromkeys(questions, "..."))
    return {
        "program": source.rstrip("\n"),
        "numbered": number_lines(source),
        "call": call,
        "entry_point": entry_point,
        "questions": list_questions(call, questions),
        "count": str(len(questions)),
        "form": form,
    }


def list_questions(call: str, questions: Mapping[str, str]) -> str:
    """The questions of one prompt, each with its id, then how to answer them.

    The first line of a question's text is what is asked, the rest how to answer; what several
    questions share, the call and how to answer, is said once. A single question stays as it is.
    """
    if len(questions) < 2:
        return "".join(questions.values())
    lines: list[str] = []
    how: dict[str, list[str]] = {}
    for name, text in questions.items():
        asked, _, rest = text.partition("\n")
        if call:
            asked = asked.replace(f"the call `{call}`", "the call").replace(f"`{call}`", "the call")
        lines.append(f"[{name}] {asked}")
        how.setdefault(rest, []).append(name)
    notes = [f"- {', '.join(names)}: {rest}" for rest, names in how.items() if rest]
    return "\n".join([*lines, "", "How to answer:", *notes])


def number_lines(source: str) -> str:
    """The source with the number of its line before each line, as Python counts lines."""
    lines = source.replace("\r\n", "\n").replace("\r", "\n").rstrip("\n").split("\n")
    width = len(str(len(lines)))
    return "\n".join(f"{number:>{width}} | {line}".rstrip() for number, line in enumerate(lines, 1))


def chat(system: str, user: str) -> list[dict[str, str]]:
    """Messages as chat models and TRL take them; without a system message where it is empty."""
    messages = [{"role": "user", "content": user}]
    return [{"role": "system", "content": system}, *messages] if system else messages
