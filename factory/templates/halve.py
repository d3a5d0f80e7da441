"""A function that calls itself with a smaller number: digits, halves, common divisors."""

from __future__ import annotations

from factory.constraints.types import INT, STR
from factory.templates import nodes
from factory.templates.base import Template
from factory.templates.nodes import Expr
from factory.templates.parts import bounded, measured, prepare, value_of, worded
from factory.templates.writer import Variable, Writer, Written


def _digits(w: Writer, amount: Variable) -> Written:
    base = w.rng.randint(2, 5)
    result = w.rng.choice((INT, STR))
    read = value_of(amount)
    small = nodes.compare(read(), "<", nodes.literal(base))
    digit = nodes.binary(read(), "%", nodes.literal(base))
    rest = nodes.binary(read(), "//", nodes.literal(base))
    again = nodes.call(w.frame.title, rest, returns=result)
    if result == STR:
        w.emit(nodes.if_([(small, [nodes.return_(nodes.call("str", read()))])]))
        shown = nodes.call("str", digit)
        pair = (again, shown) if w.chance(0.7) else (shown, again)
        return w.finish(nodes.binary(pair[0], "+", pair[1]))
    w.emit(nodes.if_([(small, [nodes.return_(read())])]))
    title = w.fresh_name(("digit", "last", "unit"))
    w.emit(nodes.assign(title, digit))
    return w.finish(nodes.binary(again, w.rng.choice("+-"), nodes.name(title, INT)))


def _steps(w: Writer, amount: Variable) -> Written:
    read = value_of(amount)
    result = w.rng.choice((INT, STR))
    end = nodes.literal(0) if result == INT else worded(w, read)
    w.emit(nodes.if_([(nodes.compare(read(), "<=", w.number(1, 3)), [nodes.return_(end)])]))
    even = nodes.compare(nodes.binary(read(), "%", nodes.literal(2)), "==", nodes.literal(0))
    half = nodes.call(w.frame.title, nodes.binary(read(), "//", nodes.literal(2)), returns=result)
    less = nodes.call(w.frame.title, nodes.binary(read(), "-", w.number(1, 2)), returns=result)
    if result == INT:
        w.emit(nodes.if_([(even, [nodes.return_(nodes.binary(half, "+", nodes.literal(1)))])]))
        return w.finish(nodes.binary(measured(w, read), "+", less) if w.chance(0.5) else less)
    marks = w.rng.sample(("h", "e", "u", "d", "x", "o", "-", "+"), 2)
    w.emit(nodes.if_([(even, [nodes.return_(nodes.binary(half, "+", nodes.literal(marks[0])))])]))
    return w.finish(nodes.binary(less, "+", nodes.literal(marks[1])))


def _divisor(w: Writer, amount: Variable) -> Written:
    other = w.take(INT, "other", "unit", "measure", "part")
    read, second = value_of(amount), value_of(other)
    gone = nodes.compare(second(), "==", nodes.literal(0))
    end = read() if w.chance(0.6) else measured(w, read)
    w.emit(nodes.if_([(gone, [nodes.return_(end)])]))
    rest = nodes.binary(read(), "%", second())
    again = nodes.call(w.frame.title, second(), rest, returns=INT)
    return w.finish(nodes.binary(again, "+", nodes.literal(1)) if w.chance(0.4) else again)


def _write(w: Writer) -> Expr:
    prepare(w)
    form = w.rng.choice((_digits, _steps, _steps, _divisor))
    with w.aside(w.fresh_title()):
        amount = w.take(INT, *w.rng.sample(w.theme.limits, len(w.theme.limits)))
        helper = form(w, amount)
    if form is _divisor:
        pair = (bounded(w, 34, 55), bounded(w, 20, 13))
        return nodes.call(helper.title, *pair, returns=helper.returns)
    return nodes.call(helper.title, bounded(w, 24, 40), returns=helper.returns)


TEMPLATE = Template("halve", (9,), _write)
