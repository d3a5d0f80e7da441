"""Gives values that went through JSON their Python types back, as far as other values attest them.

EvalPlus publishes MBPP+'s inputs as JSON, which knows neither tuples nor sets nor complex numbers,
beside asserts that write some of the same inputs out in Python. What holds for every written-out
value of a parameter is taken to hold for its other values.

Source: EvalPlus (https://arxiv.org/abs/2305.01210), whose package restores the same types by a list
of task numbers.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from tracer.literals import NotFaithful, arguments_of, expression, from_node, module

_FROM_LIST: dict[type, Callable[[list[Any]], Any]] = {
    list: list,
    tuple: tuple,
    set: set,
    frozenset: frozenset,
}


@dataclass(frozen=True, slots=True)
class _Shape:
    """What became of a list or a text at one place of a parameter."""

    container: type | None = None
    """Type of what JSON gave as a list."""
    parsed: bool = False
    """Whether what JSON gave as a text is a literal."""
    nested: bool = False
    """Whether it stands in a container of the same type: then it holds for what is in it too."""
    item: _Shape | None = None
    """The shape of a container's elements; ``None`` where no element attests one."""


_AS_IT_IS = _Shape()


def restored(
    entry_point: str, asserts: str, attested: Sequence[Any], inputs: Sequence[Sequence[Any]]
) -> list[list[Any]]:
    """Return ``inputs`` with the types that the asserts attest.

    Args:
        entry_point: Name of the function that the asserts call.
        asserts: Module text; the calls in its asserts, in their order, are on ``attested``.
        attested: Argument lists as JSON gave them.
        inputs: Argument lists as JSON gave them, to be restored.
    """
    written = _written_calls(entry_point, asserts)
    if len(written) != len(attested):
        written = []
    shapes: list[_Shape] = []
    for number in range(max(map(len, written), default=0)):
        pairs = [
            (given[number], typed[number])
            for given, typed in zip(attested, written, strict=False)
            if number < min(len(given), len(typed))
        ]
        shapes.append(_merged(pairs))
    return [
        [
            _restore(value, shapes[number] if number < len(shapes) else _AS_IT_IS)
            for number, value in enumerate(arguments)
        ]
        for arguments in inputs
    ]


def _written_calls(entry_point: str, asserts: str) -> list[tuple[Any, ...]]:
    """The positional arguments of the call in each assert; none where they are no literals."""
    try:
        body = module(asserts).body
    except NotFaithful:
        return []
    return [_arguments(entry_point, node) for node in body if isinstance(node, ast.Assert)]


def _arguments(entry_point: str, statement: ast.Assert) -> tuple[Any, ...]:
    for node in ast.walk(statement):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            if node.func.id == entry_point:
                try:
                    return arguments_of(node)[0]
                except NotFaithful:
                    return ()
    return ()


def _merged(pairs: Iterable[tuple[Any, Any]], outer: type | None = None) -> _Shape:
    """The one shape that all pairs of a JSON value and its written form have, if there is one."""
    pairs = list(pairs)
    kinds = {type(typed) for given, typed in pairs if type(given) is list}
    container = next(iter(kinds)) if len(kinds) == 1 and kinds <= set(_FROM_LIST) else None
    texts = [typed for given, typed in pairs if type(given) is str]
    parsed = bool(texts) and not any(isinstance(typed, str) for typed in texts)
    items = [
        pair
        for given, typed in pairs
        if type(given) is list and type(typed) in (list, tuple)
        for pair in zip(given, typed, strict=False)
    ]
    item = _merged(items, container) if items else None
    if item == _AS_IT_IS:
        item = None
    return _Shape(container, parsed, container is not None and container is outer, item)


def _restore(value: Any, shape: _Shape) -> Any:
    if type(value) is list and shape.container is not None:
        inner = shape.item or (shape if shape.nested else _AS_IT_IS)
        items = [_restore(item, inner) for item in value]
        try:
            return _FROM_LIST[shape.container](items)
        except TypeError:  # an element that no set can hold
            return items
    if type(value) is str and shape.parsed:
        try:
            return from_node(expression(value), lenient=True)
        except NotFaithful:
            return value
    return value
