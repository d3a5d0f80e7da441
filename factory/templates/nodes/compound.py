"""Definitions, ``try`` statements and the small statements that only they need."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import libcst as cst  # noqa: TID253 - factory.templates is only imported inside functions

from factory.constraints.types import Type
from factory.templates.nodes.expr import Expr, inside
from factory.templates.nodes.statements import annotation, augmented, block, line

_GAP = cst.EmptyLine(indent=False)
_ATOM = 20


@dataclass(frozen=True, slots=True)
class Handler:
    """An ``except`` clause."""

    error: str
    body: Sequence[cst.BaseStatement]
    title: str | None = None
    """The name after ``as``."""


def try_(
    body: Sequence[cst.BaseStatement],
    handlers: Sequence[Handler],
    otherwise: Sequence[cst.BaseStatement] = (),
    finally_: Sequence[cst.BaseStatement] = (),
) -> cst.Try:
    """``try … except … else … finally``; empty parts are left out."""
    return cst.Try(
        block(body),
        [
            cst.ExceptHandler(
                block(each.body),
                cst.Name(each.error),
                cst.AsName(cst.Name(each.title)) if each.title else None,
            )
            for each in handlers
        ],
        cst.Else(block(otherwise)) if otherwise else None,
        cst.Finally(block(finally_)) if finally_ else None,
    )


def raise_(error: Expr | None = None, cause: str | None = None) -> cst.SimpleStatementLine:
    """``raise``, ``raise error`` or ``raise error from cause``."""
    if error is None:
        return line(cst.Raise())
    origin = cst.From(cst.Name(cause)) if cause else None
    return line(cst.Raise(error.node, origin))


def yield_(value: Expr) -> cst.SimpleStatementLine:
    """``yield value``."""
    return line(cst.Expr(cst.Yield(value.node)))


def yield_from(source: Expr) -> cst.SimpleStatementLine:
    """``yield from source``."""
    return line(cst.Expr(cst.Yield(cst.From(source.node))))


def nonlocal_(name: str) -> cst.SimpleStatementLine:
    """``nonlocal name``."""
    return line(cst.Nonlocal([cst.NameItem(cst.Name(name))]))


def break_() -> cst.SimpleStatementLine:
    """``break``."""
    return line(cst.Break())


def continue_() -> cst.SimpleStatementLine:
    """``continue``."""
    return line(cst.Continue())


def pass_() -> cst.SimpleStatementLine:
    """``pass``."""
    return line(cst.Pass())


def delete(target: Expr) -> cst.SimpleStatementLine:
    """``del target``."""
    assert isinstance(target.node, cst.BaseDelTargetExpression)
    return line(cst.Del(target.node))


def attribute(owner: Expr, label: str, type_: Type) -> Expr:
    """``owner.label``, known to have ``type_``."""
    return Expr(cst.Attribute(inside(owner, _ATOM), cst.Name(label)), type_)


def set_attribute(target: Expr, value: Expr) -> cst.SimpleStatementLine:
    """``owner.label = value``."""
    assert isinstance(target.node, cst.Attribute)
    return line(cst.Assign([cst.AssignTarget(target.node)], value.node))


def augment_target(target: Expr, symbol: str, value: Expr) -> cst.SimpleStatementLine:
    """``owner.label symbol= value`` or ``container[key] symbol= value``."""
    assert isinstance(target.node, cst.Attribute | cst.Subscript)
    return line(cst.AugAssign(target.node, augmented(symbol), value.node))


def field(title: str, type_: Type, default: Expr | None = None) -> cst.SimpleStatementLine:
    """``title: type`` in the body of a dataclass, or ``title: type = default``."""
    value = default.node if default is not None else None
    return line(cst.AnnAssign(cst.Name(title), cst.Annotation(annotation(type_)), value))


def class_(
    title: str,
    body: Sequence[cst.BaseStatement],
    bases: Sequence[str] = (),
    decorators: Sequence[str] = (),
) -> cst.ClassDef:
    """``class title(bases):``, methods a blank line apart."""
    spaced = [
        each.with_changes(leading_lines=[_GAP, *each.leading_lines])
        if position and isinstance(each, cst.FunctionDef)
        else each
        for position, each in enumerate(body)
    ]
    return cst.ClassDef(
        cst.Name(title),
        block(spaced),
        bases=[cst.Arg(cst.Name(each)) for each in bases],
        decorators=[cst.Decorator(cst.Name(each)) for each in decorators],
    )


def import_from(module: str, names: Sequence[str]) -> cst.SimpleStatementLine:
    """``from module import names``."""
    parts = [cst.Name(part) for part in module.split(".")]
    path: cst.Attribute | cst.Name = parts[0]
    for part in parts[1:]:
        path = cst.Attribute(path, part)
    return line(cst.ImportFrom(path, [cst.ImportAlias(cst.Name(name)) for name in names]))
