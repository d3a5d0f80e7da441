"""Canonical text to values and back, and the one equality that answers are judged by.

``parse("[1, {'a'}]")`` is ``[1, {"a"}]``; nothing is ever evaluated. The grammar is that of
:mod:`tracer.inside.encode`; text of anything else (``<Node a=1>``, ``too_large(9)``, a name) is not
*faithful*. ``equal`` is deep and strict: ``True`` is not ``1``, ``1`` is not ``1.0``, NaN equals
NaN, ``0.0`` is not ``-0.0``, the order of a dict does not count, that of an ``OrderedDict`` does.

Source: own (DESIGN, section 3, "Value" and "Equality").
"""

from __future__ import annotations

import ast
import sys
from collections import Counter, OrderedDict, defaultdict, deque
from collections.abc import Hashable, Mapping, Sequence
from functools import lru_cache
from math import copysign, isnan
from typing import Any

from tracer.inside.encode import Encoder
from tracer.literals import NotFaithful, arguments_of, expression, from_node

__all__ = [
    "NotFaithful",
    "canonical",
    "canonical_arguments",
    "equal",
    "is_faithful",
    "parse",
    "parse_arguments",
    "type_text",
]

_UNLIMITED = Encoder(sys.maxsize, sys.maxsize)


def parse(text: str) -> Any:
    """Build the value that a canonical text stands for.

    Raises:
        NotFaithful: The text is outside the grammar, as is that of objects and cut values.
    """
    return from_node(expression(text))


@lru_cache(maxsize=4096)
def is_faithful(text: str) -> bool:
    """Whether the text can be parsed back to its value."""
    try:
        parse(text)
    except NotFaithful:
        return False
    return True


def canonical(value: object) -> str:
    """Canonical text of a value, whatever its size."""
    return _UNLIMITED.text(value)


def type_text(value: object) -> str:
    """Type text of a value: ``int``, ``collections.deque``."""
    return _UNLIMITED.type_text(value)


def parse_arguments(text: str) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """Build positional and keyword arguments from what stands between a call's parentheses.

    Raises:
        NotFaithful: The text is no argument list, or an argument is no literal.
    """
    node = expression(f"f({text}\n)")
    if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Name)):
        raise NotFaithful("not an argument list")
    return arguments_of(node)


def canonical_arguments(positional: Sequence[Any], keyword: Mapping[str, Any]) -> str:
    """What stands between the parentheses of a call with these arguments."""
    named = [f"{name}={canonical(value)}" for name, value in keyword.items()]
    return ", ".join([*map(canonical, positional), *named])


def equal(a: object, b: object) -> bool:
    """Whether two values are the same, deeply and with strict types.

    Total: values outside the grammar are equal only to themselves, and neither depth nor cycles
    nor parts shared many times do harm.
    """
    todo: list[tuple[Any, Any]] = [(a, b)]
    done: set[tuple[int, int]] = set()
    while todo:
        left, right = todo.pop()
        if type(left) is not type(right):
            return False
        if left is right or (id(left), id(right)) in done:
            continue
        if type(left) in _CONTAINERS:
            done.add((id(left), id(right)))
            pairs = _pairs(left, right)
            if pairs is None:
                return False
            todo.extend(pairs)
        elif type(left) not in _SCALARS or _normal(left) != _normal(right):
            return False
    return True


_SCALARS = frozenset(
    (*(int, bool, str, bytes, bytearray, float, complex, range), type(None), type(...))
)
_DICTS = (dict, Counter, defaultdict)
_CONTAINERS = frozenset((list, tuple, set, frozenset, deque, OrderedDict, *_DICTS))


def _pairs(left: Any, right: Any) -> list[tuple[Any, Any]] | None:
    """Parts that must be equal for two containers of one type to be; ``None`` if they can't be."""
    if len(left) != len(right):
        return None
    kind = type(left)
    if kind is set or kind is frozenset:
        same = Counter(map(_normal, left)) == Counter(map(_normal, right))
        return [] if same else None
    if kind is OrderedDict:
        return [
            pair
            for items in zip(left.items(), right.items(), strict=True)
            for pair in zip(*items, strict=True)
        ]
    if kind in _DICTS:
        if kind is defaultdict and left.default_factory is not right.default_factory:
            return None
        return _entries(left, right)
    if kind is deque and left.maxlen != right.maxlen:
        return None
    return list(zip(left, right, strict=True))


def _entries(left: Any, right: Any) -> list[tuple[Any, Any]] | None:
    """Values of two dicts under the same keys; several keys can be the same only through NaN."""
    waiting: dict[Hashable, list[Any]] = {}
    for key, value in right.items():
        waiting.setdefault(_normal(key), []).append(value)
    pairs = []
    for key, value in left.items():
        values = waiting.get(_normal(key), [])
        if len(values) == 1:
            pairs.append((value, values.pop()))
            continue
        match = next((place for place, other in enumerate(values) if equal(value, other)), None)
        if match is None:
            return None
        values.pop(match)
    return pairs


def _normal(value: Any) -> Hashable:
    """A form of a scalar or of a hashable value that is ``==`` exactly when values are equal."""
    kind = type(value)
    if kind is float:
        return kind, *_normal_float(value)
    if kind is complex:
        return kind, *_normal_float(value.real), *_normal_float(value.imag)
    if kind is bytearray:
        return kind, bytes(value)
    if kind is tuple:
        return kind, tuple([_normal(part) for part in value])
    if kind is frozenset:
        return kind, frozenset(Counter([_normal(part) for part in value]).items())
    return kind, (value if kind in _SCALARS else id(value))


def _normal_float(value: float) -> tuple[float, float]:
    return (0.0, 0.0) if isnan(value) else (value, copysign(1.0, value))
