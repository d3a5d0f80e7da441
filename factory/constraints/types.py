"""Static types as the constraint checker and the templates use them.

A type is a name with arguments: ``list[str]``, ``dict[str, int]``, ``tuple[int, ...]``. Two names
are special: :data:`UNKNOWN` (nothing can be said) and :data:`NOTHING` (no element seen yet, as in
``[]``). ``bool`` is never ``int``.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache


@dataclass(frozen=True, slots=True)
class Type:
    """A type name and its arguments."""

    name: str
    args: tuple[Type, ...] = ()

    def __str__(self) -> str:
        """The type as an annotation: ``dict[str, int]``."""
        if self.name == "NoneType":
            return "None"
        if not self.args:
            return self.name
        return f"{self.name}[{', '.join(str(arg) for arg in self.args)}]"


UNKNOWN = Type("?")
NOTHING = Type("nothing")
ANY_LENGTH = Type("...")
INT = Type("int")
STR = Type("str")
BOOL = Type("bool")
FLOAT = Type("float")
BYTES = Type("bytes")
COMPLEX = Type("complex")
NONE = Type("NoneType")

_ALIASES = {
    "List": "list",
    "Dict": "dict",
    "Set": "set",
    "Tuple": "tuple",
    "FrozenSet": "frozenset",
    "DefaultDict": "defaultdict",
    "Deque": "deque",
    "None": "NoneType",
    "Sequence": "?",
    "Iterable": "iterator",
    "Iterator": "iterator",
    "Any": "?",
    "Optional": "?",
    "Union": "?",
}
ITERATORS = frozenset(
    {"iterator", "enumerate", "zip", "map", "filter", "reversed", "generator", "itertools"}
)
"""Types whose objects are used up by reading them."""
MAPPINGS = frozenset({"dict", "defaultdict", "OrderedDict", "Counter"})
VIEWS = frozenset({"dict_items", "dict_keys", "dict_values"})
_ARITY = {
    **dict.fromkeys(("list", "set", "frozenset", "deque", "Counter", *ITERATORS), 1),
    **dict.fromkeys(("dict", "defaultdict", "OrderedDict"), 2),
}
_ELEMENT_FIRST = (
    ITERATORS
    | MAPPINGS
    | {
        "list",
        "set",
        "frozenset",
        "deque",
        "dict_keys",
        "dict_values",
    }
)
_NAME = re.compile(r"(?:\w+\.)*(\w+|\.\.\.)\s*(?:\[(.*)\])?", re.DOTALL)


def list_of(element: Type) -> Type:
    """``list[element]``."""
    return Type("list", (element,))


def set_of(element: Type) -> Type:
    """``set[element]``."""
    return Type("set", (element,))


def dict_of(key: Type, value: Type) -> Type:
    """``dict[key, value]``."""
    return Type("dict", (key, value))


def tuple_of(element: Type) -> Type:
    """``tuple[element, ...]``."""
    return Type("tuple", (element, ANY_LENGTH))


def iterator_of(element: Type) -> Type:
    """An iterator of no named type: what ``iter`` and most of ``itertools`` return."""
    return Type("iterator", (element,))


def pair_of(mapping: Type) -> tuple[Type, Type]:
    """Types of the keys and values of a mapping."""
    if mapping.name == "Counter":
        return (mapping.args[0] if mapping.args else UNKNOWN, INT)
    if mapping.name in MAPPINGS and len(mapping.args) == 2:
        return mapping.args[0], mapping.args[1]
    return UNKNOWN, UNKNOWN


def join(left: Type, right: Type) -> Type:
    """The type of something that is ``left`` here and ``right`` there."""
    if left == right or right == NOTHING:
        return left
    if left == NOTHING:
        return right
    if left.name != right.name:
        return UNKNOWN
    if len(left.args) != len(right.args) or ANY_LENGTH in left.args + right.args:
        if left.name == "tuple":
            return tuple_of(join(element(left), element(right)))
        return Type(left.name)
    return Type(left.name, tuple(map(join, left.args, right.args)))


def join_all(types: list[Type]) -> Type:
    """The join of all; :data:`NOTHING` for no types."""
    result = NOTHING
    for each in types:
        result = join(result, each)
    return result


def element(container: Type) -> Type:
    """The type of what iterating over ``container`` gives."""
    name, args = container.name, container.args
    if name == "str":
        return STR
    if name in ("range", "bytes"):
        return INT
    if name == "dict_items":
        return Type("tuple", args)
    if name == "tuple":
        return join_all([arg for arg in args if arg != ANY_LENGTH]) if args else UNKNOWN
    if name in _ELEMENT_FIRST:
        return args[0] if args else UNKNOWN
    return UNKNOWN


def _split(text: str) -> list[str]:
    parts, depth, start = [], 0, 0
    for position, char in enumerate(text):
        if char == "[":
            depth += 1
        elif char == "]":
            depth -= 1
        elif char == "," and depth == 0:
            parts.append(text[start:position])
            start = position + 1
    parts.append(text[start:])
    return [part for part in parts if part.strip()]


@lru_cache(maxsize=4096)
def parse_type(text: str) -> Type:
    """The type that an annotation's text names; :data:`UNKNOWN` for unions and anything unclear."""
    text = text.strip()
    if len(text) >= 2 and text[0] == text[-1] and text[0] in "'\"":
        text = text[1:-1].strip()
    match = _NAME.fullmatch(text)
    if match is None or "|" in re.sub(r"\[.*\]", "", text, flags=re.DOTALL):
        return UNKNOWN
    name = _ALIASES.get(match[1], match[1])
    if name == "?":
        return UNKNOWN
    args = tuple(parse_type(part) for part in _split(match[2] or ""))
    if name in _ARITY and len(args) not in (0, _ARITY[name]):
        return UNKNOWN
    return Type(name, args)
