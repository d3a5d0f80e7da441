"""What methods, built-in functions, operators and subscripts return.

A *label* names one of them in a constraint: a plain word is a method or, for a library module, a
function (``replace``, ``sqrt``), ``.real`` an attribute, a word with parentheses a built-in
function whose first argument has the type (``len()``; of ``map()`` and ``filter()`` the second), a
symbol an operator whose left operand has the type (``+``; for ``in`` the right one), ``-x`` a sign,
``[]`` a subscript, ``[:]`` a slice, ``[]=`` and ``del []`` the statements that store into and
delete from one, and ``key=`` a keyword of ``sorted``. Source: the Python 3.11 library reference.
"""

from __future__ import annotations

from collections.abc import Sequence

from factory.constraints.tables.results import CLASS_METHOD_RESULTS, METHOD_RESULTS
from factory.constraints.types import (
    ANY_LENGTH,
    BOOL,
    BYTES,
    COMPLEX,
    FLOAT,
    INT,
    MAPPINGS,
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
    pair_of,
    tuple_of,
)

_NUMBERS = ("int", "bool", "float", "complex")
_PLAIN_BUILTINS: dict[str, Type] = {
    "all": BOOL,
    "any": BOOL,
    "ascii": STR,
    "bin": STR,
    "bool": BOOL,
    "callable": BOOL,
    "chr": STR,
    "complex": COMPLEX,
    "float": FLOAT,
    "format": STR,
    "hash": INT,
    "hex": STR,
    "hasattr": BOOL,
    "id": INT,
    "input": STR,
    "int": INT,
    "isinstance": BOOL,
    "issubclass": BOOL,
    "len": INT,
    "oct": STR,
    "ord": INT,
    "print": NONE,
    "range": Type("range"),
    "repr": STR,
    "str": STR,
    "bytes": BYTES,
    "bytearray": Type("bytearray"),
}
BUILTINS = frozenset(_PLAIN_BUILTINS) | {
    "abs",
    "dict",
    "divmod",
    "enumerate",
    "filter",
    "frozenset",
    "iter",
    "list",
    "map",
    "max",
    "min",
    "next",
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
    """The type that ``receiver.method(*args)`` returns, or that of an attribute ``.name``."""
    if receiver.name == "class":
        return _class_method_result(receiver.args[0], method, args)
    if receiver.name in MAPPINGS:
        key, value = pair_of(receiver)
        if method in ("items", "keys", "values"):
            views = {"items": (key, value), "keys": (key,), "values": (value,)}
            return Type(f"dict_{method}", views[method])
        if method in ("get", "setdefault"):
            return join(value, args[1]) if len(args) > 1 else UNKNOWN
        if method == "pop":
            return join(value, args[1]) if len(args) > 1 else value
    if receiver.name in ("namedtuple", "dataclass") and method.startswith("."):
        fields = {field.name: field.args[0] for field in receiver.args[1:]}
        return fields.get(method[1:], UNKNOWN)
    result = METHOD_RESULTS.get(receiver.name, {}).get(method, UNKNOWN)
    return _filled(result, receiver)


def _filled(result: Type, receiver: Type) -> Type:
    """``result`` with what it says about its receiver put in."""
    if result.args:
        return Type(result.name, tuple(_filled(arg, receiver) for arg in result.args))
    match result.name:
        case "self":
            return receiver
        case "element":
            return element(receiver)
        case "key":
            return pair_of(receiver)[0]
        case "pair":
            return Type("tuple", pair_of(receiver))
        case _:
            return result


def _class_method_result(instance: Type, method: str, args: Sequence[Type]) -> Type:
    if method == "fromkeys":
        key = element(args[0]) if args else UNKNOWN
        value = args[1] if len(args) > 1 else NONE
        return Type(instance.name, (key, value))
    if method == "_make":
        return instance
    return CLASS_METHOD_RESULTS.get(instance.name, {}).get(method, UNKNOWN)


def builtin_result(name: str, args: Sequence[Type], applied: Type = UNKNOWN) -> Type:
    """The type that a call of the built-in function ``name`` returns.

    ``applied`` is what the function handed to ``map`` returns for an element.
    """
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
        case "iter":
            return iterator_of(element(first))
        case "next":
            return element(first) if len(args) < 2 else join(element(first), args[1])
        case "reversed" | "filter":
            return Type(name, (element(args[-1]),)) if args else UNKNOWN
        case "map":
            return Type(name, (applied,))
        case "enumerate":
            return Type(name, (Type("tuple", (INT, element(first))),))
        case "zip":
            return Type(name, (Type("tuple", tuple(element(arg) for arg in args)),))
        case "dict":
            pair = element(first)
            if first.name in MAPPINGS:
                pair = Type("tuple", pair_of(first))
            return dict_of(*pair.args) if len(pair.args) == 2 else Type("dict")
        case "max" | "min":
            return element(first) if len(args) == 1 else join_all(list(args))
        case "sum":
            return _summed(element(first), args)
        case "abs":
            if first == COMPLEX:
                return FLOAT
            return first if first in (INT, FLOAT) else INT if first == BOOL else UNKNOWN
        case "round":
            return INT if first in (INT, BOOL) or len(args) == 1 else first
        case "divmod":
            both = _number(first, args[1] if len(args) > 1 else UNKNOWN)
            return Type("tuple", (both, both))
        case "pow":
            if len(args) == 3:
                return INT
            return operator_result("**", first, args[1] if len(args) > 1 else UNKNOWN)
        case _:
            return UNKNOWN


def _summed(each: Type, args: Sequence[Type]) -> Type:
    if each == BOOL:
        each = INT
    return each if len(args) < 2 else join(each, args[1])


def _number(left: Type, right: Type) -> Type:
    kinds = {left.name, right.name}
    if kinds <= {"int", "bool"}:
        return INT
    if kinds <= {"int", "bool", "float"}:
        return FLOAT
    return COMPLEX if kinds <= set(_NUMBERS) else UNKNOWN


def operator_result(symbol: str, left: Type, right: Type) -> Type:
    """The type of ``left symbol right`` for arithmetic, bit and set operators."""
    if left.name in _NUMBERS and right.name in _NUMBERS:
        if symbol == "/":
            return COMPLEX if COMPLEX in (left, right) else FLOAT
        if symbol in ("&", "|", "^") and left == right == BOOL:
            return BOOL
        whole = {left.name, right.name} <= {"int", "bool"}
        return UNKNOWN if symbol == "**" and whole else _number(left, right)
    if symbol == "%" and left in (STR, BYTES):
        return left
    if symbol == "*":
        sequence, count = (right, left) if left.name in ("int", "bool") else (left, right)
        sequences = ("str", "list", "tuple", "bytes", "deque")
        if sequence.name not in sequences or count.name not in ("int", "bool"):
            return UNKNOWN
        return tuple_of(element(sequence)) if sequence.name == "tuple" else sequence
    if symbol in ("|", "&", "-", "^") and left.name in ("set", "frozenset", "dict_keys"):
        if right.name in ("set", "frozenset", "dict_keys"):
            name = "set" if left.name == "dict_keys" else left.name
            return Type(name, (join(element(left), element(right)),))
    if symbol == "|" and left.name in ("defaultdict", "OrderedDict") and right.name == "dict":
        return left
    if left.name != right.name:
        return UNKNOWN
    if symbol == "+" and left.name == "tuple":
        if ANY_LENGTH in left.args + right.args or not (left.args and right.args):
            return tuple_of(join(element(left), element(right)))
        return Type("tuple", left.args + right.args)
    if symbol == "+" and left.name in ("str", "list", "bytes", "deque", "Counter"):
        return join(left, right)
    if symbol in ("|", "&", "-") and left.name == "Counter":
        return join(left, right)
    return join(left, right) if symbol == "|" and left.name in MAPPINGS else UNKNOWN


def unary_result(symbol: str, operand: Type) -> Type:
    """The type of ``-operand``, ``+operand`` or ``~operand``."""
    if operand.name == "Counter" and symbol != "~":
        return operand
    if operand.name in ("int", "bool"):
        return INT
    return operand if operand.name in _NUMBERS and symbol != "~" else UNKNOWN


def subscript_result(container: Type, index: int | None) -> Type:
    """The type of ``container[index]``; ``None`` when the index is not a plain int literal."""
    if container.name in MAPPINGS:
        return pair_of(container)[1]
    if container.name == "Match":
        return STR
    if container.name == "tuple" and container.args and ANY_LENGTH not in container.args:
        if index is not None and -len(container.args) <= index < len(container.args):
            return container.args[index]
    if container.name in ("str", "list", "tuple", "range", "bytes", "deque"):
        return element(container)
    return UNKNOWN


def slice_result(container: Type) -> Type:
    """The type of a slice of ``container``."""
    if container.name == "tuple":
        return tuple_of(element(container))
    return container if container.name in ("str", "list", "range", "bytes") else UNKNOWN
