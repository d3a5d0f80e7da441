"""The words in which a model is asked for a program, and for a better one.

The texts are part of the recipe; they are filled in as :class:`string.Template`.

Source: own; the constraints are those of ExecVerify (arXiv 2603.11226, section 3).
"""

from __future__ import annotations

from string import Template

SYSTEM = (
    "You write small Python programs that follow exact rules. Every program is parsed, checked "
    "against the rules and run."
)

PROMPT = """\
Write one small Python program about $theme.

It must keep every one of these rules:
$rules
- Its entry point is the function `$entry_point`, at module level, with at least one parameter.
- All parameters and results have type annotations such as `list[int]` or `dict[str, int]`, so \
that the type of every value is known.
- It has 4 to 25 lines, with one simple statement or one header on a line.
- It imports nothing but collections, itertools, functools, math, re, string and dataclasses.
- It reads and prints nothing, and uses no time, chance, files or network: the result depends on \
the arguments alone.
- Every call returns plain data (numbers, texts, lists, dictionaries and the like), and different \
arguments give different results.

Answer with two blocks of Python. The first holds the program alone. The second holds three calls \
of `$entry_point`, one on a line, with literal arguments that take different ways through it.

This is program $number of a large collection: make it unlike the usual examples.
"""

REPAIR = """\
The program was checked and run, and refused:
$reasons

Mend it. Answer with both blocks again, whole.
"""

_PROMPT_NAMES = frozenset({"theme", "rules", "entry_point", "number"})
_NEEDED = frozenset({"rules", "entry_point"})


def check_texts(prompt: str, repair: str) -> None:
    """Refuse texts that cannot be filled in.

    Raises:
        ValueError: A placeholder is unknown or missing, or a ``$`` stands alone.
    """
    _check("prompt", prompt, _PROMPT_NAMES, _NEEDED)
    _check("repair", repair, frozenset({"reasons"}), frozenset({"reasons"}))


def _check(key: str, text: str, known: frozenset[str], needed: frozenset[str]) -> None:
    template = Template(text)
    if not template.is_valid():
        raise ValueError(f"{key}: a single '$' means nothing; write '$$' for a dollar sign")
    names = set(template.get_identifiers())
    if names - known:
        listed = ", ".join(f"${name}" for name in sorted(known))
        unknown = min(names - known)
        raise ValueError(f"{key}: unknown placeholder ${unknown}; known here: {listed}")
    if needed - names:
        raise ValueError(f"{key}: needs ${min(needed - names)}")
