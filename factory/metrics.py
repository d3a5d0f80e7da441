"""Size and shape of a program's text."""

from __future__ import annotations

import ast
import warnings
from dataclasses import dataclass

_CONTROL = (
    ast.For,
    ast.AsyncFor,
    ast.While,
    ast.If,
    ast.With,
    ast.AsyncWith,
    ast.Try,
    ast.TryStar,
    ast.Match,
)


@dataclass(frozen=True, slots=True)
class Metrics:
    """Plain counts over the whole module text."""

    lines: int
    """Lines that are not blank."""
    statements: int
    """``ast`` statements, definitions and headers included."""
    max_nesting: int
    """Most control statements around or at one statement; an ``elif`` is no deeper than its
    ``if``."""
    calls: int
    """Call expressions."""


def measure(source: str) -> Metrics:
    """The metrics of a program that compiles."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        tree = ast.parse(source)
    nodes = list(ast.walk(tree))
    return Metrics(
        lines=sum(1 for line in source.splitlines() if line.strip()),
        statements=sum(isinstance(node, ast.stmt) for node in nodes),
        max_nesting=nesting(tree),
        calls=sum(isinstance(node, ast.Call) for node in nodes),
    )


def nesting(tree: ast.AST) -> int:
    """Most control statements around or at one statement of a tree."""
    deepest = 0
    pending: list[tuple[ast.AST, int]] = [(tree, 0)]
    while pending:
        node, depth = pending.pop()
        deepest = max(deepest, depth)
        chained = _elif_of(node)
        for child in ast.iter_child_nodes(node):
            inner = depth + isinstance(child, _CONTROL) - (child is chained)
            pending.append((child, inner))
    return deepest


def _elif_of(node: ast.AST) -> ast.AST | None:
    """The ``if`` that is written as ``elif`` of ``node``; an ``else: if`` stands further right."""
    if isinstance(node, ast.If) and len(node.orelse) == 1:
        only = node.orelse[0]
        if isinstance(only, ast.If) and only.col_offset == node.col_offset:
            return only
    return None
