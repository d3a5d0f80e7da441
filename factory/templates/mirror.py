"""A recursive function on a text: from both ends, or from one to the other."""

from __future__ import annotations

from factory.constraints.types import INT, STR
from factory.templates import nodes
from factory.templates.base import Template
from factory.templates.nodes import Expr
from factory.templates.parts import prepare, value_of
from factory.templates.writer import Variable, Writer, Written


def _turned(w: Writer, text: Variable) -> Written:
    read = value_of(text)
    short = nodes.compare(nodes.call("len", read()), "<", nodes.literal(2))
    w.emit(nodes.if_([(short, [nodes.return_(read())])]))
    first, last = (nodes.item(read(), nodes.literal(place)) for place in (0, -1))
    middle = nodes.call(
        w.frame.title, nodes.part(read(), nodes.literal(1), nodes.literal(-1)), returns=STR
    )
    if w.chance(0.4):
        first = w.method(first, w.rng.choice(("upper", "swapcase")))
    parts = [last, middle, first] if w.chance(0.6) else [first, last, middle]
    return w.finish(nodes.binary(nodes.binary(parts[0], "+", parts[1]), "+", parts[2]))


def _matches(w: Writer, text: Variable) -> Written:
    read = value_of(text)
    short = nodes.compare(nodes.call("len", read()), "<", nodes.literal(2))
    w.emit(nodes.if_([(short, [nodes.return_(w.number(0, 1))])]))
    ends = [nodes.item(read(), nodes.literal(place)) for place in (0, -1)]
    gain = nodes.call("int", nodes.compare(ends[0], w.rng.choice(("==", "<", ">=")), ends[1]))
    inner = nodes.part(read(), nodes.literal(1), nodes.literal(-1))
    again = nodes.call(w.frame.title, inner, returns=INT)
    if w.chance(0.5):
        title = w.fresh_name(("gain", "hit", "match"))
        w.emit(nodes.assign(title, gain))
        gain = nodes.name(title, INT)
    return w.finish(nodes.binary(gain, "+", again))


def _peeled(w: Writer, text: Variable) -> Written:
    read = value_of(text)
    letter = w.letter()
    w.emit(nodes.if_([(nodes.negate(read()), [nodes.return_(nodes.literal(""))])]))
    rest = nodes.call(w.frame.title, nodes.part(read(), nodes.literal(1)), returns=STR)
    first = nodes.item(read(), nodes.literal(0))
    special = nodes.compare(nodes.item(read(), nodes.literal(0)), w.rng.choice("<>"), letter)
    if w.chance(0.5):
        mark = nodes.literal(w.rng.choice("*_.~"))
        return w.finish(nodes.binary(nodes.choose(special, mark, first), "+", rest))
    w.emit(nodes.if_([(special, [nodes.return_(nodes.binary(rest, "+", first))])]))
    again = nodes.call(w.frame.title, nodes.part(read(), nodes.literal(1)), returns=STR)
    return w.finish(nodes.binary(nodes.item(read(), nodes.literal(0)), "+", again))


def _write(w: Writer) -> Expr:
    source = w.pick(STR, new=0.6)
    prepare(w)
    form = w.rng.choice((_turned, _matches, _peeled))
    with w.aside(w.fresh_title()):
        helper = form(w, w.take(STR, source.name))
    text = w.read(source)
    if w.chance(0.5):
        text = nodes.part(text, None, w.number(7, 10))
    else:
        text = nodes.binary(text, "+", w.word())
    return nodes.call(helper.title, text, returns=helper.returns)


TEMPLATE = Template("mirror", (9,), _write)
