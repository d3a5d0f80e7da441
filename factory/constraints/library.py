"""What functions of the standard library return; see the tables for the simple ones."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from factory.constraints.tables.results import FUNCTION_RESULTS
from factory.constraints.types import (
    INT,
    NOTHING,
    UNKNOWN,
    Type,
    element,
    iterator_of,
    join,
    join_all,
    tuple_of,
)

CLASSES = {
    "collections": ("Counter", "deque", "defaultdict", "OrderedDict"),
    "string": ("Template", "Formatter"),
}
"""Classes of the library that count as types of their own."""
MODULES = frozenset(
    {"collections", "itertools", "functools", "math", "re", "string", "dataclasses"}
)
"""Modules whose functions have known results."""
APPLYING = frozenset(f"itertools.{name}" for name in ("accumulate", "starmap", "groupby")) | {
    "functools.reduce"
}
"""Functions that are handed a function of which the result matters."""


def _same(args: Sequence[Type]) -> Type:
    return iterator_of(element(args[0]))


def _second(args: Sequence[Type]) -> Type:
    return iterator_of(element(args[1])) if len(args) > 1 else UNKNOWN


def _tuples(args: Sequence[Type]) -> Type:
    return iterator_of(tuple_of(element(args[0])))


_ITERTOOLS: Mapping[str, Callable[[Sequence[Type]], Type]] = {
    "chain": lambda args: iterator_of(join_all([element(arg) for arg in args])),
    "combinations": _tuples,
    "combinations_with_replacement": _tuples,
    "compress": _same,
    "count": lambda args: iterator_of(INT),
    "cycle": _same,
    "dropwhile": _second,
    "filterfalse": _second,
    "islice": _same,
    "pairwise": lambda args: iterator_of(Type("tuple", (element(args[0]), element(args[0])))),
    "permutations": _tuples,
    "product": lambda args: iterator_of(Type("tuple", tuple(element(arg) for arg in args))),
    "repeat": lambda args: iterator_of(args[0]),
    "takewhile": _second,
    "tee": lambda args: tuple_of(_same(args)),
}


def function_result(
    module: str,
    name: str,
    args: Sequence[Type],
    keywords: Mapping[str, Type],
    applied: Type = UNKNOWN,
) -> Type:
    """The type that a function of a library module returns.

    Args:
        module: Its module.
        name: Its name; with a dot before it, a constant of the module.
        args: Types of the positional arguments.
        keywords: Types of the named arguments.
        applied: What the function among the arguments returns for an element.
    """
    known = FUNCTION_RESULTS.get(module, {}).get(name)
    if known is not None:
        if known.name == "first":
            return args[0] if args else UNKNOWN
        return known
    first = args[0] if args else UNKNOWN
    if module == "itertools" and args:
        match name:
            case "accumulate":
                return iterator_of(element(first) if applied == UNKNOWN else applied)
            case "starmap":
                return iterator_of(applied)
            case "groupby":
                key = element(first) if applied == UNKNOWN else applied
                return iterator_of(Type("tuple", (key, iterator_of(element(first)))))
            case "zip_longest":
                spare = keywords.get("fillvalue", UNKNOWN)
                joined = tuple(join(element(arg), spare) for arg in args)
                return iterator_of(Type("tuple", joined))
            case _ if name in _ITERTOOLS:
                return _ITERTOOLS[name](args)
    if module == "math" and name == "prod":
        return element(first)
    if module == "functools" and name == "reduce" and len(args) > 1:
        return join(applied, args[2] if len(args) > 2 else element(args[1]))
    return UNKNOWN


def constructed(name: str, args: Sequence[Type], keywords: Mapping[str, Type]) -> Type:
    """The object that calling a class of :data:`CLASSES` gives."""
    first = args[0] if args else NOTHING
    match name:
        case "Counter":
            return Type(name, (NOTHING if first == NOTHING else element(first),))
        case "deque":
            return Type(name, (NOTHING if first == NOTHING else element(first),))
        case "OrderedDict":
            return _mapping(name, first)
        case "defaultdict":
            made = _mapping(name, args[1] if len(args) > 1 else NOTHING)
            factory = first.args[0] if first.name == "class" else UNKNOWN
            return Type(name, (made.args[0], join(made.args[1], factory)))
        case _:
            return Type(name)


def _mapping(name: str, source: Type) -> Type:
    if source == NOTHING:
        return Type(name, (NOTHING, NOTHING))
    pair = source.args if source.name == "dict" else element(source).args
    return Type(name, (pair[0], pair[1]) if len(pair) == 2 else (UNKNOWN, UNKNOWN))
