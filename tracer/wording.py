"""Answers that are no literals: yes or no, a number, the name of a type, a chain of functions.

One form for the prompt, the key and the reader: each kind of answer has the sentence that tells how
to write it beside the function that reads it. ``yes`` and ``Yes.`` are the same answer, as are
``f > g`` and ``f() -> g()``.

Source: own.
"""

from __future__ import annotations

import ast
import re

from tracer.literals import NotFaithful, expression, from_node

YES, NO = "yes", "no"
YES_NO_FORM = f"Answer with `{YES}` or `{NO}`."
COUNT_FORM = "Answer with a whole number, `0` if it never is."
TYPE_FORM = "Answer with the name of the type alone, such as `KeyError`, without its message."
RETURNS = "returns"
"""The answer about a call that no exception leaves."""
CHAIN = " > "
CHAIN_FORM = f"Answer with their names, outermost first, joined by `{CHAIN.strip()}`"

_YES = frozenset((YES, "true", "y"))
_NO = frozenset((NO, "false", "n"))
_COUNT = re.compile(r"([+-]?\d{1,9})(?:\s+times?)?", re.IGNORECASE)
_NAME = r"[^\W\d]\w*(?:\.[^\W\d]\w*)*"
_TYPE = re.compile(rf"(?:<class\s+['\"]({_NAME})['\"]>|({_NAME})(?:\s*[:(].*)?)", re.DOTALL)
_LINK = re.compile(r"\s*(?:->|=>|>|→|,|\n)\s*")
_FUNCTION = re.compile(rf"({_NAME})(?:\(\))?")


def plain(text: str) -> str:
    """A text without the quotes, backticks and full stop that people put around a word."""
    return text.strip().strip("`'\"*").rstrip(".").strip("`'\"* ")


def parse_yes_no(text: str) -> bool:
    """Whether an answer says yes.

    Raises:
        NotFaithful: It says neither yes nor no.
    """
    word = plain(text).lower()
    if word in _YES or word in _NO:
        return word in _YES
    raise NotFaithful(f"write {YES} or {NO}")


def parse_count(text: str) -> int:
    """The number in an answer such as ``3`` or ``3 times``.

    Raises:
        NotFaithful: It is no whole number.
    """
    match = _COUNT.fullmatch(plain(text))
    if match is None:
        raise NotFaithful("write a whole number")
    return int(match[1])


def parse_type_name(text: str) -> str:
    """The type in an answer such as ``KeyError``, ``KeyError('a')`` or ``KeyError: 'a'``.

    Raises:
        NotFaithful: It is no name.
    """
    match = _TYPE.fullmatch(text.strip().strip("`'\"*").strip())
    if match is None:
        match = _TYPE.fullmatch(plain(text))
    if match is None:
        raise NotFaithful("write the name of a type")
    name: str = match[1] or match[2]
    return name


def parse_chain(text: str) -> tuple[str, ...]:
    """The names in an answer such as ``f > g``, ``f() -> g()`` or ``["f", "g"]``.

    Raises:
        NotFaithful: It is no list of names.
    """
    text = text.strip()
    if text.startswith(("[", "(")):
        parts = _listed(text)
    else:
        parts = [plain(part) for part in _LINK.split(plain(text))]
    matches = [_FUNCTION.fullmatch(part) for part in parts]
    names = tuple(match[1] for match in matches if match)
    if not names or len(names) < len(parts):
        raise NotFaithful(f"write names joined by {CHAIN.strip()}")
    return names


def _listed(text: str) -> list[str]:
    node = expression(text)
    if not isinstance(node, ast.List | ast.Tuple):
        raise NotFaithful("not a list of names")
    parts = [
        ast.unparse(part) if isinstance(part, ast.Name | ast.Attribute) else from_node(part)
        for part in node.elts
    ]
    if not all(isinstance(part, str) for part in parts):
        raise NotFaithful("not a list of names")
    return parts
