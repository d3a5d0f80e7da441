"""A comprehension that chooses, and another one over what was chosen."""

from __future__ import annotations

from factory.constraints.types import INT, STR
from factory.templates import nodes
from factory.templates.base import Template
from factory.templates.nodes import Expr
from factory.templates.parts import derived, element, listed, prepare, taken, test_of, value_of
from factory.templates.writer import Variable, Writer


def _write(w: Writer) -> Expr:
    source = listed(w)
    prepare(w)
    item = element(w, source)
    read = value_of(item)
    test = test_of(w, item).make()
    changed = w.chance(0.4)
    result = w.rng.choice((INT, STR)) if changed else item.type
    value = derived(w, read, result) if changed else read()
    if w.chance(0.25):
        unlike = nodes.compare(read(), "!=", w.word() if item.type == STR else w.number(1, 20))
        test = nodes.both(test, "and", unlike)
    kept = w.bind(nodes.listcomp(value, item.name, w.read(source), test))
    kept.carried = True
    form = w.rng.randrange(6)
    again = nodes.name(item.name, kept.type.args[0])
    name = Variable(item.name, kept.type.args[0])
    if form == 0:
        size = derived(w, value_of(name), INT)
        return nodes.dict_over(again, size, (item.name, w.read(kept), None))
    if form == 1:
        rest = nodes.negate(nodes.compare(read(), "in", value_of(kept)()))
        others = nodes.listcomp(read(), item.name, w.read(source), rest)
        return nodes.tuple_display(w.read(kept), others)
    if form == 2 and w.chance(0.7):
        factor = taken(w, INT)
        scaled = nodes.binary(derived(w, value_of(name), INT), "*", factor)
        return nodes.listcomp(scaled, item.name, w.read(kept))
    if form == 3:
        total = nodes.each_of(derived(w, value_of(name), INT), (item.name, w.read(kept), None))
        return nodes.call("sum", total)
    if form == 4:
        return nodes.tuple_display(
            nodes.call("sorted", w.read(kept)), nodes.call("len", w.read(kept))
        )
    return w.read(kept)


TEMPLATE = Template("sieve", (7,), _write)
