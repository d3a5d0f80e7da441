"""Numbers the statements of a program and says what the text alone tells about each."""

from __future__ import annotations

import ast
from dataclasses import dataclass, field
from typing import Any, TypeAlias

Numbered: TypeAlias = ast.stmt | ast.ExceptHandler | ast.match_case
Scope: TypeAlias = ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef

FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


@dataclass
class Statements:
    """The statement table and the facts that the recorder looks up by number."""

    number: dict[int, int] = field(default_factory=dict)
    """``id(node)`` -> number; the caller keeps the tree alive."""
    rows: list[dict[str, Any]] = field(default_factory=list)
    as_names: list[frozenset[str]] = field(default_factory=list)
    """Names bound by the ``except … as`` handlers of the same scope around a statement."""
    deleted: list[frozenset[str]] = field(default_factory=list)
    """Names that the statement itself deletes with ``del``."""


def number_statements(tree: ast.Module) -> Statements:
    """Number every statement, handler and case in preorder."""
    table = Statements()

    def visit(node: ast.AST, names: frozenset[str]) -> None:
        if isinstance(node, ast.stmt | ast.ExceptHandler | ast.match_case):
            table.number[id(node)] = len(table.rows)
            place: Any = node.pattern if isinstance(node, ast.match_case) else node
            last: Any = node.body[-1] if isinstance(node, ast.match_case) else node
            table.rows.append(
                {
                    "stmt": len(table.rows),
                    "line": place.lineno,
                    "end_line": last.end_lineno,
                    "col": place.col_offset,
                    "kind": type(node).__name__,
                }
            )
            if isinstance(node, ast.ExceptHandler) and node.name:
                names = names | {node.name}
            table.as_names.append(names)
            gone = ast.walk(node) if isinstance(node, ast.Delete) else ()
            table.deleted.append(
                frozenset(
                    n.id for n in gone if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Del)
                )
            )
        inner = frozenset() if isinstance(node, (*FUNCTIONS, ast.ClassDef)) else names
        for child in ast.iter_child_nodes(node):
            visit(child, inner)

    visit(tree, frozenset())
    return table


def split_docstring(scope: Scope) -> tuple[list[ast.stmt], list[ast.stmt]]:
    """The docstring statement (or nothing) and the rest of the body."""
    body = scope.body
    first = body[0] if body else None
    if (
        isinstance(first, ast.Expr)
        and isinstance(first.value, ast.Constant)
        and isinstance(first.value.value, str)
    ):
        return body[:1], body[1:]
    return [], body


def is_step(node: Numbered, in_function: bool) -> bool:
    """Whether running this statement (never a docstring) is a step."""
    if isinstance(node, ast.Try | ast.TryStar | ast.Global | ast.Nonlocal):
        return False
    return not (isinstance(node, ast.AnnAssign) and node.value is None and in_function)
