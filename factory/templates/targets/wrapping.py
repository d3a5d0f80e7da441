"""Ways to hold the call of a target in another call, for targets that do not nest in themselves."""

from __future__ import annotations

from collections.abc import Callable

from factory.constraints.types import BOOL, INT, STR, Type, list_of
from factory.templates import nodes
from factory.templates.coercion import (
    LIST_INT,
    LIST_STR,
    returnable,
    to_int,
    to_str,
    unlike,
)
from factory.templates.nodes import Expr
from factory.templates.writer import Variable, Writer

On = Callable[[Writer, Expr], Expr]
"""Calls the target once, on the receiver it is given."""
Builder = Callable[[Writer, int], Expr]
"""Emits what a nest of the given depth needs, and returns an expression that reads its result."""


def wrap(w: Writer, inner: Expr) -> Expr:
    """A call that holds ``inner`` and depends on it."""
    type_ = inner.type
    if type_ == BOOL:
        return nodes.call(w.rng.choice(("int", "int", "str")), inner)
    if type_ == INT:
        form = w.rng.randrange(4)
        if form == 0:
            return nodes.call("abs", nodes.binary(inner, "-", w.number(2, 6)))
        if form == 1:
            return nodes.call("max", inner, w.number(1, 3))
        if form == 2:
            return nodes.call("min", inner, w.get(INT) if w.chance(0.5) else w.number(4, 9))
        return nodes.call("str", inner)
    if type_ == STR:
        return nodes.call(w.rng.choice(("len", "sorted")), inner)
    if type_.name in ("dict_items", "dict_keys", "dict_values"):
        if type_.args == (INT,) and w.chance(0.5):
            return nodes.call("sum", inner)
        return nodes.call("sorted", inner)
    if type_ in (LIST_INT, LIST_STR) and w.chance(0.7):
        return nodes.call("tuple" if nodes.is_call(inner, "sorted") else "sorted", inner)
    if type_.name == "set" or type_.name == "dict":
        return nodes.call("sorted", inner)
    if type_.name == "tuple" and len(set(type_.args)) > 1 and "..." not in str(type_):
        return nodes.call("str", inner)
    return nodes.call("len", inner)


def _combine(w: Writer, left: Expr, right: Expr) -> Expr:
    """A call that holds two results of the target."""
    if left.type == INT:
        if w.chance(0.5):
            return nodes.call("abs", nodes.binary(left, "-", right))
        return nodes.call(w.rng.choice(("max", "min")), left, right)
    if left.type == BOOL:
        return nodes.call("int", nodes.both(left, w.rng.choice(("and", "or")), right))
    if left.type == STR:
        return nodes.call("len", nodes.binary(left, "+", right))
    return nodes.call("max", to_int(w, returnable(w, left)), to_int(w, returnable(w, right)))


def _over_all(w: Writer, on: On, receiver: Type) -> Expr:
    """The target called on each element of a list, inside a call."""
    source = w.pick(list_of(receiver))
    target = w.fresh_name((w.theme.noun, "name", "word", "item", "value", "entry"))
    listed = w.read(source)
    result = on(w, nodes.name(target, receiver))
    if result.type not in (INT, BOOL):
        result = nodes.call("len", result)
    collected = nodes.listcomp(result, target, listed)
    if result.type == BOOL and w.chance(0.5):
        return nodes.call(w.rng.choice(("any", "all")), collected)
    return nodes.call("sum", collected)


def held(type_: Type, on: On) -> Builder:
    """A nest of a target with receiver ``type_``: in a call, in pairs, or over a list."""

    def build(w: Writer, depth: int) -> Expr:
        form = w.rng.randrange(5)
        if form == 0 and type_ == STR:
            result = _over_all(w, on, type_)
        elif form == 1:
            first, second = on(w, w.get(type_)), on(w, w.get(type_))
            alike = nodes.same(first, second)
            result = wrap(w, first) if alike else _combine(w, first, second)
        else:
            result = wrap(w, on(w, w.get(type_)))
        for _ in range(depth - 2):
            result = wrap(w, result)
        return result

    return build


def called(w: Writer, type_: Type, depth: int) -> Expr:
    """A call of built-in functions, ``depth`` deep, with a result of ``type_``."""
    if type_ == INT:
        form = w.rng.randrange(4)
        if form == 0:
            result = nodes.call("len", w.get(w.rng.choice((STR, LIST_STR, LIST_INT))))
        elif form == 1:
            left = w.get(INT)
            right = unlike(w, left, w.get(INT) if w.chance(0.5) else w.number(2, 9))
            result = nodes.call("abs", nodes.binary(left, "-", right))
        elif form == 2:
            left = w.get(INT)
            right = unlike(w, left, w.get(INT) if w.chance(0.5) else w.number(2, 9))
            result = nodes.call(w.rng.choice(("max", "min")), left, right)
        else:
            result = nodes.call("sum", w.get(LIST_INT))
        for _ in range(depth - 1):
            result = nodes.call(w.rng.choice(("max", "min")), result, w.number(2, 12))
        return result
    if depth > 1:
        return to_str(w, called(w, INT, depth - 1))
    if w.chance(0.5):
        return nodes.call("max", w.get(STR), w.word())
    return nodes.call("str", w.get(INT))


def container(w: Writer, type_: Type, *, filled: bool = False) -> Variable:
    """A container of ``type_`` that the function owns; made at its top if there is none.

    A filled one holds at least two elements, whatever the arguments are.
    """
    found = w.owned(type_, filled=filled)
    if found is not None and not (filled and not w.in_loop):
        return found
    with w.hoisted():
        return w.bind(_initial(w, type_, filled), owned=True, filled=filled)


def _two(w: Writer, type_: Type) -> tuple[Expr, Expr]:
    if type_ == STR:
        one, two = w.rng.sample(sorted(set(w.theme.words)), 2)
        return nodes.literal(one), nodes.literal(two)
    one_number, two_number = w.rng.sample(range(1, 20), 2)
    return nodes.literal(one_number), nodes.literal(two_number)


def _initial(w: Writer, type_: Type, filled: bool) -> Expr:
    element = type_.args[0]
    one, two = _two(w, element)
    if type_.name == "list":
        if filled:
            return nodes.binary(w.get(type_), "+", nodes.list_display(one, two))
        form = w.rng.randrange(4)
        if form == 0:
            return nodes.call("list", w.get(type_))
        if form == 1:
            return nodes.part(w.get(type_), None, w.number(2, 4))
        return nodes.list_display(w.get(element)) if form == 2 else nodes.list_display(one)
    if type_.name == "set":
        if not filled and w.chance(0.3):
            return nodes.set_display(one, w.get(element))
        start = nodes.call("set", w.get(list_of(element)))
        return nodes.binary(start, "|", nodes.set_display(one, two)) if filled else start
    if type_.name == "tuple":
        return nodes.binary(w.get(type_), "+", nodes.tuple_display(one, two)).retyped(type_)
    values = _two(w, type_.args[1])
    if filled:
        added = nodes.dict_display((one, values[0]), (two, values[1]))
        return nodes.binary(w.get(type_), "|", added)
    if w.chance(0.5):
        return nodes.call("dict", w.get(type_))
    return nodes.dict_display((one, values[0]), (w.get(element), values[1]))


def changed(w: Writer, owner: Variable, *forms: Expr) -> Expr:
    """After a call that changed ``owner``: one of ``forms``, which read it."""
    owner.unread = w.in_loop
    return w.rng.choice(forms)
