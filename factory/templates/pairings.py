"""Every pair of two lists that fits, by a comprehension with two ``for`` clauses."""

from __future__ import annotations

from factory.constraints.types import INT, STR
from factory.templates import nodes
from factory.templates.base import Template
from factory.templates.coercion import LIST_INT, LIST_STR
from factory.templates.nodes import Expr
from factory.templates.parts import element, listed, measured, prepare, value_of
from factory.templates.writer import Variable, Writer


def _second(w: Writer, source: Variable) -> tuple[Variable, Expr]:
    """A variable over another list, or over the rest of the same one."""
    if w.can_add_parameter() and w.chance(0.4):
        other = w.parameter(w.rng.choice((LIST_INT, LIST_STR)))
        return element(w, other), nodes.part(w.read(other), None, w.number(2, 4))
    name = w.fresh_name((f"other_{w.theme.noun}", "other", "partner"))
    few = nodes.part(w.read(source), w.number(1, 2))
    return Variable(name, source.type.args[0]), few


def _result(w: Writer, left: Variable, right: Variable) -> Expr:
    one, two = value_of(left), value_of(right)
    if left.type == right.type and w.chance(0.5):
        symbol = "+" if left.type == STR else w.rng.choice("+-*")
        return nodes.binary(one(), symbol, two())
    if w.chance(0.5):
        return nodes.tuple_display(one(), two())
    return nodes.fstring([one(), w.rng.choice((":", "-", "/", "&")), two()])


def _write(w: Writer) -> Expr:
    source = listed(w)
    left = element(w, source)
    right, over = _second(w, source)
    prepare(w)
    one, two = value_of(left), value_of(right)
    if left.type == right.type and w.chance(0.6):
        fits = nodes.compare(one(), w.rng.choice(("<", "!=", ">")), two())
    else:
        gap = nodes.binary(measured(w, one), w.rng.choice("+-"), measured(w, two))
        if w.chance(0.5):
            fits = nodes.compare(nodes.binary(gap, "%", w.number(2, 3)), "==", nodes.literal(0))
        else:
            fits = nodes.compare(measured(w, one), w.rng.choice("<>"), measured(w, two))
    result = _result(w, left, right)
    clauses = ((left.name, w.read(source), None), (right.name, over, fits))
    maker = nodes.set_over if w.chance(0.25) else nodes.list_over
    pairs = w.bind(maker(result, *clauses), title=w.rng.choice(("pairs", "matches", "joined")))
    pairs.carried = True
    if pairs.type.name == "set":
        return nodes.call("sorted", w.read(pairs))
    form = w.rng.randrange(4)
    if form == 0:
        return nodes.tuple_display(
            nodes.call("len", w.read(pairs)), nodes.part(w.read(pairs), None, w.number(1, 3))
        )
    if form == 1:
        return nodes.call("sorted", w.read(pairs))
    if form == 2 and result.type == INT:
        return nodes.call("sum", w.read(pairs))
    return w.read(pairs)


TEMPLATE = Template("pairings", (7,), _write)
