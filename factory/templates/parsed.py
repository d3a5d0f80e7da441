"""Reads numbers out of a text; what is no number is left out or kept apart."""

from __future__ import annotations

from factory.constraints.types import INT, STR
from factory.templates import nodes
from factory.templates.base import Template
from factory.templates.coercion import LIST_STR
from factory.templates.nodes import Expr, Handler
from factory.templates.parts import prepare, taken, value_of, worded
from factory.templates.writer import Variable, Writer


def _text(w: Writer) -> Expr:
    """``"7 fig 12"`` with a part of the arguments in it."""
    parts: list[str | Expr] = [str(w.rng.randint(1, 20)), " ", taken(w, INT), " "]
    parts.append(w.rng.choice(w.theme.words))
    if w.chance(0.5):
        parts += [" ", str(w.rng.randint(1, 9))]
    if w.chance(0.5):
        parts = [w.rng.choice(w.theme.words), " ", *parts]
    return nodes.fstring(parts)


def _write(w: Writer) -> Expr:
    prepare(w)
    line = w.bind(_text(w), title=w.rng.choice(("line", "entry", "row_text")))
    line.carried = True
    numbers = w.chance(0.5)
    start = nodes.list_display(of=INT) if numbers else nodes.literal(0)
    total = w.bind(start, title=w.rng.choice(("numbers", "amounts") if numbers else ("total",)))
    rest = w.bind(nodes.list_display(of=STR), title=w.rng.choice(("words", "others", "rest")))
    total.carried = rest.carried = True
    piece = w.fresh_name(("piece", "part", "token", "field"))
    read = value_of(Variable(piece, STR))
    value = nodes.call("int", read())
    if numbers:
        held = nodes.name(total.name, total.type)
        kept = nodes.evaluate(w.method(held, "append", value))
    else:
        kept = nodes.augment(total.name, w.rng.choice("+-"), value)
    shown = read() if w.chance(0.4) else worded(w, read)
    other = nodes.evaluate(w.method(nodes.name(rest.name, LIST_STR), "append", shown))
    body = nodes.try_([kept], [Handler("ValueError", [other])])
    pieces = w.method(w.read(line), "split")
    w.emit(nodes.for_([piece], pieces, [body]))
    return nodes.tuple_display(w.read(total), w.read(rest))


TEMPLATE = Template("parsed", (10,), _write)
