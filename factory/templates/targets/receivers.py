"""Objects to call a target on: variables, objects made of them, and results of other calls."""

from __future__ import annotations

from collections.abc import Callable

from factory.constraints.types import BOOL, COMPLEX, INT, STR, UNKNOWN, Type, list_of, tuple_of
from factory.templates import nodes
from factory.templates.coercion import to_int
from factory.templates.nodes import Expr
from factory.templates.targets.values import (
    constant,
    either,
    filled_row,
    formed,
    joined,
    number,
    octet,
    octets,
    row,
    table,
    text,
    truth,
)
from factory.templates.writer import Writer

_PATTERNS = ("[aeiou]", "[a-m]+", "[^a-z]", "[aeiou][a-z]", "[a-z]+")


def _list(w: Writer, element: Type, inner: Expr | None, full: bool) -> Expr:
    return filled_row(w, element, inner) if full else row(w, element, inner)


def _tuple(w: Writer, element: Type, inner: Expr | None, full: bool) -> Expr:
    type_ = tuple_of(element)
    if inner is None:
        made = w.get(type_)
    elif inner.type == type_:
        made = inner
    elif inner.type == BOOL:
        made = either(w, inner, type_)
    elif inner.type == INT:
        made = nodes.part(w.get(type_), inner)
    else:
        made = nodes.call("tuple", row(w, element, inner)).retyped(type_)
    if not full:
        return made
    last = nodes.tuple_display(constant(w, element), constant(w, element))
    return joined(w, made, last)


def _range(w: Writer, element: Type, inner: Expr | None, full: bool) -> Expr:
    if inner is not None and inner.type.name == "range" and not full:
        return inner
    count = w.get(INT) if inner is None else to_int(w, inner)
    top = nodes.binary(count, "%", w.number(5, 9))
    if w.chance(0.5):
        return nodes.call("range", nodes.binary(top, "+", w.number(2, 4)))
    return formed(
        w,
        "range(LOW, _, STEP)",
        LOW=w.number(0, 2),
        STEP=w.number(1, 3),
        on=nodes.binary(top, "+", w.number(6, 9)),
    )


def _set(name: str) -> Maker:
    def make(w: Writer, element: Type, inner: Expr | None, full: bool) -> Expr:
        type_ = Type(name, (element,))
        if inner is not None and inner.type == type_:
            made = inner
        elif inner is None and w.chance(0.6):
            made = w.get(type_)
        else:
            made = nodes.call(name, row(w, element, inner))
        if not full:
            return made
        return nodes.binary(made, "|", nodes.set_display(constant(w, element)))

    return make


def _dict(w: Writer, element: Type, inner: Expr | None, full: bool) -> Expr:
    made = table(w, element, inner)
    if not full:
        return made
    return nodes.binary(made, "|", nodes.dict_display((constant(w, element), w.number(1, 9))))


def _library(name: str) -> Maker:
    """``Counter``, ``deque``, ``defaultdict`` and ``OrderedDict``."""

    def make(w: Writer, element: Type, inner: Expr | None, full: bool) -> Expr:
        w.need("collections", name)
        if inner is not None and inner.type.name == name and not full:
            if inner.type.args[0] == element:
                return inner
        if name in ("Counter", "deque"):
            base = _list(w, element, inner, full)
            return formed(w, f"{name}(_)", on=base)
        base = _dict(w, element, inner, full)
        return formed(w, "defaultdict(int, _)" if name == "defaultdict" else f"{name}(_)", on=base)

    return make


_MAPPED = {
    INT: ("map(abs, _)", "map(lambda each: each * 2, _)", "map(lambda each: each % 7, _)"),
    STR: ("map(str.upper, _)", "map(lambda each: each[:3], _)", "map(str.title, _)"),
}
_KEPT = {
    INT: ("filter(lambda each: each % 2, _)", "filter(lambda each: each > 3, _)"),
    STR: ("filter(str.islower, _)", "filter(lambda each: len(each) > 4, _)"),
}


def _iterator(name: str) -> Maker:
    """``enumerate``, ``zip``, ``map``, ``filter`` and ``reversed``."""

    def make(w: Writer, element: Type, inner: Expr | None, full: bool) -> Expr:
        base = _list(w, element, inner, full)
        if name == "enumerate":
            return formed(w, w.rng.choice(("enumerate(_)", "enumerate(_, 1)")), on=base)
        if name == "zip":
            if full:
                return formed(w, "zip(_, [N, INT])", on=base, N=w.number(1, 9), INT=w.get(INT))
            return nodes.call("zip", base, w.get(list_of(INT)))
        if name == "map":
            return formed(w, w.rng.choice(_MAPPED[element]), on=base)
        if name == "filter":
            return formed(w, "filter(None, _)" if full else w.rng.choice(_KEPT[element]), on=base)
        return nodes.call("reversed", base)

    return make


def _int(w: Writer, element: Type, inner: Expr | None, full: bool) -> Expr:
    if inner is None:
        return w.get(INT)
    if inner.type == INT:
        return inner
    return nodes.binary(w.get(INT), w.rng.choice(("+", "+", "-")), to_int(w, inner))


def _complex(w: Writer, element: Type, inner: Expr | None, full: bool) -> Expr:
    if inner is not None and inner.type == COMPLEX:
        return inner
    value = number(w, inner) if w.chance(0.3) else _int(w, element, inner, full)
    return formed(w, "complex(_, N)", on=value, N=w.number(1, 6))


def _text(w: Writer, element: Type, inner: Expr | None, full: bool) -> Expr:
    made = text(w, inner)
    return joined(w, made, w.word()) if full else made


def _bytes(w: Writer, element: Type, inner: Expr | None, full: bool) -> Expr:
    made = octets(w, inner)
    return joined(w, made, octet(w, 2)) if full else made


def _pattern(w: Writer, element: Type, inner: Expr | None, full: bool) -> Expr:
    w.modules.add("re")
    if inner is None or inner.type.name != "str":
        return formed(w, f"re.compile({w.rng.choice(_PATTERNS)!r})")
    return formed(w, "re.compile(re.escape(STR))", STR=inner)


def _match(w: Writer, element: Type, inner: Expr | None, full: bool) -> Expr:
    pattern = w.rng.choice(("(?P<head>.?)(?P<tail>(?s:.*))", "(?P<head>[a-z]*)(?P<tail>(?s:.*))"))
    return formed(w, f"re.match({pattern!r}, STR)", STR=text(w, inner))


def record_name(w: Writer, kind: str) -> str:
    """Name of the program's record class; its definition is added when it is first used."""
    if w.record is None:
        w.record = "".join(part.title() for part in w.theme.noun.split("_"))
        w.titles.add(w.record)
        if kind == "namedtuple":
            w.need("collections", "namedtuple")
            made = nodes.call("namedtuple", nodes.literal(w.record), _fields(), returns=UNKNOWN)
            w.definitions.insert(0, nodes.assign(w.record, made))
        else:
            w.need("dataclasses", "dataclass")
            fields = [nodes.field("name", STR), nodes.field("size", INT)]
            w.definitions.insert(0, nodes.class_(w.record, fields, decorators=("dataclass",)))
    return w.record


def _fields() -> Expr:
    return nodes.list_display(nodes.literal("name"), nodes.literal("size"))


def instance(w: Writer, kind: str, inner: Expr | None) -> Expr:
    """An object of the program's record class."""
    title = record_name(w, kind)
    name = text(w, inner if inner is not None and inner.type == STR else None)
    size = w.get(INT) if inner is None or inner.type == STR else to_int(w, inner)
    fields = (Type("name", (STR,)), Type("size", (INT,))) if kind == "dataclass" else ()
    return nodes.call(title, name, size, returns=Type(kind, (Type(title), *fields)))


def _namedtuple(w: Writer, element: Type, inner: Expr | None, full: bool) -> Expr:
    return instance(w, "namedtuple", inner)


Maker = Callable[[Writer, Type, "Expr | None", bool], Expr]
MAKERS: dict[str, Maker] = {
    "str": _text,
    "bytes": _bytes,
    "int": _int,
    "float": lambda w, element, inner, full: number(w, inner),
    "complex": _complex,
    "bool": lambda w, element, inner, full: truth(w, inner),
    "list": _list,
    "tuple": _tuple,
    "dict": _dict,
    "set": _set("set"),
    "frozenset": _set("frozenset"),
    "range": _range,
    **{name: _iterator(name) for name in ("enumerate", "zip", "map", "filter", "reversed")},
    **{name: _library(name) for name in ("Counter", "deque", "defaultdict", "OrderedDict")},
    "namedtuple": _namedtuple,
    "Pattern": _pattern,
    "Match": _match,
}
"""How to make an object of each type: from what is in scope, or from the result of a call."""
