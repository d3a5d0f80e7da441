"""Nests of ``set`` methods; no set is ever iterated unsorted."""

from __future__ import annotations

from factory.constraints.types import INT, STR, Type, list_of, set_of
from factory.templates import nodes
from factory.templates.nodes import Expr
from factory.templates.targets.wrapping import Builder
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


BUILDERS: dict[str, Builder] = {
    label: _algebra(label)
    for label in ("difference", "intersection", "symmetric_difference", "union")
}
