"""Puts letters for the larger parts of code that is quoted.

Source: own.
"""

from __future__ import annotations

import ast
from collections.abc import Callable

from factory.problems.scope import SHORT_LEVELS, depth_of, is_plain

_WHOLE = (ast.Lambda, ast.JoinedStr, ast.comprehension)
"""What stays as it is: its names mean something only inside it."""

_OPEN = (ast.Starred, ast.Slice, ast.List, ast.Dict, ast.Set, ast.Tuple)
"""What gets no letter of its own; its parts may."""


def with_letters(node: ast.expr, letter: Callable[[ast.expr], str]) -> ast.expr:
    """A copy of an expression in which every part that is not short has become a name.

    Args:
        node: The expression; it is no name itself.
        letter: Gives the letter of a part, between backticks.
    """
    copied = ast.parse(ast.unparse(node), mode="eval")
    assert isinstance(copied.body, ast.expr)
    return _Letters(letter).inside(copied.body)


class _Letters(ast.NodeTransformer):
    def __init__(self, letter: Callable[[ast.expr], str]) -> None:
        self._letter = letter

    def inside(self, node: ast.expr) -> ast.expr:
        """The expression itself with letters in it."""
        self.generic_visit(node)
        return node

    def visit(self, node: ast.AST) -> ast.AST:
        """The part, or the letter that stands for it."""
        if isinstance(node, _WHOLE):
            return node
        if isinstance(node, ast.expr) and (is_plain(node) or depth_of(node) < SHORT_LEVELS):
            return node
        if not isinstance(node, ast.expr) or isinstance(node, _OPEN):
            return self.generic_visit(node)
        return ast.Name(self._letter(node).strip("`"), ast.Load())
