"""Parts that the templates of features share: what the entry point prepares, and small formulas."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from factory.constraints.types import INT, STR, Type
from factory.templates import nodes
from factory.templates.base import required
from factory.templates.coercion import LIST_INT, LIST_STR, returnable, to
from factory.templates.conditions import Test, split_on
from factory.templates.loops import flat, pick_source
from factory.templates.names import element_names
from factory.templates.nodes import Expr
from factory.templates.writer import Unwritable, Variable, Writer

Make = Callable[[], Expr]
"""Makes an expression anew each time: trees must not share nodes."""


def prepare(w: Writer) -> list[Variable]:
    """The required parts, each in a variable that nothing has read yet."""
    makers = required(w)
    w.rng.shuffle(makers)
    return [w.bind(returnable(w, make(w))) for make in makers]


def taken(w: Writer, type_: Type) -> Expr:
    """An expression of ``type_``, of something that nothing has read if there is such a thing."""
    unread = [each for each in w.readable() if each.unread and not each.is_parameter]
    if not unread:
        return w.get(type_)
    return to(w, w.read(w.rng.choice(unread)), type_)


def bounded(w: Writer, least: int, span: int) -> Expr:
    """A number from ``least`` on, of ``span`` different ones, that depends on the arguments."""
    rest = nodes.binary(taken(w, INT), "%", nodes.literal(span))
    return nodes.binary(rest, "+", nodes.literal(least)) if least else rest


def listed(w: Writer) -> Variable:
    """A list of words or numbers among the arguments."""
    return pick_source(w, LIST_STR, LIST_INT)


def element(w: Writer, source: Variable, known: Variable | None = None) -> Variable:
    """The loop variable over ``source``; its samples are those of ``known`` where that differs."""
    type_ = source.type.args[0]
    title = w.fresh_name(element_names(source.name, w.theme, w.rng, type_))
    return Variable(title, type_, flat(_samples(known or source)), unread=False)


def _samples(source: Variable) -> Sequence[Any]:
    return source.samples


def value_of(variable: Variable) -> Make:
    """Reads ``variable``, as often as wanted."""
    return lambda: nodes.name(variable.name, variable.type)


def measured(w: Writer, make: Make) -> Expr:
    """A number that depends on a word or a number."""
    if make().type == STR:
        form = w.rng.randrange(4)
        if form == 0:
            return w.method(make(), "count", w.letter())
        size = nodes.call("len", make())
        if form == 1:
            return nodes.binary(size, w.rng.choice("+*"), w.number(2, 5))
        return nodes.binary(size, "%", w.number(2, 4)) if form == 2 else size
    form = w.rng.randrange(6)
    if form == 0:
        return make()
    if form == 1:
        return nodes.binary(make(), "*", w.number(2, 5))
    if form == 2:
        return nodes.binary(make(), "%", w.number(3, 9))
    if form == 3:
        return nodes.binary(make(), w.rng.choice("+-"), w.number(1, 9))
    if form == 4:
        return nodes.call("abs", nodes.binary(make(), "-", w.number(3, 12)))
    return nodes.call(w.rng.choice(("max", "min")), make(), w.number(4, 12))


def worded(w: Writer, make: Make) -> Expr:
    """A string that depends on a word or a number."""
    if make().type == INT:
        form = w.rng.randrange(3)
        if form == 0:
            return nodes.call("str", make())
        if form == 1:
            return nodes.fstring([f"{w.theme.noun} ", make()])
        return nodes.binary(w.word(), "*", nodes.binary(make(), "%", w.number(2, 3)))
    form = w.rng.randrange(5)
    if form == 0:
        return w.method(make(), w.rng.choice(("upper", "title", "lower", "swapcase")))
    if form == 1:
        return nodes.part(make(), None, w.number(2, 4))
    if form == 2:
        return nodes.part(make(), None, None, -1)
    if form == 3:
        return nodes.binary(make(), "+", nodes.literal(w.rng.choice(("!", "-x", "*", "s"))))
    return nodes.fstring([make(), w.rng.choice(("-", ":", "/")), nodes.call("len", make())])


def derived(w: Writer, make: Make, type_: Type) -> Expr:
    """A number or a string that depends on a word or a number."""
    return measured(w, make) if type_ == INT else worded(w, make)


def merged(w: Writer, left: Expr, right: Expr) -> Expr:
    """Two numbers or two strings in one."""
    if left.type == INT:
        form = w.rng.randrange(4)
        if form == 0:
            return nodes.call("max", left, right)
        return nodes.binary(left, w.rng.choice("+-") if form == 1 else "+", right)
    if w.chance(0.4):
        left = nodes.binary(left, "+", nodes.literal(w.rng.choice((" ", "-", "/"))))
    return nodes.binary(left, "+", right)


def neutral(type_: Type) -> Expr:
    """``0`` or ``""``."""
    return nodes.literal(0) if type_ == INT else nodes.literal("")


def test_of(w: Writer, variable: Variable) -> Test:
    """A condition on a loop variable that some of its samples meet and some do not.

    Raises:
        Unwritable: all samples are alike.
    """
    test = split_on(w, variable)
    if test is None:
        raise Unwritable(f"no condition splits {variable.name}")
    return test


def counted(w: Writer) -> str:
    """The name of a loop variable that counts."""
    return w.fresh_name(("index", "position", "place", "i", "j", "turn"))


def class_title(w: Writer, *endings: str) -> str:
    """A class name such as ``LoafCounter``."""
    noun = "".join(part.title() for part in w.theme.noun.split("_"))
    return w.fresh_title(*(f"{noun}{each}" for each in w.rng.sample(endings, len(endings))))
