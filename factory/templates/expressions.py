"""Type-directed expressions over the variables in scope.

Every expression reads at least one variable, is defined for all values of its variables' types
(empty containers, negative numbers), and grows at most linearly.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from factory.constraints.types import BOOL, INT, STR, Type
from factory.templates import nodes
from factory.templates.coercion import (
    LIST_INT,
    LIST_STR,
    SET_STR,
    TABLE,
    TUPLE_INT,
    from_anything,
    to_bool,
    unlike,
)
from factory.templates.nodes import Expr
from factory.templates.writer import Unwritable, Writer

Rule = Callable[[Writer, int], Expr]


def express(w: Writer, type_: Type, depth: int = 2) -> Expr:
    """A fresh expression of ``type_``; ``depth`` bounds its nesting.

    Raises:
        Unwritable: nothing in scope leads to that type.
    """
    rules = _RULES.get(type_, ())
    if depth <= 0 or not rules:
        return w.get(type_) if _reachable(w, type_) else from_anything(w, type_)
    usable: Sequence[Rule] = rules
    if w.allow_methods:
        usable = (*rules, *_METHOD_RULES.get(type_, ()))
    return w.rng.choice(usable)(w, depth - 1)


def other_method(w: Writer, depth: int = 1) -> Expr:
    """An expression that calls a method other than the target.

    Raises:
        Unwritable: the drawn one is the target itself.
    """
    type_ = w.rng.choice([each for each in _METHOD_RULES for _ in _METHOD_RULES[each]])
    before = len(w.others)
    result = w.rng.choice(_METHOD_RULES[type_])(w, depth)
    if len(w.others) == before and not w.others:
        raise Unwritable("only the target is called")
    return result


def _reachable(w: Writer, type_: Type) -> bool:
    return w.can_add_parameter() or any(each.type == type_ for each in w.readable())


def _variable(type_: Type) -> Rule:
    return lambda w, depth: w.get(type_) if _reachable(w, type_) else from_anything(w, type_)


def _sum(w: Writer, depth: int) -> Expr:
    left = express(w, INT, depth)
    right = w.number(1, 9) if w.chance(0.4) else express(w, INT, depth)
    return nodes.binary(left, w.rng.choice("+-"), unlike(w, left, right))


def _scaled(w: Writer, depth: int) -> Expr:
    return nodes.binary(express(w, INT, depth), "*", w.number(2, 5))


def _reduced(w: Writer, depth: int) -> Expr:
    return nodes.binary(express(w, INT, depth), w.rng.choice(("%", "//")), w.number(2, 7))


def _length(w: Writer, depth: int) -> Expr:
    type_ = w.rng.choice((STR, STR, LIST_STR, LIST_INT))
    return nodes.call("len", express(w, type_, depth))


def _difference(w: Writer, depth: int) -> Expr:
    left = express(w, INT, depth)
    right = w.number(2, 9) if w.chance(0.5) else express(w, INT, depth)
    return nodes.call("abs", nodes.binary(left, "-", unlike(w, left, right)))


def _extreme(w: Writer, depth: int) -> Expr:
    left = express(w, INT, depth)
    right = w.number(1, 9) if w.chance(0.5) else express(w, INT, depth)
    return nodes.call(w.rng.choice(("max", "min")), left, unlike(w, left, right))


def _total(w: Writer, depth: int) -> Expr:
    return nodes.call("sum", express(w, LIST_INT, depth))


def _chosen_int(w: Writer, depth: int) -> Expr:
    return nodes.choose(
        to_bool(w, express(w, w.rng.choice((INT, STR)), 0)), express(w, INT, depth), w.number(0, 3)
    )


def _joined(w: Writer, depth: int) -> Expr:
    left = express(w, STR, depth)
    right = unlike(w, left, w.word() if w.chance(0.3) else express(w, STR, depth))
    if w.chance(0.3):
        left = nodes.binary(left, "+", nodes.literal(w.rng.choice(("-", " ", "/", ":"))))
    return nodes.binary(left, "+", right)


def _slice(w: Writer, depth: int) -> Expr:
    text = express(w, STR, depth)
    form = w.rng.randrange(3)
    if form == 0:
        return nodes.part(text, None, w.number(2, 5))
    if form == 1:
        return nodes.part(text, w.number(1, 2))
    return nodes.part(text, None, None, -1)


def _shown(w: Writer, depth: int) -> Expr:
    return nodes.call("str", express(w, INT, depth))


def _formatted(w: Writer, depth: int) -> Expr:
    left = express(w, w.rng.choice((STR, INT)), 0)
    right = express(w, w.rng.choice((STR, INT)), 0)
    if nodes.same(left, right):
        right = nodes.call("len", left if left.type == STR else nodes.call("str", left))
    return nodes.fstring([left, w.rng.choice(("-", ": ", " ", "/")), right])


def _sorted(type_: Type) -> Rule:
    def rule(w: Writer, depth: int) -> Expr:
        source = express(w, type_, depth)
        return source if nodes.is_call(source, "sorted") else nodes.call("sorted", source)

    return rule


def _front(type_: Type) -> Rule:
    def rule(w: Writer, depth: int) -> Expr:
        source = express(w, type_, depth)
        if w.chance(0.5):
            return nodes.part(source, None, w.number(2, 4))
        return nodes.part(source, nodes.literal(1))

    return rule


def _extended(type_: Type) -> Rule:
    def rule(w: Writer, depth: int) -> Expr:
        more = nodes.list_display(express(w, type_.args[0], depth))
        return nodes.binary(express(w, type_, 0), "+", more)

    return rule


def _lengths(w: Writer, depth: int) -> Expr:
    source = w.pick(LIST_STR)
    target = w.fresh_name((w.theme.noun, "name", "word", "item"))
    return nodes.listcomp(nodes.call("len", nodes.name(target, STR)), target, w.read(source))


def _filtered(w: Writer, depth: int) -> Expr:
    source = w.pick(LIST_STR)
    target = w.fresh_name((w.theme.noun, "name", "word", "item"))
    test = to_bool(w, nodes.name(target, STR))
    return nodes.listcomp(nodes.name(target, STR), target, w.read(source), test)


def _selected(w: Writer, depth: int) -> Expr:
    source = w.pick(LIST_INT)
    target = w.fresh_name(("value", "amount", "number", "n"))
    test = to_bool(w, nodes.name(target, INT))
    return nodes.listcomp(nodes.name(target, INT), target, w.read(source), test)


def _greater(w: Writer, depth: int) -> Expr:
    left = express(w, INT, depth)
    right = w.number(2, 9) if w.chance(0.5) else express(w, INT, depth)
    return nodes.compare(left, w.rng.choice((">", "<", ">=")), unlike(w, left, right))


def _member(w: Writer, depth: int) -> Expr:
    item = w.word() if w.chance(0.4) else express(w, STR, depth)
    return nodes.compare(item, "in", express(w, LIST_STR, depth))


def _truth(w: Writer, depth: int) -> Expr:
    return to_bool(w, express(w, w.rng.choice((INT, STR, LIST_STR)), depth))


def _changed(*labels: str) -> Rule:
    return lambda w, depth: w.method(express(w, STR, depth), w.rng.choice(labels))


def _replaced(w: Writer, depth: int) -> Expr:
    return w.method(express(w, STR, depth), "replace", w.letter(), w.letter(common=False))


def _glued(w: Writer, depth: int) -> Expr:
    separator = nodes.literal(w.rng.choice(("-", " ", ",", "+", "")))
    return w.method(separator, "join", express(w, LIST_STR, depth))


def _found(*labels: str) -> Rule:
    return lambda w, depth: w.method(express(w, STR, depth), w.rng.choice(labels), w.letter())


def _looked_up(w: Writer, depth: int) -> Expr:
    key = w.word() if w.chance(0.3) else express(w, STR, 0)
    return w.method(w.get(TABLE), "get", key, w.number(0, 5))


def _table_total(w: Writer, depth: int) -> Expr:
    return nodes.call("sum", w.method(w.get(TABLE), "values"))


def _bits(w: Writer, depth: int) -> Expr:
    return w.method(express(w, INT, depth), w.rng.choice(("bit_length", "bit_count")))


def _counted(w: Writer, depth: int) -> Expr:
    item = w.number(1, 9) if w.chance(0.4) else express(w, INT, 0)
    return w.method(w.get(w.rng.choice((LIST_INT, TUPLE_INT))), "count", item)


def _split(w: Writer, depth: int) -> Expr:
    text = express(w, STR, depth)
    if w.chance(0.5):
        return w.method(text, "split")
    return w.method(text, "split", nodes.literal(w.rng.choice((" ", "-", ",", "e", "a"))))


def _common(w: Writer, depth: int) -> Expr:
    label = w.rng.choice(("union", "intersection", "difference"))
    return nodes.call("sorted", w.method(w.get(SET_STR), label, express(w, LIST_STR, 0)))


def _keys(w: Writer, depth: int) -> Expr:
    return nodes.call("sorted", w.method(w.get(TABLE), "keys"))


def _begins(w: Writer, depth: int) -> Expr:
    return w.method(express(w, STR, depth), w.rng.choice(("startswith", "endswith")), w.letter())


def _kind(w: Writer, depth: int) -> Expr:
    return w.method(express(w, STR, depth), w.rng.choice(("isalpha", "islower", "istitle")))


_RULES: dict[Type, tuple[Rule, ...]] = {
    INT: (
        _variable(INT),
        _sum,
        _sum,
        _scaled,
        _reduced,
        _length,
        _length,
        _difference,
        _extreme,
        _total,
        _chosen_int,
    ),
    STR: (_variable(STR), _variable(STR), _joined, _slice, _shown, _formatted),
    BOOL: (_greater, _greater, _member, _truth),
    LIST_STR: (
        _variable(LIST_STR),
        _sorted(LIST_STR),
        _front(LIST_STR),
        _extended(LIST_STR),
        _filtered,
    ),
    LIST_INT: (
        _variable(LIST_INT),
        _sorted(LIST_INT),
        _front(LIST_INT),
        _extended(LIST_INT),
        _lengths,
        _selected,
    ),
}
_METHOD_RULES: dict[Type, tuple[Rule, ...]] = {
    INT: (_found("count", "find", "rfind"), _looked_up, _table_total, _bits, _counted),
    STR: (
        _changed("upper", "lower", "title", "swapcase", "capitalize"),
        _changed("strip", "lstrip", "casefold"),
        _replaced,
        _glued,
    ),
    BOOL: (_begins, _kind),
    LIST_STR: (_split, _common, _keys),
}
