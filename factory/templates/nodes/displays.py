"""Lists, tuples, sets, dictionaries, comprehensions and f-strings."""

from __future__ import annotations

from collections.abc import Sequence

import libcst as cst  # noqa: TID253 - factory.templates is only imported inside functions

from factory.constraints.types import STR, UNKNOWN, Type, dict_of, join_all, list_of, set_of
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


def dict_display(*pairs: tuple[Expr, Expr], of: Type | None = None) -> Expr:
    """``{key: value}``; ``of`` is the type of an empty one."""
    members = [cst.DictElement(key.node, value.node) for key, value in pairs]
    type_ = of or dict_of(
        join_all([key.type for key, _ in pairs]), join_all([value.type for _, value in pairs])
    )
    return Expr(cst.Dict(members), type_, constant=all(all_constant(pair) for pair in pairs))


def _clause(target: cst.BaseAssignTargetExpression, source: Expr, test: Expr | None) -> cst.CompFor:
    ifs = [cst.CompIf(inside(test, CONDITIONAL + 1))] if test is not None else []
    return cst.CompFor(target, inside(source, CONDITIONAL + 1), ifs)


def listcomp(result: Expr, target: str, source: Expr, test: Expr | None = None) -> Expr:
    """``[result for target in source if test]``."""
    clause = _clause(cst.Name(target), source, test)
    return Expr(cst.ListComp(result.node, clause), list_of(result.type))


def dictcomp(key: Expr, value: Expr, target: str, source: Expr) -> Expr:
    """``{key: value for target in source}``."""
    clause = _clause(cst.Name(target), source, None)
    return Expr(cst.DictComp(key.node, value.node, clause), dict_of(key.type, value.type))


def fstring(parts: Sequence[str | Expr]) -> Expr:
    """``f"text {expr} text"``; the texts hold no braces, quotes or backslashes."""
    pieces: list[cst.BaseFormattedStringContent] = [
        cst.FormattedStringText(each)
        if isinstance(each, str)
        else cst.FormattedStringExpression(each.node)
        for each in parts
    ]
    return Expr(cst.FormattedString(pieces, start='f"', end='"'), STR)
