"""What stands in the holes of a form; see :mod:`factory.constraints.catalogue`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from libcst import Name  # noqa: TID253 - factory.templates is only imported inside functions

from factory.constraints.types import INT, ITERATORS, STR, Type, tuple_of
from factory.templates import nodes
from factory.templates.nodes import Expr
from factory.templates.nodes.forms import is_known
from factory.templates.targets.receivers import MAKERS, instance, record_name
from factory.templates.targets.values import (
    constant,
    formed,
    number,
    octet,
    octets,
    row,
    text,
)
from factory.templates.writer import Writer

_IN_PLACE = 0.5
"""How often an object stands where it is used, without a variable of its own."""
_PRIMES = (31, 47, 59, 71, 83, 97, 101, 113)
_FORMATS = {
    "int": ("05d", "x", "b", "+d", ">6"),
    "bool": ("d", "02d"),
    "float": (".1f", ".2e", ".0f"),
    "str": (">10", "<8", "^9"),
}
_RECEIVERS = {"_": False, "_full": True, "_ints": False, "_small": False}
"""Holes for the receiver, and whether it must hold something."""


@dataclass(frozen=True, slots=True)
class Scene:
    """Where a form is filled: the writer, the row of the grid, the type of the elements."""

    w: Writer
    row: str
    element: Type


def receiver(scene: Scene, hole: str, inner: Expr | None) -> Expr:
    """The object that the target is called on."""
    if hole == "_small":
        return _small(scene, inner)
    made = MAKERS[scene.row](scene.w, scene.element, inner, _RECEIVERS[hole])
    return made if inner is not None else kept(scene.w, made)


def kept(w: Writer, made: Expr) -> Expr:
    """``made``, held by a variable of its own unless it is one or is used up by reading."""
    simple = isinstance(made.node, Name) or made.constant or made.type.name in ITERATORS
    if simple or not is_known(made.type) or w.chance(_IN_PLACE):
        return made
    return w.read(w.bind(made))


def _small(scene: Scene, inner: Expr | None) -> Expr:
    """An iterator over numbers of one byte."""
    base = row(scene.w, INT, inner)
    if scene.row == "reversed":
        return formed(scene.w, "reversed([each % 200 for each in _])", on=base)
    function = "lambda each: each % 200"
    inside = formed(scene.w, f"map({function}, _)", on=base)
    return inside if scene.row == "map" else formed(scene.w, "filter(None, _)", on=inside)


def _item(scene: Scene, inner: Expr | None) -> Expr:
    w, element = scene.w, scene.element
    if scene.row == "str":
        return w.letter() if w.chance(0.7) else nodes.literal(w.rng.choice((" ", "-", "_", ", ")))
    if scene.row == "bytes":
        return octet(w)
    if scene.row in ("enumerate", "zip"):
        first = w.number(0, 3) if scene.row == "enumerate" else constant(w, element)
        return nodes.tuple_display(first, constant(w, element if scene.row == "enumerate" else INT))
    if scene.row == "range":
        return w.get(INT) if inner is None else nodes.call("abs", inner)
    if inner is None:
        return constant(w, element) if w.chance(0.4) else w.get(element)
    return text(w, inner) if element == STR else MAKERS["int"](w, element, inner, False)


def _letters(scene: Scene, inner: Expr | None) -> Expr:
    letters = "".join(scene.w.rng.sample("aeiorstlnd", scene.w.rng.randint(1, 3)))
    if scene.row == "bytes":
        return formed(scene.w, f"b{letters!r}")
    return nodes.literal(letters)


def _few(scene: Scene, inner: Expr | None) -> Expr:
    """A list of at most three elements."""
    listed = row(scene.w, scene.element, inner)
    return nodes.part(listed, None, scene.w.number(2, 3))


def fixed(scene: Scene) -> Expr:
    """A value of the row's type that no variable decides."""
    w = scene.w
    if scene.row in ("str", "bytes"):
        base = w.word()
    elif scene.row in ("int", "float", "complex", "bool"):
        base = w.number(2, 12)
    else:
        both = constant(w, scene.element), constant(w, scene.element)
        if scene.row == "tuple":
            return nodes.tuple_display(*both).retyped(tuple_of(scene.element))
        if scene.row == "set":
            return nodes.set_display(*both)
        base = nodes.list_display(*both)
    return MAKERS[scene.row](w, scene.element, base, False)


Filler = Callable[[Scene, "Expr | None"], Expr]
_LITERALS: dict[str, Filler] = {
    "N": lambda scene, inner: scene.w.number(2, 7),
    "TWO": lambda scene, inner: nodes.literal(2),
    "THREE": lambda scene, inner: nodes.literal(3),
    "SMALL": lambda scene, inner: scene.w.number(0, 3),
    "LOW": lambda scene, inner: scene.w.number(1, 2),
    "WIDTH": lambda scene, inner: scene.w.number(8, 14),
    "PRIME": lambda scene, inner: nodes.literal(scene.w.rng.choice(_PRIMES)),
    "DIGIT": lambda scene, inner: nodes.literal(str(scene.w.rng.randint(0, 9))),
    "FILL": lambda scene, inner: (
        octet(scene.w, letters="*-.=~")
        if scene.row == "bytes"
        else nodes.literal(scene.w.rng.choice("*-.=~"))
    ),
    "SEP": lambda scene, inner: nodes.literal(scene.w.rng.choice(("-", ", ", " ", "+", "/"))),
    "FORMAT": lambda scene, inner: nodes.literal(scene.w.rng.choice(_FORMATS[scene.row])),
    "LETTERS": _letters,
    "WORD": lambda scene, inner: scene.w.word(),
    "CH": lambda scene, inner: scene.w.letter(),
    "OTHER": lambda scene, inner: scene.w.get(STR),
    "OCTETS": lambda scene, inner: octets(scene.w, None),
    "NUMBERS": lambda scene, inner: row(scene.w, INT, None),
    "RECORD": lambda scene, inner: nodes.name(
        record_name(scene.w, scene.row), Type("class", (Type(scene.row),))
    ),
}
CARRIERS: dict[str, Filler] = {
    "SELF": lambda scene, inner: receiver(scene, "_", inner),
    "ITEM": _item,
    "FEW": _few,
    "KEY": lambda scene, inner: (
        scene.w.word() if inner is None and scene.w.chance(0.3) else text(scene.w, inner)
    ),
    "VAL": lambda scene, inner: (
        scene.w.number(0, 9)
        if inner is None and scene.w.chance(0.4)
        else MAKERS["int"](scene.w, INT, inner, False)
    ),
    "INT": lambda scene, inner: MAKERS["int"](scene.w, INT, inner, False),
    "STR": lambda scene, inner: text(scene.w, inner),
    "FLOAT": lambda scene, inner: number(scene.w, inner),
    "BYTES": lambda scene, inner: octets(scene.w, inner),
    "NAMES": lambda scene, inner: row(scene.w, STR, inner),
    "NUMS": lambda scene, inner: row(scene.w, INT, inner),
    "INSTANCE": lambda scene, inner: instance(scene.w, "dataclass", inner),
}
"""Holes that can hold the result of another call."""
_FILLERS = {**_LITERALS, **CARRIERS}


def can_carry(scene: Scene, hole: str) -> bool:
    """Whether the result of an inner call can stand in a hole."""
    if hole[-1].isdigit():
        return False
    if hole == "ITEM" and scene.row in ("str", "bytes", "enumerate", "zip"):
        return False
    if hole == "_" and scene.row == "Pattern":
        return False
    return hole in _RECEIVERS or hole in CARRIERS


def filling(scene: Scene, hole: str, inner: Expr | None = None) -> Expr:
    """An expression for a hole; it holds ``inner`` if one is given."""
    if hole in _RECEIVERS:
        return receiver(scene, hole, inner)
    plain_name = hole.rstrip("0123456789")
    if hole != plain_name and plain_name == "ITEM" and scene.row == "bytes":
        return octet(scene.w)
    if hole != plain_name and plain_name in ("ITEM", "KEY"):
        return constant(scene.w, STR if plain_name == "KEY" else scene.element)
    return _FILLERS[plain_name](scene, inner)
