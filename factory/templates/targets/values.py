"""Numbers, texts, lists and tables, from what is in scope or from the result of a call."""

from __future__ import annotations

from factory.constraints.types import (
    BOOL,
    BYTES,
    FLOAT,
    INT,
    STR,
    Type,
    dict_of,
    list_of,
)
from factory.templates import nodes
from factory.templates.coercion import plain, to, to_bool, to_int, to_list, to_str
from factory.templates.nodes import Expr
from factory.templates.nodes.forms import Form, fill, read_form
from factory.templates.writer import Writer


def need(w: Writer, form: Form) -> None:
    """Imports what a form names."""
    w.modules |= form.modules
    for module, name in form.imports:
        w.need(module, name)


def formed(w: Writer, text: str, **fillings: Expr) -> Expr:
    """A form with its holes filled; the hole ``_`` is given as ``on``."""
    form = read_form(text)
    need(w, form)
    return fill(form, {("_" if name == "on" else name): each for name, each in fillings.items()})


def constant(w: Writer, element: Type) -> Expr:
    """A literal of ``element``."""
    if element == STR:
        return w.word()
    if element == FLOAT:
        return formed(w, f"{w.rng.randint(1, 9)}.5")
    return w.number(1, 20)


def number(w: Writer, inner: Expr | None) -> Expr:
    """A float."""
    if inner is not None:
        inner = plain(inner)
        if inner.type == FLOAT:
            return inner
        return nodes.binary(to_int(w, inner), "/", w.number(2, 5))
    if w.chance(0.5):
        return w.get(FLOAT)
    return nodes.binary(w.get(INT), "/", w.number(2, 5))


def truth(w: Writer, inner: Expr | None) -> Expr:
    """A truth value."""
    return to_bool(w, w.get(w.rng.choice((INT, INT, STR))) if inner is None else inner)


def octets(w: Writer, inner: Expr | None) -> Expr:
    """A bytes object."""
    if inner is None:
        if w.chance(0.4):
            return w.get(BYTES)
        return formed(w, "STR.encode()", STR=w.get(STR))
    if inner.type == BYTES:
        return inner
    if inner.type == BOOL:
        return nodes.choose(inner, w.get(BYTES), octet(w, 3))
    if inner.type == INT:
        return nodes.part(w.get(BYTES), inner)
    return formed(w, "STR.encode()", STR=to_str(w, inner))


def text(w: Writer, inner: Expr | None) -> Expr:
    """A string; a number cuts one."""
    if inner is None:
        return w.get(STR)
    if inner.type == BOOL:
        return nodes.choose(inner, w.get(STR), w.word())
    if inner.type == INT:
        if w.chance(0.7):
            return nodes.part(w.get(STR), inner)
        return nodes.binary(w.get(STR), "+", to_str(w, inner))
    if inner.type.name in ("list", "reversed", "map", "filter") and inner.type.args == (STR,):
        return nodes.method(nodes.literal(w.rng.choice(("", "-", " "))), "join", inner)
    return to_str(w, inner)


def either(w: Writer, test: Expr, type_: Type) -> Expr:
    """A sequence of the arguments, or the rest of it, as ``test`` tells."""
    whole = w.pick(type_)
    rest = nodes.part(nodes.name(whole.name, type_), w.number(1, 2))
    return nodes.choose(test, w.read(whole), rest)


def row(w: Writer, element: Type, inner: Expr | None) -> Expr:
    """A list of ``element``; a number cuts one, any other value is added to one."""
    if inner is None:
        return w.get(list_of(element))
    if inner.type != list_of(element):
        if inner.type == BOOL and w.chance(0.7):
            return either(w, inner, list_of(element))
        if inner.type == INT and w.chance(0.6):
            return nodes.part(w.get(list_of(element)), inner)
        if element == INT and inner.type in (list_of(STR), Type("map", (STR,))):
            return formed(w, "list(map(len, _))", on=inner)
        if inner.type.args == (element,) or inner.type == element == STR:
            return to_list(w, inner, element)
        return nodes.binary(w.get(list_of(element)), "+", nodes.list_display(to(w, inner, element)))
    return inner


def joined(w: Writer, left: Expr, right: Expr) -> Expr:
    """Both together, in any order."""
    return nodes.binary(left, "+", right) if w.chance(0.5) else nodes.binary(right, "+", left)


def filled_row(w: Writer, element: Type, inner: Expr | None) -> Expr:
    """A list of ``element`` that is never empty."""
    last = nodes.list_display(constant(w, element), constant(w, element))
    return joined(w, row(w, element, inner), last)


def table(w: Writer, element: Type, inner: Expr | None) -> Expr:
    """A dictionary of numbers, by word or by number."""
    type_ = dict_of(element, INT)
    if inner is not None and inner.type == type_:
        return inner
    if element == INT:
        return formed(w, "dict(enumerate(_))", on=row(w, INT, inner))
    if inner is None:
        return w.get(type_)
    if inner.type.name in ("Counter", "defaultdict", "OrderedDict") and inner.type.args[:1] == (
        STR,
    ):
        return nodes.call("dict", inner)
    return nodes.binary(w.get(type_), "|", nodes.dict_display((w.word(), to_int(w, inner))))


def octet(w: Writer, size: int = 1, letters: str = "aeiorst -") -> Expr:
    """A bytes literal of a letter or two."""
    return formed(w, f"b{''.join(w.rng.choices(letters, k=size))!r}")
