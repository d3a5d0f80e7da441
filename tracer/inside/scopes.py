"""Which module globals a function or class body of the program names itself."""

from __future__ import annotations

import ast
import symtable
from collections import defaultdict, deque
from collections.abc import Sequence

from tracer.inside.sites import Site

_TRANSPARENT = frozenset({"lambda", "genexpr", "listcomp", "setcomp", "dictcomp"})


def named_globals(
    source: str, filename: str, definitions: Sequence[tuple[str, int]]
) -> list[tuple[tuple[str, ...], tuple[str, ...]]]:
    """Return, for each ``def`` and ``class`` in source order, the globals its code names.

    Code of lambdas and comprehensions counts as the code around it; nested ``def`` and ``class``
    bodies do not (DESIGN, section 3, "Named globals come from the symbol table").

    Args:
        source: The program's text.
        filename: Its name.
        definitions: Name and line of each ``def`` and ``class``.

    Returns:
        Those that a ``global`` statement anywhere in the program names, and the others, which only
        module code binds.
    """
    declared: set[str] = set()
    known: dict[tuple[str, int], int] = defaultdict(int)
    for place in definitions:
        known[place] += 1
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
    for place in definitions:
        queue = found[place]
        named = queue.popleft() if queue else ()
        moving = tuple([name for name in named if name in declared])
        names.append((moving, tuple([name for name in named if name not in declared])))
    return names


def binds_no_globals(body: Sequence[ast.stmt], sites: Sequence[Site]) -> bool:
    """Tell whether all that a module's ``body`` binds are surely functions and classes, for good.

    Then no global is ever visible, whatever the code names: most small programs are like this.
    """
    if any(site.kind == "Global" or (site.owner == -1 and len(site.binds) > 1) for site in sites):
        return False
    return all(map(_binds_a_definition, body))


def _binds_a_definition(node: ast.stmt) -> bool:
    if isinstance(node, ast.FunctionDef):
        return not node.decorator_list
    if isinstance(node, ast.ClassDef):
        return not (node.decorator_list or node.bases or node.keywords)
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def is_dunder(name: str) -> bool:
    """Tell whether ``name`` is of the form ``__name__`` (or compiler-made, such as ``.0``)."""
    return name.startswith(".") or (len(name) > 4 and name[:2] == "__" == name[-2:])
