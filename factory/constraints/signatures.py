"""What methods, built-in functions, operators and subscripts of built-in types return.

A *label* names one of them in a constraint: a plain word is a method (``replace``), a word with
parentheses is a built-in function whose first argument has the type (``len()``), a symbol is an
operator whose left operand has the type (``+``; for ``in`` the right one), ``[]`` is a subscript
and ``[:]`` a slice. Source: the Python 3.11 library reference, "Built-in Types".
"""

from __future__ import annotations

from collections.abc import Sequence

from factory.constraints.types import (
    ANY_LENGTH,
    BOOL,
    BYTES,
    FLOAT,
    INT,
    NONE,
    STR,
    UNKNOWN,
    Type,
    dict_of,
    element,
    iterator_of,
    join,
    join_all,
    list_of,
    parse_type,
    tuple_of,
)

_SELF = Type("self")
_ELEMENT = Type("element")
_SET_RESULTS = {
    "self": "copy difference intersection symmetric_difference union",
    "bool": "isdisjoint issubset issuperset",
}
_TABLE: dict[str, dict[str, str]] = {
    "str": {
        "str": "capitalize casefold center expandtabs format join ljust lower lstrip removeprefix "
        "removesuffix replace rjust rstrip strip swapcase title translate upper zfill",
        "int": "count find index rfind rindex",
        "bool": "endswith isalnum isalpha isascii isdecimal isdigit isidentifier islower isnumeric "
        "isprintable isspace istitle isupper startswith",
        "list[str]": "rsplit split splitlines",
        "tuple[str, str, str]": "partition rpartition",
        "bytes": "encode",
    },
    "list": {
        "None": "append clear extend insert remove reverse sort",
        "self": "copy",
        "int": "count index",
        "element": "pop",
    },
    "dict": {"None": "clear update", "self": "copy"},
    "set": {
        **_SET_RESULTS,
        "None": "add clear difference_update discard intersection_update remove "
        "symmetric_difference_update update",
        "element": "pop",
    },
    "frozenset": _SET_RESULTS,
    "tuple": {"int": "count index"},
    "range": {"int": "count index"},
    "int": {
        "int": "bit_count bit_length conjugate",
        "bytes": "to_bytes",
        "tuple[int, int]": "as_integer_ratio",
    },
    "float": {"bool": "is_integer", "str": "hex"},
    "bytes": {"str": "decode hex", "int": "count find index rfind"},
}
METHOD_RESULTS: dict[str, dict[str, Type]] = {
    receiver: {name: parse_type(result) for result, names in rows.items() for name in names.split()}
    for receiver, rows in _TABLE.items()
}
_PLAIN_BUILTINS: dict[str, Type] = {
    "all": BOOL,
    "any": BOOL,
    "ascii": STR,
    "bin": STR,
    "bool": BOOL,
    "callable": BOOL,
    "chr": STR,
    "float": FLOAT,
    "format": STR,
    "hash": INT,
    "hex": STR,
    "id": INT,
    "input": STR,
    "int": INT,
    "isinstance": BOOL,
    "len": INT,
    "oct": STR,
    "ord": INT,
    "print": NONE,
    "range": Type("range"),
    "repr": STR,
    "str": STR,
    "bytes": BYTES,
}
BUILTINS = frozenset(_PLAIN_BUILTINS) | {
    "abs",
    "dict",
    "divmod",
    "enumerate",
    "filter",
    "frozenset",
    "list",
    "map",
    "max",
    "min",
    "pow",
    "reversed",
    "round",
    "set",
    "sorted",
    "sum",
    "tuple",
    "zip",
}


def method_result(receiver: Type, method: str, args: Sequence[Type]) -> Type:
    """The type that ``receiver.method(*args)`` returns."""
    if receiver.name == "dict":
        key, value = receiver.args if len(receiver.args) == 2 else (UNKNOWN, UNKNOWN)
        if method in ("items", "keys", "values"):
            return Type(
                f"dict_{method}",
                {"items": (key, value), "keys": (key,), "values": (value,)}[method],
            )
        if method == "popitem":
            return Type("tuple", (key, value))
        if method in ("get", "setdefault"):
            return join(value, args[1]) if len(args) > 1 else UNKNOWN
        if method == "pop":
            return join(value, args[1]) if len(args) > 1 else value
    result = METHOD_RESULTS.get(receiver.name, {}).get(method, UNKNOWN)
    if result == _SELF:
        return receiver
    return element(receiver) if result == _ELEMENT else result


def builtin_result(name: str, args: Sequence[Type]) -> Type:
    """The type that a call of the built-in function ``name`` returns."""
    first = args[0] if args else UNKNOWN
    plain = _PLAIN_BUILTINS.get(name)
    if plain is not None:
        return plain
    match name:
        case "list" | "sorted":
            return list_of(element(first)) if args else list_of(UNKNOWN)
        case "set" | "frozenset":
            return Type(name, (element(first),)) if args else Type(name, (UNKNOWN,))
        case "tuple":
            return tuple_of(element(first))
        case "reversed" | "filter":
            return iterator_of(element(args[-1])) if args else UNKNOWN
        case "enumerate":
            return iterator_of(Type("tuple", (INT, element(first))))
        case "zip":
            return iterator_of(Type("tuple", tuple(element(arg) for arg in args)))
        case "dict":
            pair = first if first.name == "dict" else element(first)
            return dict_of(*pair.args) if len(pair.args) == 2 else Type("dict")
        case "max" | "min":
            return element(first) if len(args) == 1 else join_all(list(args))
        case "sum":
            return element(first) if len(args) < 2 else join(element(first), args[1])
        case "abs":
            return first if first in (INT, FLOAT) else INT if first == BOOL else UNKNOWN
        case "round":
            return INT if first == INT or len(args) == 1 else first
        case "divmod":
            both = _number(first, args[1] if len(args) > 1 else UNKNOWN)
            return Type("tuple", (both, both))
        case "pow":
            return INT if len(args) == 3 else _number(first, args[1] if len(args) > 1 else UNKNOWN)
        case _:
            return UNKNOWN


def _number(left: Type, right: Type) -> Type:
    kinds = {left.name, right.name}
    if kinds <= {"int", "bool"}:
        return INT
    return FLOAT if kinds <= {"int", "bool", "float"} else UNKNOWN


def operator_result(symbol: str, left: Type, right: Type) -> Type:
    """The type of ``left symbol right`` for arithmetic, bit and set operators."""
    if left.name in ("int", "bool", "float") and right.name in ("int", "bool", "float"):
        if symbol == "/":
            return FLOAT
        if symbol in ("&", "|", "^") and left == right == BOOL:
            return BOOL
        return UNKNOWN if symbol == "**" and left == INT == right else _number(left, right)
    if symbol == "%" and left == STR:
        return STR
    if symbol == "*":
        sequence, count = (right, left) if left.name in ("int", "bool") else (left, right)
        if sequence.name not in ("str", "list", "tuple", "bytes") or count.name != "int":
            return UNKNOWN
        return tuple_of(element(sequence)) if sequence.name == "tuple" else sequence
    if left.name != right.name:
        return UNKNOWN
    if symbol == "+" and left.name == "tuple":
        if ANY_LENGTH in left.args + right.args or not (left.args and right.args):
            return tuple_of(join(element(left), element(right)))
        return Type("tuple", left.args + right.args)
    if symbol == "+" and left.name in ("str", "list", "bytes"):
        return join(left, right)
    if symbol in ("|", "&", "-", "^") and left.name in ("set", "frozenset"):
        return join(left, right)
    return join(left, right) if symbol == "|" and left.name == "dict" else UNKNOWN


def subscript_result(container: Type, index: int | None) -> Type:
    """The type of ``container[index]``; ``None`` when the index is not a plain int literal."""
    if container.name == "dict":
        return container.args[1] if len(container.args) == 2 else UNKNOWN
    if container.name == "tuple" and container.args and ANY_LENGTH not in container.args:
        if index is not None and -len(container.args) <= index < len(container.args):
            return container.args[index]
    if container.name in ("str", "list", "tuple", "range", "bytes"):
        return element(container)
    return UNKNOWN


def slice_result(container: Type) -> Type:
    """The type of a slice of ``container``."""
    if container.name == "tuple":
        return tuple_of(element(container))
    return container if container.name in ("str", "list", "range", "bytes") else UNKNOWN
