"""Which module globals a function or class body of the program names itself."""

from __future__ import annotations

import ast
import symtable
from collections import defaultdict, deque

_TRANSPARENT = frozenset({"lambda", "genexpr", "listcomp", "setcomp", "dictcomp"})


def named_globals(
    source: str, filename: str, definitions: list[ast.AST]
) -> list[tuple[tuple[str, ...], tuple[str, ...]]]:
    """Return, for each ``def`` and ``class`` node in source order, the globals its code names.

    Code of lambdas and comprehensions counts as the code around it; nested ``def`` and ``class``
    bodies do not (DESIGN, section 3, "Named globals come from the symbol table").

    Returns:
        Those that a ``global`` statement anywhere in the program names, and the others, which only
        module code binds.
    """
    declared: set[str] = set()
    known: dict[tuple[str, int], int] = defaultdict(int)
    for node in definitions:
        known[node.name, node.lineno] += 1  # type: ignore[attr-defined]
    found: dict[tuple[str, int], deque[tuple[str, ...]]] = defaultdict(deque)

    def is_definition(table: symtable.SymbolTable) -> bool:
        key = (table.get_name(), table.get_lineno())
        return table.get_type() in ("function", "class") and (
            table.get_name() not in _TRANSPARENT or len(found[key]) < known[key]
        )

    def own(table: symtable.SymbolTable) -> set[str]:
        names = {symbol.get_name() for symbol in table.get_symbols() if symbol.is_global()}
        for child in table.get_children():
            if child.get_type() == "function" and child.get_name() in _TRANSPARENT:
                if not is_definition(child):
                    names |= own(child)
        return names

    def visit(table: symtable.SymbolTable) -> None:
        for symbol in table.get_symbols():
            if symbol.is_declared_global():
                declared.add(symbol.get_name())
        for child in table.get_children():
            if is_definition(child):
                key = (child.get_name(), child.get_lineno())
                found[key].append(tuple(sorted(n for n in own(child) if not is_dunder(n))))
            visit(child)

    visit(symtable.symtable(source, filename, "exec"))
    names: list[tuple[tuple[str, ...], tuple[str, ...]]] = []
    for node in definitions:
        queue = found[node.name, node.lineno]  # type: ignore[attr-defined]
        named = queue.popleft() if queue else ()
        moving = tuple([name for name in named if name in declared])
        names.append((moving, tuple([name for name in named if name not in declared])))
    return names


def is_dunder(name: str) -> bool:
    """Tell whether ``name`` is of the form ``__name__`` (or compiler-made, such as ``.0``)."""
    return name.startswith(".") or (len(name) > 4 and name[:2] == "__" == name[-2:])
