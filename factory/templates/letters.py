"""Letters and words by set comprehensions and nested ``for`` clauses."""

from __future__ import annotations

from factory.constraints.types import INT, STR
from factory.templates import nodes
from factory.templates.base import Template
from factory.templates.coercion import LIST_STR
from factory.templates.loops import pick_source
from factory.templates.nodes import Expr
from factory.templates.parts import element, measured, prepare, test_of, value_of
from factory.templates.writer import Variable, Writer


def _write(w: Writer) -> Expr:
    source = pick_source(w, LIST_STR)
    prepare(w)
    item = element(w, source)
    letter = w.fresh_name(("letter", "char", "sign"))
    over = value_of(item)()
    if w.chance(0.4):
        over = nodes.part(over, None, w.number(2, 4))
    letters = tuple(sign for text in item.samples for sign in text)
    known = Variable(letter, STR, letters)
    test = test_of(w, known).make() if w.chance(0.7) else None
    outer = test_of(w, item).make() if test is None or w.chance(0.3) else None
    clauses = ((item.name, w.read(source), outer), (letter, over, test))
    if w.chance(0.5):
        made = nodes.set_over(value_of(known)(), *clauses)
        kept = w.bind(made, title=w.rng.choice(("letters", "signs", "seen_letters")))
        shown = nodes.call("sorted", w.read(kept))
    else:
        made = nodes.list_over(value_of(known)(), *clauses)
        kept = w.bind(made, title=w.rng.choice(("letters", "signs", "all_letters")))
        shown = w.read(kept)
    kept.carried = True
    form = w.rng.randrange(5)
    if form == 0:
        counts = w.method(
            w.method(nodes.literal(""), "join", w.read(source)), "count", nodes.name(letter, STR)
        )
        return nodes.dict_over(nodes.name(letter, STR), counts, (letter, shown, None))
    if form == 1:
        glue = nodes.literal(w.rng.choice(("", "-", " ")))
        return w.method(glue, "join", nodes.call("sorted", w.read(kept)))
    if form == 2:
        inside = nodes.compare(nodes.item(value_of(item)(), nodes.literal(0)), "in", w.read(kept))
        first = nodes.each_of(measured(w, value_of(item)), (item.name, w.read(source), inside))
        return nodes.call("sum", first).retyped(INT)
    if form == 3:
        return nodes.tuple_display(nodes.call("len", w.read(kept)), shown)
    return shown


TEMPLATE = Template("letters", (7,), _write)
