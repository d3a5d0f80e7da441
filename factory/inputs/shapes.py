"""Shapes: what is known about the type of a value, deep inside containers too.

A *value* here is a Python object of a built-in type, built from ``int``, ``float``, ``bool``,
``complex``, ``str``, ``bytes``, ``None``, ``range``, ``list``, ``tuple``, ``set``, ``frozenset``
and ``dict``, or one of the stand-ins :class:`Instance`, :class:`Member` and :class:`Built` for
objects that only the program can make. A *shape* is the type that such a value has, or that a
parameter asks for; a *closed* shape holds no :class:`Ref`, :class:`Variable` or
:class:`Unsupported`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, TypeAlias

Value: TypeAlias = Any

SEQUENCE_KINDS = {
    "list": (list,),
    "tuple": (tuple,),
    "set": (set,),
    "frozenset": (frozenset,),
    "sequence": (list, tuple),
    "iterable": (list, tuple, set, frozenset),
    "abstract set": (set, frozenset),
}
"""Built-in types that an :class:`Items` kind admits, the one made by default first."""


@dataclass(frozen=True, slots=True)
class Instance:
    """A call of a program class's constructor: ``Point(x=1, y=2)``."""

    name: str
    fields: tuple[tuple[str, Value], ...]


@dataclass(frozen=True, slots=True)
class Member:
    """A member of an enumeration of the program: ``Color.RED``."""

    name: str
    member: str


@dataclass(frozen=True, slots=True)
class Built:
    """A library container around a plain value: ``deque([1, 2], maxlen=3)``."""

    kind: str
    """``deque``, ``Counter``, ``OrderedDict``, ``defaultdict`` or ``bytearray``."""
    callee: str
    """How the program spells the type."""
    before: tuple[str, ...]
    content: Value
    after: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Anything:
    """Nothing is known; ``elements`` of an empty list, or an annotation such as ``Any``."""

    tag = "anything"


@dataclass(frozen=True, slots=True)
class Atom:
    """An indivisible built-in type, by its name."""

    name: str

    @property
    def tag(self) -> str:
        """Key of the family."""
        return self.name


@dataclass(frozen=True, slots=True)
class Choice:
    """One of a few given values: a ``Literal`` or the members of an enumeration."""

    texts: tuple[str, ...]
    """Rendered values; they alone are compared, because ``1 == True``."""
    values: tuple[Value, ...] = field(compare=False)
    name: str = "Literal"
    tag = "choice"


@dataclass(frozen=True, slots=True)
class Items:
    """A collection of any length whose elements share a shape."""

    kind: str
    """A key of :data:`SEQUENCE_KINDS`."""
    element: Shape

    @property
    def tag(self) -> str:
        """Key of the family."""
        return self.kind


@dataclass(frozen=True, slots=True)
class Fixed:
    """A tuple of given length with one shape per place."""

    elements: tuple[Shape, ...]
    tag = "fixed"


@dataclass(frozen=True, slots=True)
class Pairs:
    """A dictionary with one shape for keys and one for values."""

    key: Shape
    value: Shape
    tag = "dict"


@dataclass(frozen=True, slots=True)
class Field:
    """A field of a :class:`Record`."""

    name: str
    shape: Shape
    required: bool


@dataclass(frozen=True, slots=True)
class Record:
    """Named fields: a class of the program, or a dictionary with fixed keys (``typed dict``)."""

    name: str
    fields: tuple[Field, ...]
    mapping: bool = False
    """Whether the value is a dictionary."""

    @property
    def tag(self) -> str:
        """Key of the family."""
        return "typed dict" if self.mapping else "record"


@dataclass(frozen=True, slots=True)
class Wrapped:
    """The shape of a :class:`Built`."""

    kind: str
    callee: str
    before: tuple[str, ...]
    content: Shape
    after: tuple[str, ...]
    tag = "wrapped"


@dataclass(frozen=True, slots=True)
class OneOf:
    """Any of several shapes."""

    options: tuple[Shape, ...]
    declared: bool
    """Whether an annotation says so, so that a value may move from one option to another."""
    tag = "one of"


@dataclass(frozen=True, slots=True)
class Ref:
    """An alias or class of the program by name; may refer to itself."""

    name: str
    tag = "ref"


@dataclass(frozen=True, slots=True)
class Variable:
    """A type variable: the same type wherever it stands in one call."""

    name: str
    options: tuple[Shape, ...]
    """Constraints, or the bound alone, or nothing."""
    tag = "variable"


@dataclass(frozen=True, slots=True)
class Unsupported:
    """A type that no input family makes."""

    name: str
    tag = "unsupported"


Shape: TypeAlias = (
    Anything
    | Atom
    | Choice
    | Items
    | Fixed
    | Pairs
    | Record
    | Wrapped
    | OneOf
    | Ref
    | Variable
    | Unsupported
)

ANYTHING = Anything()


def one_of(options: Iterable[Shape], *, declared: bool) -> Shape:
    """Join shapes: nested unions are flattened, duplicates left out, one option stands alone."""
    flat: dict[Shape, None] = {}
    for option in options:
        if isinstance(option, OneOf):
            flat.update(dict.fromkeys(option.options))
        else:
            flat[option] = None
    known: list[Shape] = [each for each in flat if not isinstance(each, Anything)] or [*flat]
    return known[0] if len(known) == 1 else OneOf(tuple(known), declared)


def children(shape: Shape) -> tuple[Shape, ...]:
    """Return the shapes directly inside a shape."""
    if isinstance(shape, Items):
        return (shape.element,)
    if isinstance(shape, Fixed):
        return shape.elements
    if isinstance(shape, Pairs):
        return (shape.key, shape.value)
    if isinstance(shape, Record):
        return tuple(each.shape for each in shape.fields)
    if isinstance(shape, Wrapped):
        return (shape.content,)
    if isinstance(shape, OneOf | Variable):
        return shape.options
    return ()


def is_hashable(shape: Shape) -> bool:
    """Return whether values of a shape can be elements of a set and keys of a dictionary."""
    if isinstance(shape, Pairs | Wrapped) or (isinstance(shape, Record) and shape.mapping):
        return False
    if isinstance(shape, Items) and shape.kind not in {"tuple", "frozenset"}:
        return False
    return all(map(is_hashable, children(shape)))


def accepts(shape: Shape, value: Value) -> bool:
    """Return whether a value has a closed shape, deep inside; ``bool`` is never ``int``."""
    if isinstance(shape, Anything):
        return True
    if isinstance(shape, Atom):
        return type(value).__name__ == shape.name
    if isinstance(shape, Choice):
        return any(type(value) is type(choice) and bool(value == choice) for choice in shape.values)
    if isinstance(shape, Items):
        return type(value) in SEQUENCE_KINDS[shape.kind] and all(
            accepts(shape.element, element) for element in value
        )
    if isinstance(shape, Fixed):
        return (
            type(value) is tuple
            and len(value) == len(shape.elements)
            and all(map(accepts, shape.elements, value))
        )
    if isinstance(shape, Pairs):
        return type(value) is dict and all(
            accepts(shape.key, key) and accepts(shape.value, element)
            for key, element in value.items()
        )
    if isinstance(shape, Record):
        return _accepts_record(shape, value)
    if isinstance(shape, Wrapped):
        return (
            type(value) is Built
            and (value.kind, value.before, value.after) == (shape.kind, shape.before, shape.after)
            and accepts(shape.content, value.content)
        )
    if isinstance(shape, OneOf):
        return any(accepts(option, value) for option in shape.options)
    return False


def _accepts_record(shape: Record, value: Value) -> bool:
    if shape.mapping:
        given = value if type(value) is dict else None
    else:
        given = dict(value.fields) if type(value) is Instance and value.name == shape.name else None
    if given is None:
        return False
    shapes = {each.name: each.shape for each in shape.fields}
    return all(each.name in given for each in shape.fields if each.required) and all(
        name in shapes and accepts(shapes[name], element) for name, element in given.items()
    )
