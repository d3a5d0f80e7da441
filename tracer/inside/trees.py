"""Walks syntax trees: as ``ast.walk``, in a third of the time.

Fields that never hold statements or expressions (contexts, operators, names, numbers) are not
looked at, so those nodes are left out.
"""

from __future__ import annotations

import ast

_PLAIN = frozenset(
    {"arg", "asname", "attr", "conversion", "ctx", "id", "is_async", "kind", "kwd_attrs"}
    | {"level", "module", "op", "ops", "rest", "simple", "tag", "type_comment", "type_ignores"}
)
_ELSEWHERE_NODES = {
    "name": ("TypeAlias",),
    "names": ("Import", "ImportFrom"),
}
"""Fields that hold text but for the classes named here."""
_CONSTANTS = ("Constant", "MatchSingleton")


def _fields_with_nodes(kind: type[ast.AST]) -> tuple[str, ...]:
    if kind.__name__ in _CONSTANTS:
        return ()
    return tuple(
        name
        for name in kind._fields
        if name not in _PLAIN and kind.__name__ in _ELSEWHERE_NODES.get(name, (kind.__name__,))
    )


_FIELDS = {
    kind: _fields_with_nodes(kind)
    for kind in vars(ast).values()
    if isinstance(kind, type) and issubclass(kind, ast.AST)
}
POSITIONED = frozenset(kind for kind in _FIELDS if "lineno" in kind._attributes)
"""Classes of nodes that have a place in the text."""


def nodes_of(tree: ast.AST) -> list[ast.AST]:
    """Return ``tree`` and all nodes under it, those nearer to it first."""
    return spread([tree])


def spread(found: list[ast.AST]) -> list[ast.AST]:
    """Add to the nodes in ``found`` all that are under them, and return it."""
    fields = _FIELDS
    for node in found:
        for name in fields[type(node)]:
            inner = getattr(node, name, None)
            if type(inner) is list:
                found.extend(filter(None, inner))
            elif inner is not None:
                found.append(inner)
    return found


def children_of(node: ast.AST) -> list[ast.AST]:
    """Return the nodes directly under ``node``, in the order of the text."""
    found: list[ast.AST] = []
    for name in _FIELDS[type(node)]:
        inner = getattr(node, name, None)
        if type(inner) is list:
            found.extend(filter(None, inner))
        elif inner is not None:
            found.append(inner)
    return found
