"""Nests of ``list`` methods; those that change a list work on one the function owns."""

from __future__ import annotations

from factory.constraints.types import INT, STR, Type, list_of
from factory.templates import nodes
from factory.templates.coercion import LIST_INT, LIST_STR
from factory.templates.nodes import Expr
from factory.templates.targets.wrapping import Builder, called, changed, container, held, wrap
from factory.templates.writer import Variable, Writer


def _element(w: Writer) -> Type:
    return w.element_type()


def _views(w: Writer, owner: Variable) -> tuple[Expr, ...]:
    """Expressions that read a list after it changed; it is not empty."""
    read = w.read(owner)
    return (
        nodes.call("len", read),
        nodes.item(nodes.name(owner.name, owner.type), nodes.literal(-1)),
        nodes.part(nodes.name(owner.name, owner.type), nodes.literal(-2)),
    )


def _append(w: Writer, depth: int) -> Expr:
    element = _element(w)
    owner = container(w, list_of(element))
    value = called(w, element, depth - 1)
    w.emit(nodes.evaluate(nodes.method(w.read(owner), "append", value)))
    return changed(w, owner, *_views(w, owner))


def _extend(w: Writer, depth: int) -> Expr:
    element = _element(w)
    owner = container(w, list_of(element))
    more = w.get(list_of(element))
    form = w.rng.randrange(3)
    if form == 0:
        more = nodes.part(nodes.call("sorted", more), None, nodes.literal(2))
    elif form == 1:
        more = nodes.call("sorted", more)
    else:
        more = nodes.call("reversed", more)
    if depth > 2:
        more = nodes.call("list", more)
    w.emit(nodes.evaluate(nodes.method(w.read(owner), "extend", more)))
    read = nodes.name(owner.name, owner.type)
    return changed(
        w, owner, nodes.call("len", w.read(owner)), nodes.part(read, None, nodes.literal(3))
    )


def _insert(w: Writer, depth: int) -> Expr:
    element = _element(w)
    owner = container(w, list_of(element))
    value = w.get(element)
    if w.chance(0.4):
        place = nodes.binary(nodes.call("len", w.read(owner)), "//", nodes.literal(2))
        if depth > 2:
            place = nodes.call("min", place, w.number(2, 4))
    else:
        place = called(w, INT, depth - 1)
    w.emit(nodes.evaluate(nodes.method(w.read(owner), "insert", place, value)))
    return changed(w, owner, *_views(w, owner))


def _pop(w: Writer, depth: int) -> Expr:
    element = _element(w)
    owner = container(w, list_of(element), filled=True)
    taken = nodes.method(w.read(owner), "pop", *([nodes.literal(0)] if w.chance(0.4) else []))
    if element == INT:
        result = nodes.call(w.rng.choice(("abs", "str")), taken)
    else:
        result = nodes.call("len", taken)
    for _ in range(depth - 2):
        result = wrap(w, result)
    owner.unread = True
    if w.in_loop:
        spare = nodes.literal(0 if result.type == INT else "none")
        if result.type.name == "list":
            spare = nodes.list_display(w.word())
        return nodes.choose(nodes.name(owner.name, owner.type), result, spare)
    return result


def _remove(w: Writer, depth: int) -> Expr:
    element = _element(w)
    owner = container(w, list_of(element), filled=True)
    if w.in_loop:
        w.emit(nodes.evaluate(w.method(w.read(owner), "append", w.get(element))))
    victim = nodes.call(w.rng.choice(("min", "max")), w.read(owner))
    if depth > 2:
        victim = nodes.call(w.rng.choice(("min", "max")), nodes.call("sorted", w.read(owner)))
    w.emit(nodes.evaluate(nodes.method(w.read(owner), "remove", victim)))
    return changed(w, owner, nodes.call("len", w.read(owner)), nodes.call("sorted", w.read(owner)))


def _index(w: Writer, depth: int) -> Expr:
    element = _element(w)
    owner = _row(w, element)
    wanted = nodes.call(w.rng.choice(("max", "min")), w.read(owner))
    result = nodes.method(w.read(owner), "index", wanted)
    if depth > 2:
        result = nodes.call("abs", nodes.binary(result, "-", w.get(INT)))
    elif w.in_loop and w.chance(0.7):
        return nodes.binary(result, "+", w.get(INT))
    return result


def _row(w: Writer, element: Type) -> Variable:
    """A list that holds at least one element and that nothing changes."""
    if w.in_loop and w.chance(0.7):
        value = nodes.binary(w.get(list_of(element)), "+", nodes.list_display(w.get(element)))
        return w.bind(value, filled=True)
    with w.hoisted():
        literal = w.word() if element == STR else w.number(1, 20)
        value = nodes.binary(w.get(list_of(element)), "+", nodes.list_display(literal))
        return w.bind(value, filled=True)


def _sort(w: Writer, depth: int) -> Expr:
    owner = container(w, list_of(_element(w)), filled=True)
    size = called(w, INT, depth - 1)
    order = nodes.compare(size, w.rng.choice((">", "<=")), w.number(2, 5))
    sorting = nodes.method(w.read(owner), "sort", keywords=[("reverse", order)])
    w.emit(nodes.evaluate(sorting))
    read = nodes.name(owner.name, owner.type)
    return changed(
        w,
        owner,
        nodes.item(w.read(owner), nodes.literal(0)),
        nodes.part(read, None, nodes.literal(2)),
    )


def _reverse(w: Writer, depth: int) -> Expr:
    element = _element(w)
    rows_type = list_of(list_of(element))
    owner = w.owned(rows_type)
    if owner is None:
        with w.hoisted():
            source = w.pick(list_of(element))
            first = nodes.call("list", w.read(source))
            second = nodes.call("sorted", w.read(source))
            owner = w.bind(nodes.list_display(first, second), owned=True, filled=True)
    size = called(w, INT, depth - 1)
    row = nodes.item(w.read(owner), nodes.binary(size, "%", nodes.literal(2)))
    w.emit(nodes.evaluate(nodes.method(row, "reverse")))
    read = nodes.name(owner.name, owner.type)
    return changed(
        w,
        owner,
        nodes.item(w.read(owner), nodes.literal(0)),
        nodes.binary(
            nodes.item(read, nodes.literal(0)),
            "+",
            nodes.item(nodes.name(owner.name, owner.type), nodes.literal(1)),
        ),
    )


def _count(w: Writer, depth: int) -> Expr:
    element = _element(w)
    source = w.pick(list_of(element))
    form = w.rng.randrange(3)
    if form == 0:
        default = nodes.literal("" if element == STR else 0)
        top = nodes.call(w.rng.choice(("max", "min")), w.read(source), default=default)
        result = nodes.method(w.read(source), "count", top)
        return wrap(w, result) if depth > 2 else result
    result = nodes.method(w.read(source), "count", w.get(element))
    if form == 1:
        other = w.word() if element == STR else w.number(1, 20)
        again = nodes.method(w.read(source), "count", other)
        result = nodes.call("abs", nodes.binary(result, "-", again))
        return wrap(w, result) if depth > 2 else result
    for _ in range(depth - 1):
        result = wrap(w, result)
    return result


def _copy_of(type_: Type) -> Builder:
    return held(type_, lambda w, receiver: nodes.method(receiver, "copy"))


def _copy(w: Writer, depth: int) -> Expr:
    return _copy_of(w.rng.choice((LIST_STR, LIST_INT)))(w, depth)


BUILDERS: dict[str, Builder] = {
    "append": _append,
    "copy": _copy,
    "count": _count,
    "extend": _extend,
    "index": _index,
    "insert": _insert,
    "pop": _pop,
    "remove": _remove,
    "reverse": _reverse,
    "sort": _sort,
}
