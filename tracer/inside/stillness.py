"""Tells which statements can change no object, so that after them only what they bind is looked at.

A statement is *still* when everything in it is an operation of the interpreter on values, or a call
of a built-in that leaves its arguments alone. With scalars and containers of scalars none of that
changes a container or runs code of the program; whether an activation can reach anything else is
seen while it runs (:attr:`~.picture.Picture.opaque`). Programs with classes, generators, ``with``
or attributes of their own have code that runs without a call: none of their statements is still.

Source: own.
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterable, Sequence

from tracer.inside.sites import Numbered, Site

_UNSEEN_CALLS = (ast.ClassDef, ast.With, ast.AsyncWith, ast.Yield, ast.YieldFrom, ast.Await)
"""With any of these, code of the program runs where no call says so."""
_MUTATORS = frozenset(
    (
        *("add", "append", "clear", "difference_update", "discard", "extend", "insert"),
        *("intersection_update", "pop", "popitem", "remove", "reverse", "setdefault", "sort"),
        *("symmetric_difference_update", "update"),
    )
)
_TYPES = (str, bytes, int, float, complex, tuple, list, dict, set, frozenset, range)
_METHODS = frozenset(name for kind in _TYPES for name in vars(kind)) - _MUTATORS
"""Names of methods that change nothing, whichever built-in value they are called on."""
_FUNCTIONS = frozenset(
    (
        *("abs", "all", "any", "bin", "bool", "bytes", "callable", "chr", "complex", "dict"),
        *("divmod", "enumerate", "float", "frozenset", "hash", "hex", "int", "isinstance", "len"),
        *("list", "max", "min", "oct", "ord", "pow", "print", "range", "repr", "reversed"),
        *("round", "set", "sorted", "str", "sum", "tuple", "zip"),
    )
) | frozenset(
    name
    for name, value in vars(builtins).items()
    if isinstance(value, type) and issubclass(value, BaseException)
)
"""Built-in functions, called without keywords, that leave their arguments alone."""


LOUD, STILL, STILL_ON_SCALARS = range(3)
"""Whether a statement changes objects; the last where it changes none if its target holds none."""


def find_still(
    sites: Sequence[Site],
    nodes: Sequence[Numbered],
    own: Sequence[Sequence[ast.AST]],
    *,
    reaches: bool,
) -> tuple[int, ...]:
    """Tell for each statement whether it changes no object, unless it runs code of the program.

    Args:
        sites: The facts of the statements, handlers and cases of a program.
        nodes: These statements.
        own: The nodes of each, without those of the statements inside it.
        reaches: Whether the program can get at frames and namespaces.
    """
    if reaches or any(isinstance(node, _UNSEEN_CALLS) for node in nodes):
        return (LOUD,) * len(nodes)
    bound = {name for site in sites for name in site.binds}
    for inside in own:
        for inner in inside:
            kind = type(inner)
            if kind is ast.arg:
                bound.add(inner.arg)  # type: ignore[attr-defined]
            elif kind in _UNSEEN_CALLS:
                return (LOUD,) * len(nodes)
            elif kind is ast.Attribute and type(inner.ctx) is not ast.Load:  # type: ignore[attr-defined]
                return (LOUD,) * len(nodes)
    functions = _FUNCTIONS - bound
    return tuple(
        _stillness(node, inside, functions) for node, inside in zip(nodes, own, strict=True)
    )


def _stillness(node: Numbered, own: Iterable[ast.AST], functions: frozenset[str]) -> int:
    if isinstance(node, ast.Import | ast.ImportFrom) or getattr(node, "decorator_list", None):
        return LOUD
    for inner in own:
        kind = type(inner)
        if kind is ast.Call:
            if not _leaves_alone(inner, functions):  # type: ignore[arg-type]
                return LOUD
        elif kind is ast.Subscript and type(inner.ctx) is not ast.Load:  # type: ignore[attr-defined]
            return LOUD
    return STILL_ON_SCALARS if isinstance(node, ast.AugAssign) else STILL


def _leaves_alone(call: ast.Call, functions: frozenset[str]) -> bool:
    called = call.func
    if type(called) is ast.Name:
        return called.id in functions and not call.keywords
    return type(called) is ast.Attribute and called.attr in _METHODS
