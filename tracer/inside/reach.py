"""Tells whether a program could get at frames and namespaces behind the compiler's back."""

from __future__ import annotations

import ast

from tracer.inside.scopes import is_dunder

_BUILTINS = frozenset(
    (
        *("breakpoint", "compile", "delattr", "dir", "eval", "exec", "getattr", "globals"),
        *("hasattr", "help", "locals", "setattr", "vars"),
    )
)


def reaches_namespaces(tree: ast.AST) -> bool:
    """Tell whether the program names anything that leads to a frame or a namespace.

    Where it does not, its globals are bound by its own assignments alone, and no dictionary of a
    function's variables is ever made.
    """
    return any(map(_leads_there, ast.walk(tree)))


def _leads_there(node: ast.AST) -> bool:
    match node:
        case ast.Import() | ast.ImportFrom():
            return True
        case ast.Name(id=name):
            return name in _BUILTINS or is_dunder(name)
        case ast.Attribute(attr=name):
            return _is_way(name)
        case ast.MatchClass(kwd_attrs=names):
            return any(map(_is_way, names))
        case ast.Constant(value=str(text)):
            return "__" in text or "_frame" in text  # str.format reads attributes
    return False


def _is_way(attribute: str) -> bool:
    return attribute.endswith("_frame") or is_dunder(attribute)
