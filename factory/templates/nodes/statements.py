"""Statements, functions and the module's text."""

from __future__ import annotations

from collections.abc import Sequence

import libcst as cst  # noqa: TID253 - factory.templates is only imported inside functions

from factory.constraints.types import Type
from factory.templates.nodes.displays import elements
from factory.templates.nodes.expr import Expr

_AUGMENTED: dict[str, type[cst.BaseAugOp]] = {
    "+": cst.AddAssign,
    "-": cst.SubtractAssign,
    "*": cst.MultiplyAssign,
    "//": cst.FloorDivideAssign,
    "%": cst.ModuloAssign,
    "^": cst.BitXorAssign,
    "|": cst.BitOrAssign,
}


def line(statement: cst.BaseSmallStatement) -> cst.SimpleStatementLine:
    """A statement on a line of its own."""
    return cst.SimpleStatementLine([statement])


def annotation(type_: Type) -> cst.BaseExpression:
    """A type as annotation node."""
    if type_.name == "...":
        return cst.Ellipsis()
    if type_.name == "[]":
        return cst.List([cst.Element(annotation(arg)) for arg in type_.args])
    base = cst.Name({"NoneType": "None", "iterator": "Iterator"}.get(type_.name, type_.name))
    if not type_.args:
        return base
    items = [cst.SubscriptElement(cst.Index(annotation(arg))) for arg in type_.args]
    return cst.Subscript(base, items)


def assign(target: str, value: Expr, annotated: bool = False) -> cst.SimpleStatementLine:
    """``target = value``, with the type written out if asked."""
    if annotated:
        note = cst.Annotation(annotation(value.type))
        return line(cst.AnnAssign(cst.Name(target), note, value.node))
    return line(cst.Assign([cst.AssignTarget(cst.Name(target))], value.node))


def _name_tuple(targets: Sequence[str]) -> cst.Tuple:
    return cst.Tuple([cst.Element(cst.Name(each)) for each in targets], lpar=[], rpar=[])


def assign_many(targets: Sequence[str], values: Sequence[Expr]) -> cst.SimpleStatementLine:
    """``a, b = value, value``, or ``a, b = value`` for one tuple value."""
    node: cst.BaseExpression = values[0].node
    if len(values) > 1:
        node = cst.Tuple(elements(values), lpar=[], rpar=[])
    return line(cst.Assign([cst.AssignTarget(_name_tuple(targets))], node))


def assign_item(container: Expr, key: Expr, value: Expr) -> cst.SimpleStatementLine:
    """``container[key] = value``."""
    target = cst.Subscript(container.node, [cst.SubscriptElement(cst.Index(key.node))])
    return line(cst.Assign([cst.AssignTarget(target)], value.node))


def augmented(symbol: str) -> cst.BaseAugOp:
    """The operator node of ``symbol=``."""
    return _AUGMENTED[symbol]()


def augment(target: str, symbol: str, value: Expr) -> cst.SimpleStatementLine:
    """``target symbol= value``."""
    return line(cst.AugAssign(cst.Name(target), augmented(symbol), value.node))


def evaluate(expr: Expr) -> cst.SimpleStatementLine:
    """An expression as a statement."""
    return line(cst.Expr(expr.node))


def return_(expr: Expr) -> cst.SimpleStatementLine:
    """``return expr``."""
    return line(cst.Return(expr.node))


def block(body: Sequence[cst.BaseStatement]) -> cst.IndentedBlock:
    """An indented block."""
    return cst.IndentedBlock(body)


def for_(targets: Sequence[str], source: Expr, body: Sequence[cst.BaseStatement]) -> cst.For:
    """``for a, b in source:``."""
    target = cst.Name(targets[0]) if len(targets) == 1 else _name_tuple(targets)
    return cst.For(target, source.node, block(body))


def while_(test: Expr, body: Sequence[cst.BaseStatement]) -> cst.While:
    """``while test:``."""
    return cst.While(test.node, block(body))


def if_(
    tests: Sequence[tuple[Expr, Sequence[cst.BaseStatement]]],
    otherwise: Sequence[cst.BaseStatement] = (),
) -> cst.If:
    """``if … elif … else``; no ``else`` when ``otherwise`` is empty."""
    tail: cst.If | cst.Else | None = cst.Else(block(otherwise)) if otherwise else None
    for test, body in reversed(tests):
        tail = cst.If(test.node, block(body), orelse=tail)
    assert isinstance(tail, cst.If)
    return tail


def function(
    title: str,
    params: Sequence[tuple[str, Type | None]],
    returns: Type | None,
    body: Sequence[cst.BaseStatement],
    decorators: Sequence[str] = (),
) -> cst.FunctionDef:
    """``def title(params) -> returns:``; what has no type has no annotation.

    Inner functions stand between blank lines.
    """
    apart = [
        each.with_changes(leading_lines=[cst.EmptyLine(indent=False)])
        if place and cst.FunctionDef in (type(each), type(body[place - 1]))
        else each
        for place, each in enumerate(body)
    ]
    return cst.FunctionDef(
        cst.Name(title),
        cst.Parameters([cst.Param(cst.Name(each), _note(type_)) for each, type_ in params]),
        block(apart),
        decorators=[cst.Decorator(cst.Name(each)) for each in decorators],
        returns=_note(returns),
    )


def _note(type_: Type | None) -> cst.Annotation | None:
    return cst.Annotation(annotation(type_)) if type_ is not None else None


def import_module(module: str) -> cst.SimpleStatementLine:
    """``import module``."""
    return line(cst.Import([cst.ImportAlias(cst.Name(module))]))


def module_text(
    imports: Sequence[cst.SimpleStatementLine],
    definitions: Sequence[cst.SimpleStatementLine | cst.BaseCompoundStatement],
) -> str:
    """The text of a module: imports, then definitions with two blank lines between them."""
    gap = [cst.EmptyLine(indent=False), cst.EmptyLine(indent=False)]
    spaced = [
        each.with_changes(leading_lines=gap) if position or imports else each
        for position, each in enumerate(definitions)
    ]
    return cst.Module([*imports, *spaced]).code
