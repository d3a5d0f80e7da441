"""How loosely the words of a phrase hang together, which says where parentheses are needed.

Source: own.
"""

from __future__ import annotations

from dataclasses import dataclass

ATOM, CHAIN, LIST, SUFFIX, INFIX, CLAUSE, CHOICE = range(7)
"""How loosely phrases hang together: a quotation; "the length of ..."; "the least of ... and ...";
"... as a string"; "... plus ..."; "whether ..." and "... for each ..."; "... if ..., and ...
otherwise"."""


@dataclass(frozen=True, slots=True)
class Phrase:
    """Words for an expression."""

    text: str
    looseness: int
