"""A helper that raises on what it does not accept, called in a loop that goes on."""

from __future__ import annotations

from factory.constraints.types import INT, STR, Type
from factory.templates import nodes
from factory.templates.base import Template
from factory.templates.names import element_names
from factory.templates.nodes import Expr, Handler
from factory.templates.parts import derived, element, listed, neutral, prepare, test_of, value_of
from factory.templates.writer import Variable, Writer, Written

_ERRORS = ("ValueError", "ValueError", "LookupError", "ArithmeticError")


def _checking(w: Writer, source: Variable, error: str, result: Type) -> Written:
    type_ = source.type.args[0]
    checked = w.take(type_, *element_names(source.name, w.theme, w.rng, type_))
    samples = tuple(item for value in source.samples for item in value)
    test = test_of(w, Variable(checked.name, type_, samples))
    read = value_of(checked)
    message = w.rng.choice(("bad", "no", "unknown", "odd", "wrong"))
    said: Expr = nodes.literal(f"{message} {w.theme.noun}")
    if w.chance(0.4):
        said = nodes.fstring([f"{message} {w.theme.noun} ", read()])
    failing = nodes.raise_(nodes.call(error, said, returns=Type(error)))
    if w.chance(0.3):
        good = [nodes.return_(derived(w, read, result))]
        w.emit(nodes.if_([(test.make(), good)]))
        w.emit(failing)
        return w.finish_without(result)
    w.emit(nodes.if_([(test.make(), [failing])]))
    return w.finish(derived(w, read, result))


def _write(w: Writer) -> Expr:
    source = listed(w)
    prepare(w)
    result = w.rng.choice((INT, INT, STR))
    error = w.rng.choice(_ERRORS)
    with w.aside(w.fresh_title()):
        helper = _checking(w, source, error, result)
    total = w.bind(neutral(result), title="total" if result == INT else "accepted")
    total.carried = True
    missed = w.bind(nodes.literal(0), title=w.rng.choice(("failures", "rejected", "errors")))
    missed.carried = True
    item = element(w, source)
    value = nodes.call(helper.title, nodes.name(item.name, item.type), returns=result)
    count = nodes.augment(missed.name, "+", nodes.literal(1))
    form = w.rng.randrange(3)
    if form == 0:
        body = nodes.try_([nodes.augment(total.name, "+", value)], [Handler(error, [count])])
    elif form == 1:
        kept = w.fresh_name(("value", "result", "outcome"))
        body = nodes.try_(
            [nodes.assign(kept, value)],
            [Handler(error, [count])],
            [nodes.augment(total.name, "+", nodes.name(kept, result))],
        )
    else:
        body = nodes.try_(
            [nodes.augment(total.name, "+", value)],
            [Handler(error, [count, nodes.continue_() if w.chance(0.2) else nodes.break_()])],
        )
    w.emit(nodes.for_([item.name], w.read(source), [body]))
    return nodes.tuple_display(w.read(total), w.read(missed))


TEMPLATE = Template("checked", (10,), _write)
