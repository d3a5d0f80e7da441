"""What the symbol table says: the globals that a scope's own code names, and its free names."""

from __future__ import annotations

import ast
import symtable
from dataclasses import dataclass

TRANSPARENT = {"lambda", "listcomp", "setcomp", "dictcomp", "genexpr"}


@dataclass(frozen=True)
class Names:
    """Names of one function, class body or module."""

    named_globals: frozenset[str]
    free: frozenset[str]


def is_dunder(name: str) -> bool:
    """`__name__` and its like."""
    return name.startswith("__") and name.endswith("__")


def own_globals(table: symtable.SymbolTable) -> set[str]:
    """Globals named by this code, by its comprehensions and by its lambdas."""
    found = {s.get_name() for s in table.get_symbols() if s.is_global()}
    for child in table.get_children():
        if child.get_type() == "function" and child.get_name() in TRANSPARENT:
            found |= own_globals(child)
    return found


def read_scopes(source: str, tree: ast.Module) -> dict[tuple[str, int], Names]:
    """(name, first line, decorators included) -> names; the module is ("<module>", 0)."""
    starts = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            first = min([node.lineno, *(d.lineno for d in node.decorator_list)])
            starts[node.name, node.lineno] = (node.name, first)
    found: dict[tuple[str, int], Names] = {}

    def visit(table: symtable.SymbolTable, key: tuple[str, int]) -> None:
        free = {s.get_name() for s in table.get_symbols() if s.is_free()}
        if str(table.get_type()) in {"function", "class", "module"}:
            found.setdefault(
                key,
                Names(
                    frozenset(n for n in own_globals(table) if not is_dunder(n)),
                    frozenset(n for n in free if n.isidentifier() and not is_dunder(n)),
                ),
            )
        for child in table.get_children():
            place = (child.get_name(), child.get_lineno())
            visit(child, starts.get(place, place))

    visit(symtable.symtable(source, "<program>", "exec"), ("<module>", 0))
    return found
