"""Arguments to values, from the syntax tree: literals, library containers, program classes."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable

from factory.inputs.definitions import ClassText, Definitions
from factory.inputs.shapes import Built, Instance, Member, Value

_MAX_DEPTH = 40
_MAX_RANGE = 1_000
_PLAIN_CALLS: dict[str, Callable[..., Value]] = {
    "bool": bool,
    "bytes": bytes,
    "complex": complex,
    "dict": dict,
    "float": float,
    "frozenset": frozenset,
    "int": int,
    "list": list,
    "range": range,
    "set": set,
    "str": str,
    "tuple": tuple,
}
_NUMBERS = (int, float, complex)
_SETS = (set, frozenset)
_MAX_POWER = 64
_MAX_OPERAND = 10**20
_OPERATIONS: dict[type[ast.operator], Callable[[Value, Value], Value]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.Pow: operator.pow,
}


class Unreadable(Exception):
    """An argument that is neither a literal nor built from literals; its text says what it is."""


def read_value(node: ast.expr, definitions: Definitions, depth: int = 0) -> Value:
    """Return the value that an expression denotes, without running anything of the program.

    Raises:
        Unreadable: it is something else than a literal, simple arithmetic of literals, a library
            container of literals, a member of an enumeration of the program, or a constructor call
            of a class of the program.
    """
    if depth > _MAX_DEPTH:
        raise Unreadable("nested too deeply")
    if isinstance(node, ast.Constant) and node.value is not Ellipsis:
        return node.value
    if isinstance(node, ast.List | ast.Tuple | ast.Set):
        elements = [read_value(each, definitions, depth + 1) for each in node.elts]
        if isinstance(node, ast.List):
            return elements
        return tuple(elements) if isinstance(node, ast.Tuple) else _hashed(set, elements)
    if isinstance(node, ast.Dict):
        keys = [_key(each, definitions, depth + 1) for each in node.keys]
        values = [read_value(each, definitions, depth + 1) for each in node.values]
        return _hashed(dict, list(zip(keys, values, strict=True)))
    if isinstance(node, ast.UnaryOp | ast.BinOp):
        return _computed(node, definitions, depth + 1)
    if isinstance(node, ast.Attribute):
        return _member(node, definitions)
    if isinstance(node, ast.Call):
        return _call(node, definitions, depth + 1)
    raise Unreadable(type(node).__name__.lower())


def _key(node: ast.expr | None, definitions: Definitions, depth: int) -> Value:
    if node is None:
        raise Unreadable("unpacking")
    return read_value(node, definitions, depth)


def _hashed(build: Callable[[list[Value]], Value], elements: list[Value]) -> Value:
    try:
        return build(elements)
    except TypeError:
        raise Unreadable("unhashable element") from None


def _computed(node: ast.UnaryOp | ast.BinOp, definitions: Definitions, depth: int) -> Value:
    """Return the result of simple arithmetic: ``-3``, ``1 + 2j``, ``10**9 + 7``, ``[0] * 4``."""
    if isinstance(node, ast.UnaryOp):
        operand = read_value(node.operand, definitions, depth)
        if type(operand) in _NUMBERS and isinstance(node.op, ast.USub | ast.UAdd):
            return -operand if isinstance(node.op, ast.USub) else operand
        raise Unreadable("computation")
    left = read_value(node.left, definitions, depth)
    right = read_value(node.right, definitions, depth)
    operation = _OPERATIONS.get(type(node.op))
    try:
        if operation is not None and _is_small(left, node.op, right):
            return operation(left, right)
    except (TypeError, ArithmeticError):
        pass
    raise Unreadable("computation")


def _is_small(left: Value, operator_: ast.operator, right: Value) -> bool:
    kinds = {type(left), type(right)}
    if isinstance(operator_, ast.Pow):
        return kinds == {int} and 0 <= right <= _MAX_POWER and abs(left) <= _MAX_POWER
    if kinds <= set(_NUMBERS):
        return all(abs(each) < _MAX_OPERAND for each in (left, right))
    if isinstance(operator_, ast.Add):
        return len(kinds) == 1 and kinds <= {str, bytes, list, tuple}
    if isinstance(operator_, ast.Mult) and int in kinds and kinds <= {int, str, bytes, list, tuple}:
        times, repeated = (left, right) if type(left) is int else (right, left)
        return times * len(repeated) <= _MAX_RANGE
    return False


def _member(node: ast.Attribute, definitions: Definitions) -> Value:
    if isinstance(node.value, ast.Name):
        found = definitions.classes.get(node.value.id)
        if found is not None and node.attr in found.members:
            return Member(found.name, node.attr)
    raise Unreadable("attribute")


def _call(node: ast.Call, definitions: Definitions, depth: int) -> Value:
    if isinstance(node.func, ast.Name) and node.func.id in definitions.classes:
        return _construct(node, definitions.classes[node.func.id], definitions, depth)
    name = (definitions.dotted(node.func) or "").removeprefix("builtins.")
    kind = name.removeprefix("collections.")
    if name in {"bytearray", "collections.deque", "collections.Counter", "collections.OrderedDict"}:
        content: Value = {"deque": [], "bytearray": b""}.get(kind, {})
        if node.args:
            content = read_value(node.args[0], definitions, depth)
        after = _texts(node.args[1:], node.keywords)
        return Built(kind, ast.unparse(node.func), (), content, after)
    if name == "collections.defaultdict" and node.args:
        content = read_value(node.args[1], definitions, depth) if len(node.args) > 1 else {}
        after = _texts(node.args[2:], node.keywords)
        return Built(kind, ast.unparse(node.func), (ast.unparse(node.args[0]),), content, after)
    if name in _PLAIN_CALLS and name not in definitions.functions:
        return _convert(name, node, definitions, depth)
    raise Unreadable(f"call of {ast.unparse(node.func)}")


def _texts(rest: list[ast.expr], words: list[ast.keyword]) -> tuple[str, ...]:
    return tuple(ast.unparse(each) for each in (*rest, *words))


def _convert(name: str, node: ast.Call, definitions: Definitions, depth: int) -> Value:
    if any(isinstance(each, ast.Starred) for each in node.args) or (
        node.keywords and (name != "dict" or None in {word.arg for word in node.keywords})
    ):
        raise Unreadable(f"call of {name}")
    given = [read_value(each, definitions, depth) for each in node.args]
    if not all(_is_convertible(name, each) for each in given):
        raise Unreadable(f"call of {name}")
    words = {str(word.arg): read_value(word.value, definitions, depth) for word in node.keywords}
    try:
        return _PLAIN_CALLS[name](*given, **words)
    except (TypeError, ValueError, OverflowError, MemoryError):
        raise Unreadable(f"call of {name}") from None


def _is_convertible(name: str, value: Value) -> bool:
    # Whatever would read a set in its own order would depend on PYTHONHASHSEED.
    if name == "dict":
        return type(value) is dict or (
            type(value) is list and all(type(each) is tuple for each in value)
        )
    if name in {"list", "tuple", "set", "frozenset"}:
        ordered = (str, bytes, list, tuple, dict)
        if type(value) is range:
            return len(value) <= _MAX_RANGE
        return type(value) in ordered or (name not in {"list", "tuple"} and type(value) in _SETS)
    if name == "bytes":
        return type(value) is bytes or (
            type(value) is list and all(type(each) is int for each in value)
        )
    return type(value) in (int, float, bool, str)


def _construct(node: ast.Call, found: ClassText, definitions: Definitions, depth: int) -> Value:
    if found.kind in {"opaque", "enum"}:
        raise Unreadable(f"call of {found.name}")
    names = [each.name for each in found.fields]
    words = [word.arg for word in node.keywords]
    starred = any(isinstance(each, ast.Starred) for each in node.args)
    if starred or None in words or len(node.args) > len(names):
        raise Unreadable(f"call of {found.name}")
    given = list(zip(names, node.args, strict=False))
    given += [(str(word.arg), word.value) for word in node.keywords]
    if len(dict(given)) < len(given) or not {name for name, _ in given} <= set(names):
        raise Unreadable(f"call of {found.name}")
    fields = tuple((name, read_value(each, definitions, depth)) for name, each in given)
    return dict(fields) if found.kind == "typed dict" else Instance(found.name, fields)
