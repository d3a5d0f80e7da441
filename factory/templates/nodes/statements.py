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


def _line(statement: cst.BaseSmallStatement) -> cst.SimpleStatementLine:
    return cst.SimpleStatementLine([statement])


def annotation(type_: Type) -> cst.BaseExpression:
    """A type as annotation node."""
    if type_.name == "...":
        return cst.Ellipsis()
    base = cst.Name("None" if type_.name == "NoneType" else type_.name)
    if not type_.args:
        return base
    items = [cst.SubscriptElement(cst.Index(annotation(arg))) for arg in type_.args]
    return cst.Subscript(base, items)


def assign(target: str, value: Expr, annotated: bool = False) -> cst.SimpleStatementLine:
    """``target = value``, with the type written out if asked."""
    if annotated:
        note = cst.Annotation(annotation(value.type))
        return _line(cst.AnnAssign(cst.Name(target), note, value.node))
    return _line(cst.Assign([cst.AssignTarget(cst.Name(target))], value.node))


def _name_tuple(targets: Sequence[str]) -> cst.Tuple:
    return cst.Tuple([cst.Element(cst.Name(each)) for each in targets], lpar=[], rpar=[])


def assign_many(targets: Sequence[str], values: Sequence[Expr]) -> cst.SimpleStatementLine:
    """``a, b = value, value``, or ``a, b = value`` for one tuple value."""
    node: cst.BaseExpression = values[0].node
    if len(values) > 1:
        node = cst.Tuple(elements(values), lpar=[], rpar=[])
    return _line(cst.Assign([cst.AssignTarget(_name_tuple(targets))], node))


def assign_item(container: Expr, key: Expr, value: Expr) -> cst.SimpleStatementLine:
    """``container[key] = value``."""
    target = cst.Subscript(container.node, [cst.SubscriptElement(cst.Index(key.node))])
    return _line(cst.Assign([cst.AssignTarget(target)], value.node))


def augment(target: str, symbol: str, value: Expr) -> cst.SimpleStatementLine:
    """``target symbol= value``."""
    return _line(cst.AugAssign(cst.Name(target), _AUGMENTED[symbol](), value.node))


def evaluate(expr: Expr) -> cst.SimpleStatementLine:
    """An expression as a statement."""
    return _line(cst.Expr(expr.node))


def return_(expr: Expr) -> cst.SimpleStatementLine:
    """``return expr``."""
    return _line(cst.Return(expr.node))


def _block(body: Sequence[cst.BaseStatement]) -> cst.IndentedBlock:
    return cst.IndentedBlock(body)


def for_(targets: Sequence[str], source: Expr, body: Sequence[cst.BaseStatement]) -> cst.For:
    """``for a, b in source:``."""
    target = cst.Name(targets[0]) if len(targets) == 1 else _name_tuple(targets)
    return cst.For(target, source.node, _block(body))


def while_(test: Expr, body: Sequence[cst.BaseStatement]) -> cst.While:
    """``while test:``."""
    return cst.While(test.node, _block(body))


def if_(
    tests: Sequence[tuple[Expr, Sequence[cst.BaseStatement]]],
    otherwise: Sequence[cst.BaseStatement] = (),
) -> cst.If:
    """``if … elif … else``; no ``else`` when ``otherwise`` is empty."""
    tail: cst.If | cst.Else | None = cst.Else(_block(otherwise)) if otherwise else None
    for test, body in reversed(tests):
        tail = cst.If(test.node, _block(body), orelse=tail)
    assert isinstance(tail, cst.If)
    return tail


def function(
    title: str,
    params: Sequence[tuple[str, Type]],
    returns: Type,
    body: Sequence[cst.BaseStatement],
) -> cst.FunctionDef:
    """``def title(params) -> returns:`` with annotations."""
    return cst.FunctionDef(
        cst.Name(title),
        cst.Parameters(
            [cst.Param(cst.Name(each), cst.Annotation(annotation(type_))) for each, type_ in params]
        ),
        _block(body),
        returns=cst.Annotation(annotation(returns)),
    )


def module_text(functions: Sequence[cst.FunctionDef]) -> str:
    """The text of a module: functions with two blank lines between them."""
    gap = [cst.EmptyLine(indent=False), cst.EmptyLine(indent=False)]
    spaced = [
        each.with_changes(leading_lines=gap) if position else each
        for position, each in enumerate(functions)
    ]
    return cst.Module(spaced).code
