"""Tells whether a program could get at frames and namespaces behind the compiler's back."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable
from typing import Any

from tracer.inside.scopes import is_dunder

_BUILTINS = frozenset(
    (
        *("breakpoint", "compile", "delattr", "dir", "eval", "exec", "getattr", "globals"),
        *("hasattr", "help", "locals", "setattr", "vars"),
    )
)


def reaches_namespaces(nodes: Iterable[ast.AST]) -> bool:
    """Tell whether a program of these nodes names anything that leads to a frame or a namespace.

    Where it does not, its globals are bound by its own assignments alone, and no dictionary of a
    function's variables is ever made.
    """
    for node in nodes:
        leads_there = _WAYS.get(type(node))
        if leads_there is not None and leads_there(node):
            return True
    return False


def _is_way(attribute: str) -> bool:
    return attribute.endswith("_frame") or is_dunder(attribute)


def _text_is_way(text: object) -> bool:
    return isinstance(text, str) and ("__" in text or "_frame" in text)


_WAYS: dict[type[ast.AST], Callable[[Any], bool]] = {
    ast.Import: lambda node: True,
    ast.ImportFrom: lambda node: True,
    ast.Name: lambda node: node.id in _BUILTINS or is_dunder(node.id),
    ast.Attribute: lambda node: _is_way(node.attr),
    ast.MatchClass: lambda node: any(map(_is_way, node.kwd_attrs)),
    ast.Constant: lambda node: _text_is_way(node.value),  # str.format reads attributes
}
