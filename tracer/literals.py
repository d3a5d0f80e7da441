"""Literals of a syntax tree to values: never by evaluation, only by building them up.

``from_node`` takes Python literals and the few calls that canonical text has (``set()``,
``frozenset({1})``, ``range(0, 5)``, ``collections.deque([1], maxlen=3)``, ...); a name, an
attribute, any other call, a comparison or a lambda is refused before anything is built.

Source: own (DESIGN, section 3, "Value").
"""

from __future__ import annotations

import ast
import threading
import warnings
from collections import Counter, OrderedDict, defaultdict, deque
from collections.abc import Callable
from typing import Any, TypeAlias

_PARSE_LOCK = threading.Lock()
_FACTORIES: dict[str, Any] = {
    kind.__name__: kind
    for kind in (
        *(bool, bytearray, bytes, complex, dict, float, frozenset, int, list, set, str, tuple),
    )
}
_Build: TypeAlias = Callable[[tuple[Any, ...], dict[str, Any], bool], Any]


class NotFaithful(ValueError):
    """The text is not the text of a value that can be built again."""


def expression(text: str) -> ast.expr:
    """Syntax tree of a text that is one expression.

    Raises:
        NotFaithful: It is not.
    """
    return _tree(text.strip(), "eval").body  # type: ignore[attr-defined, no-any-return]


def statement(text: str) -> ast.stmt:
    """Syntax tree of a text that is one statement.

    Raises:
        NotFaithful: It is not.
    """
    body: list[ast.stmt] = _tree(text.strip(), "exec").body  # type: ignore[attr-defined]
    if len(body) != 1:
        raise NotFaithful("not one statement")
    return body[0]


def module(text: str) -> ast.Module:
    """Syntax tree of a program.

    Raises:
        NotFaithful: The text is none.
    """
    return _tree(text, "exec")  # type: ignore[return-value]


def _tree(text: str, mode: str) -> ast.AST:
    try:
        # Odd escapes in an answer would otherwise warn, or raise under -W error.
        with _PARSE_LOCK, warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.parse(text, mode=mode)
    except (SyntaxError, ValueError, MemoryError, RecursionError) as error:
        raise NotFaithful(f"not Python: {type(error).__name__}") from None


def arguments_of(
    node: ast.Call, *, lenient: bool = False
) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """Build the arguments of a call that is written in a syntax tree.

    Raises:
        NotFaithful: An argument is starred, given twice or no literal.
    """
    positional = tuple([from_node(part, lenient=lenient) for part in node.args])
    keyword: dict[str, Any] = {}
    for part in node.keywords:
        if part.arg is None or part.arg in keyword:
            raise NotFaithful("a keyword is given twice or unpacked")
        keyword[part.arg] = from_node(part.value, lenient=lenient)
    return positional, keyword


def from_node(node: ast.expr, *, lenient: bool = False) -> Any:
    """Build the value of a syntax tree.

    Args:
        node: The tree of an expression.
        lenient: Also take the spellings that ``repr`` and people use: ``nan``, ``deque([1])``,
            ``set([1])``, ``OrderedDict({'a': 1})``, and ``-2j`` for ``complex(0.0, -2.0)``.

    Raises:
        NotFaithful: The tree holds anything but literals.
    """
    try:
        return _build(node, lenient)
    except (TypeError, ValueError, OverflowError, RecursionError) as error:
        raise NotFaithful(str(error)) from None


def _build(node: ast.expr, lenient: bool) -> Any:
    if isinstance(node, ast.Constant):
        return node.value
    if isinstance(node, ast.List | ast.Tuple | ast.Set):
        parts = []
        for part in node.elts:
            parts.append(_build(part, lenient))
        return _SEQUENCES[type(node)](parts)
    if isinstance(node, ast.Dict):
        built = {}
        for key, value in zip(node.keys, node.values, strict=True):
            if key is None:
                raise NotFaithful("unpacking is no literal")
            built[_build(key, lenient)] = _build(value, lenient)
        return built
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub | ast.UAdd):
        return _signed(node, lenient)
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add | ast.Sub):
        return _complex(node, lenient)
    if isinstance(node, ast.Call):
        return _call(node, lenient)
    name = _dotted(node)
    if name == "Ellipsis":
        return ...
    if lenient and name in ("nan", "inf", "math.nan", "math.inf"):
        return float(name.removeprefix("math."))
    if lenient and name in ("nanj", "infj"):
        return complex(0.0, float(name.removesuffix("j")))
    raise NotFaithful(f"{type(node).__name__} is no literal")


def _signed(node: ast.UnaryOp, lenient: bool) -> Any:
    number = _build(node.operand, lenient)
    if type(number) not in (int, float, complex):
        raise NotFaithful("a sign before something that is no number")
    if isinstance(node.op, ast.UAdd):
        return number
    return complex(0.0, -number.imag) if lenient and type(number) is complex else -number


def _complex(node: ast.BinOp, lenient: bool) -> complex:
    """``(1+2j)``, read as ``repr`` means it: the right side is the imaginary part."""
    real, imag = _build(node.left, lenient), _build(node.right, lenient)
    if type(real) not in (int, float) or type(imag) is not complex or imag.real != 0:
        raise NotFaithful("arithmetic is no literal")
    if real == 0 and isinstance(node.left, ast.UnaryOp):
        real = -0.0
    return complex(real, -imag.imag if isinstance(node.op, ast.Sub) else imag.imag)


def _dotted(node: ast.expr) -> str:
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
        return f"{node.value.id}.{node.attr}"
    return ""


def _call(node: ast.Call, lenient: bool) -> Any:
    name = _dotted(node.func)
    if lenient and name in ("deque", "Counter", "OrderedDict", "defaultdict"):
        name = f"collections.{name}"
    if name == "collections.defaultdict" and node.args:
        factory = _factory(node.args[0])
        rest = ast.Call(node.func, node.args[1:], node.keywords)
        positional, keyword = arguments_of(rest, lenient=lenient)
        return defaultdict(factory, _only(positional, keyword, dict, {}))
    make = _CALLS.get(name)
    if make is None:
        raise NotFaithful(f"a call of {name or 'something'} is no literal")
    positional, keyword = arguments_of(node, lenient=lenient)
    return make(positional, keyword, lenient)


def _factory(node: ast.expr) -> Any:
    if isinstance(node, ast.Constant) and node.value is None:
        return None
    factory = _FACTORIES.get(_dotted(node))
    if factory is None:
        raise NotFaithful("the factory of a defaultdict must be a built-in type")
    return factory


def _only(
    positional: tuple[Any, ...], keyword: dict[str, Any], kind: type | tuple[type, ...], empty: Any
) -> Any:
    """The single argument of a call, which must be exactly of a kind; ``empty`` without one."""
    kinds = kind if isinstance(kind, tuple) else (kind,)
    if keyword or len(positional) > 1:
        raise NotFaithful("too many arguments")
    if not positional:
        return empty
    if type(positional[0]) not in kinds:
        raise NotFaithful("an argument of the wrong type")
    return positional[0]


def _set(positional: tuple[Any, ...], keyword: dict[str, Any], lenient: bool) -> Any:
    if positional and not lenient:
        raise NotFaithful("a set is written {...}")
    return set(_only(positional, keyword, (set, list, tuple), ()))


def _frozenset(positional: tuple[Any, ...], keyword: dict[str, Any], lenient: bool) -> Any:
    kinds: tuple[type, ...] = (set, list, tuple) if lenient else (set,)
    return frozenset(_only(positional, keyword, kinds, ()))


def _range(positional: tuple[Any, ...], keyword: dict[str, Any], lenient: bool) -> Any:
    if keyword or not (1 if lenient else 2) <= len(positional) <= 3:
        raise NotFaithful("a range is written range(0, 5)")
    if any(type(part) is not int for part in positional):
        raise NotFaithful("a range has ints")
    return range(*positional)


def _bytearray(positional: tuple[Any, ...], keyword: dict[str, Any], lenient: bool) -> Any:
    return bytearray(_only(positional, keyword, bytes, b""))


def _float(positional: tuple[Any, ...], keyword: dict[str, Any], lenient: bool) -> Any:
    name = _only(positional, keyword, str, "")
    if name.lower() not in ("nan", "inf", "-inf", "+inf", "infinity", "-infinity"):
        raise NotFaithful("only float('nan'), float('inf') and float('-inf') are literals")
    return float(name)


def _complex_call(positional: tuple[Any, ...], keyword: dict[str, Any], lenient: bool) -> Any:
    if keyword or len(positional) != 2 or any(type(p) not in (int, float) for p in positional):
        raise NotFaithful("a complex is written complex(0.0, -1.0)")
    return complex(*positional)


def _deque(positional: tuple[Any, ...], keyword: dict[str, Any], lenient: bool) -> Any:
    maxlen = keyword.pop("maxlen", None)
    if maxlen is not None and type(maxlen) is not int:
        raise NotFaithful("maxlen is an int")
    return deque(_only(positional, keyword, list, []), maxlen)


def _counter(positional: tuple[Any, ...], keyword: dict[str, Any], lenient: bool) -> Any:
    return Counter(_only(positional, keyword, dict, {}))


def _ordered_dict(positional: tuple[Any, ...], keyword: dict[str, Any], lenient: bool) -> Any:
    items = _only(positional, keyword, (list, dict) if lenient else list, [])
    if type(items) is list and any(type(item) is not tuple or len(item) != 2 for item in items):
        raise NotFaithful("an OrderedDict is written OrderedDict([(key, value)])")
    return OrderedDict(items)


def _plain(kind: Any) -> _Build:
    def build(positional: tuple[Any, ...], keyword: dict[str, Any], lenient: bool) -> Any:
        if not lenient:
            raise NotFaithful(f"a {kind.__name__} is written as a literal")
        return kind(_only(positional, keyword, kind, kind()))

    return build


_SEQUENCES: dict[type, Any] = {ast.List: list, ast.Tuple: tuple, ast.Set: set}
_CALLS: dict[str, _Build] = {
    "set": _set,
    "frozenset": _frozenset,
    "range": _range,
    "bytearray": _bytearray,
    "float": _float,
    "complex": _complex_call,
    "collections.deque": _deque,
    "collections.Counter": _counter,
    "collections.OrderedDict": _ordered_dict,
    "list": _plain(list),
    "tuple": _plain(tuple),
    "dict": _plain(dict),
}
