"""Nests of ``set`` methods; no set is ever iterated unsorted."""

from __future__ import annotations

from factory.constraints.types import INT, STR, Type, list_of, set_of
from factory.templates import nodes
from factory.templates.nodes import Expr
from factory.templates.targets.wrapping import Builder, called, changed, container, held
from factory.templates.writer import Writer


def _element(w: Writer) -> Type:
    return w.rng.choice((STR, STR, INT)) if w.chance(0.6) else w.element_type()


def _other(w: Writer, element: Type) -> Expr:
    form = w.rng.randrange(4)
    if form == 0:
        return w.get(set_of(element), new=0.4)
    if form == 1:
        return nodes.set_display(_constant(w, element), w.get(element))
    return w.get(list_of(element))


def _constant(w: Writer, element: Type) -> Expr:
    return w.word() if element == STR else w.number(1, 20)


def _algebra(label: str) -> Builder:
    """``a.label(b.label(c))`` or ``a.label(b).label(c)``."""

    def build(w: Writer, depth: int) -> Expr:
        element = _element(w)
        expr = nodes.method(w.get(set_of(element)), label, _other(w, element))
        for _ in range(depth - 1):
            if w.chance(0.5):
                expr = nodes.method(expr, label, _other(w, element))
            else:
                expr = nodes.method(w.get(set_of(element), new=0.4), label, expr)
        return expr

    return build


def _add(w: Writer, depth: int) -> Expr:
    element = _element(w)
    owner = container(w, set_of(element))
    w.emit(nodes.evaluate(nodes.method(w.read(owner), "add", called(w, element, depth - 1))))
    return changed(w, owner, nodes.call("len", w.read(owner)), nodes.call("sorted", w.read(owner)))


def _discard(w: Writer, depth: int) -> Expr:
    element = _element(w)
    owner = container(w, set_of(element))
    if w.chance(0.5):
        default = nodes.literal("" if element == STR else 0)
        victim = nodes.call(w.rng.choice(("max", "min")), w.read(owner), default=default)
        if depth > 2:
            victim = nodes.call("max", victim, w.get(element))
    else:
        victim = called(w, element, depth - 1)
    w.emit(nodes.evaluate(nodes.method(w.read(owner), "discard", victim)))
    return changed(w, owner, nodes.call("len", w.read(owner)), nodes.call("sorted", w.read(owner)))


def _remove(w: Writer, depth: int) -> Expr:
    element = _element(w)
    owner = container(w, set_of(element), filled=True)
    if w.in_loop:
        w.emit(nodes.evaluate(w.method(w.read(owner), "add", w.get(element))))
    victim = nodes.call(w.rng.choice(("max", "min")), w.read(owner))
    if depth > 2:
        victim = nodes.call("max", nodes.call("sorted", w.read(owner)))
    w.emit(nodes.evaluate(nodes.method(w.read(owner), "remove", victim)))
    return changed(w, owner, nodes.call("len", w.read(owner)), nodes.call("sorted", w.read(owner)))


def _update(w: Writer, depth: int) -> Expr:
    element = _element(w)
    owner = container(w, set_of(element))
    more = nodes.call("sorted", w.get(list_of(element)))
    if depth > 2:
        more = nodes.call("list", more)
    if w.chance(0.6):
        more = nodes.part(more, None, w.number(1, 3))
    w.emit(nodes.evaluate(nodes.method(w.read(owner), "update", more)))
    return changed(w, owner, nodes.call("len", w.read(owner)), nodes.call("sorted", w.read(owner)))


def _relation(label: str) -> Builder:
    """``issubset``, ``issuperset`` and ``isdisjoint``, held in a call."""

    def build(w: Writer, depth: int) -> Expr:
        element = _element(w)
        return held(
            set_of(element),
            lambda w, receiver: nodes.method(receiver, label, _other(w, element)),
        )(w, depth)

    return build


def _copy(w: Writer, depth: int) -> Expr:
    copied: Builder = held(set_of(_element(w)), lambda w, receiver: nodes.method(receiver, "copy"))
    return copied(w, depth)


BUILDERS: dict[str, Builder] = {
    "add": _add,
    "copy": _copy,
    "difference": _algebra("difference"),
    "discard": _discard,
    "intersection": _algebra("intersection"),
    "isdisjoint": _relation("isdisjoint"),
    "issubset": _relation("issubset"),
    "issuperset": _relation("issuperset"),
    "remove": _remove,
    "symmetric_difference": _algebra("symmetric_difference"),
    "union": _algebra("union"),
    "update": _update,
}
