"""Lists, tuples, sets, dictionaries, comprehensions and f-strings."""

from __future__ import annotations

from collections.abc import Sequence

import libcst as cst  # noqa: TID253 - factory.templates is only imported inside functions

from factory.constraints.types import (
    STR,
    UNKNOWN,
    Type,
    dict_of,
    iterator_of,
    join_all,
    list_of,
    set_of,
)
from factory.templates.nodes.expr import CONDITIONAL, Expr, all_constant, inside


def elements(items: Sequence[Expr]) -> list[cst.Element]:
    """Elements of a list, set or tuple."""
    return [cst.Element(each.node) for each in items]


def list_display(*items: Expr, of: Type = UNKNOWN) -> Expr:
    """``[a, b]``; ``of`` is the element type of an empty one."""
    element = join_all([each.type for each in items]) if items else of
    return Expr(cst.List(elements(items)), list_of(element), constant=all_constant(items))


def set_display(*items: Expr) -> Expr:
    """``{a, b}``; never empty."""
    element = join_all([each.type for each in items])
    return Expr(cst.Set(elements(items)), set_of(element), constant=all_constant(items))


def tuple_display(*items: Expr) -> Expr:
    """``(a, b)``; a single item keeps its comma."""
    members = elements(items)
    if len(items) == 1:
        members = [cst.Element(items[0].node, comma=cst.Comma())]
    types = tuple(each.type for each in items)
    return Expr(cst.Tuple(members), Type("tuple", types), constant=all_constant(items))


def spread(expr: Expr) -> list[Expr]:
    """The items of a tuple display, or ``expr`` alone."""
    if not isinstance(expr.node, cst.Tuple) or len(expr.node.elements) != len(expr.type.args):
        return [expr]
    pairs = zip(expr.node.elements, expr.type.args, strict=True)
    return [Expr(each.value, type_, constant=expr.constant) for each, type_ in pairs]


def dict_display(*pairs: tuple[Expr, Expr], of: Type | None = None) -> Expr:
    """``{key: value}``; ``of`` is the type of an empty one."""
    members = [cst.DictElement(key.node, value.node) for key, value in pairs]
    type_ = of or dict_of(
        join_all([key.type for key, _ in pairs]), join_all([value.type for _, value in pairs])
    )
    return Expr(cst.Dict(members), type_, constant=all(all_constant(pair) for pair in pairs))


Clause = tuple[str | tuple[str, ...], Expr, Expr | None]
"""Target (or targets), source and condition of one ``for`` of a comprehension."""


def _for_in(clauses: Sequence[Clause]) -> cst.CompFor:
    found: cst.CompFor | None = None
    for target, source, test in reversed(clauses):
        names = [target] if isinstance(target, str) else target
        node: cst.BaseAssignTargetExpression = cst.Name(names[0])
        if len(names) > 1:
            node = cst.Tuple([cst.Element(cst.Name(each)) for each in names], lpar=[], rpar=[])
        ifs = [cst.CompIf(inside(test, CONDITIONAL + 1))] if test is not None else []
        found = cst.CompFor(node, inside(source, CONDITIONAL + 1), ifs, found)
    assert found is not None
    return found


def listcomp(result: Expr, target: str, source: Expr, test: Expr | None = None) -> Expr:
    """``[result for target in source if test]``."""
    return list_over(result, (target, source, test))


def list_over(result: Expr, *clauses: Clause) -> Expr:
    """``[result for … for …]``."""
    return Expr(cst.ListComp(result.node, _for_in(clauses)), list_of(result.type))


def set_over(result: Expr, *clauses: Clause) -> Expr:
    """``{result for … for …}``."""
    return Expr(cst.SetComp(result.node, _for_in(clauses)), set_of(result.type))


def dict_over(key: Expr, value: Expr, *clauses: Clause) -> Expr:
    """``{key: value for … for …}``."""
    node = cst.DictComp(key.node, value.node, _for_in(clauses))
    return Expr(node, dict_of(key.type, value.type))


def each_of(result: Expr, *clauses: Clause) -> Expr:
    """``result for … for …`` as the only argument of a call."""
    node = cst.GeneratorExp(result.node, _for_in(clauses), lpar=[], rpar=[])
    return Expr(node, iterator_of(result.type))


def dictcomp(key: Expr, value: Expr, target: str, source: Expr) -> Expr:
    """``{key: value for target in source}``."""
    return dict_over(key, value, (target, source, None))


def fstring(parts: Sequence[str | Expr]) -> Expr:
    """``f"text {expr} text"``; the texts hold no braces, quotes or backslashes."""
    pieces: list[cst.BaseFormattedStringContent] = [
        cst.FormattedStringText(each)
        if isinstance(each, str)
        else cst.FormattedStringExpression(each.node)
        for each in parts
    ]
    return Expr(cst.FormattedString(pieces, start='f"', end='"'), STR)
