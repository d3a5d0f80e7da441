"""Walks the statements of a function and infers every expression in them.

Flow-insensitive: a variable has the join of the types bound to it anywhere in its function. What
is not built from annotations, literals and known results has the type ``?``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import libcst as cst  # noqa: TID253 - this module is only imported inside functions

from factory.constraints.base import Site
from factory.constraints.calls import class_of
from factory.constraints.expressions import Expressions
from factory.constraints.library import CLASSES, MODULES
from factory.constraints.scope import Scope
from factory.constraints.signatures import operator_result
from factory.constraints.syntax import OPERATORS, is_slice, statements
from factory.constraints.types import (
    STR,
    UNKNOWN,
    Type,
    dict_of,
    element,
    parse_type,
    tuple_of,
)

_MOST_PASSES = 4
_PRINTER = cst.Module(body=[])


@dataclass(frozen=True, slots=True)
class Signature:
    """Types that a ``def`` line states."""

    parameters: tuple[tuple[str, Type], ...]
    returns: Type


def annotated_type(annotation: cst.Annotation | None) -> Type:
    """The type that an annotation names; ``?`` without one."""
    if annotation is None:
        return UNKNOWN
    return parse_type(_PRINTER.code_for_node(annotation.annotation))


def read_signature(node: cst.FunctionDef) -> Signature:
    """Parameter and return types by annotation."""
    params = node.params
    found = [
        (param.name.value, annotated_type(param.annotation))
        for param in (*params.posonly_params, *params.params, *params.kwonly_params)
    ]
    if isinstance(params.star_arg, cst.Param):
        each = annotated_type(params.star_arg.annotation)
        found.append((params.star_arg.name.value, tuple_of(each)))
    if params.star_kwarg is not None:
        each = annotated_type(params.star_kwarg.annotation)
        found.append((params.star_kwarg.name.value, dict_of(STR, each)))
    return Signature(tuple(found), annotated_type(node.returns))


def infer_body(
    body: Sequence[cst.CSTNode], scope: Scope, numbers: Mapping[int, int]
) -> tuple[Site, ...]:
    """Call sites of ``body``; ``scope`` afterwards holds the types of all its variables.

    Repeated while a later binding changes what an earlier expression was taken for; a program that
    does not settle gets no typed variables.
    """
    for _ in range(_MOST_PASSES):
        scope.stable = True
        scope.looked_past.clear()
        walker = _Statements(scope, numbers)
        walker.walk(body)
        if scope.stable:
            return tuple(walker.expressions.sites)
    scope.variables = dict.fromkeys(scope.variables, UNKNOWN)
    walker = _Statements(scope, numbers)
    walker.walk(body)
    return tuple(walker.expressions.sites)


def record_class(node: cst.ClassDef) -> Type:
    """The class of a ``NamedTuple`` or ``@dataclass`` with its fields; ``?`` for another one."""
    bases = {base.value.value for base in node.bases if isinstance(base.value, cst.Name)}
    marks = {
        mark.value
        for each in node.decorators
        for mark in [
            each.decorator.func if isinstance(each.decorator, cst.Call) else each.decorator
        ]
        if isinstance(mark, cst.Name)
    }
    kind = "namedtuple" if "NamedTuple" in bases else "dataclass" if "dataclass" in marks else ""
    if not kind:
        return UNKNOWN
    fields = [
        Type(small.target.value, (annotated_type(small.annotation),))
        for line in statements(node.body)
        if isinstance(line, cst.SimpleStatementLine)
        for small in line.body
        if isinstance(small, cst.AnnAssign) and isinstance(small.target, cst.Name)
    ]
    return class_of(Type(kind, (Type(node.name.value), *fields)))


class _Statements:
    def __init__(self, scope: Scope, numbers: Mapping[int, int]) -> None:
        self.scope = scope
        self.numbers = numbers
        self.expressions = Expressions(scope)

    def walk(self, body: Sequence[cst.CSTNode]) -> None:
        for node in body:
            if isinstance(node, cst.SimpleStatementLine):
                for small in node.body:
                    self.simple(small)
            elif isinstance(node, cst.BaseSmallStatement):
                self.simple(node)
            else:
                self.compound(node)

    def block(self, block: cst.CSTNode | None) -> None:
        self.walk(statements(block))

    def at(self, node: cst.CSTNode) -> Expressions:
        self.expressions.stmt = self.numbers.get(id(node), self.expressions.stmt)
        return self.expressions

    def simple(self, node: cst.CSTNode) -> None:
        expressions = self.at(node)
        if isinstance(node, cst.Assign):
            type_ = expressions.infer(node.value)
            for target in node.targets:
                expressions.bind_target(target.target, type_, None)
        elif isinstance(node, cst.AnnAssign):
            if node.value is not None:
                expressions.infer(node.value)
            expressions.bind_target(node.target, annotated_type(node.annotation), None)
        elif isinstance(node, cst.AugAssign):
            self.augmented(node, expressions)
        elif isinstance(node, cst.Del):
            self.deleted(node.target)
        elif isinstance(node, cst.Import):
            self.imported(node)
        elif isinstance(node, cst.ImportFrom):
            self.imported_from(node)
        elif not isinstance(node, cst.Global | cst.Nonlocal):
            for child in node.children:
                if isinstance(child, cst.BaseExpression | cst.From):
                    expressions.infer(child)

    def augmented(self, node: cst.AugAssign, expressions: Expressions) -> None:
        symbol = OPERATORS.get(type(node.operator).__name__.removesuffix("Assign"), "?")
        opened = expressions.open_site("?", f"{symbol}=", is_call=False)
        left = expressions.infer(node.target) if isinstance(node.target, cst.Name) else UNKNOWN
        right = expressions.infer(node.value)
        expressions.close_site(opened, left, node.target)
        result = operator_result(symbol, left, right)
        if result == UNKNOWN and left.name in ("list", "deque") and symbol in ("+", "*"):
            result = left
        expressions.bind_target(node.target, result, None)

    def deleted(self, target: cst.CSTNode) -> None:
        if isinstance(target, cst.Tuple):
            for each in target.elements:
                self.deleted(each.value)
            return
        if isinstance(target, cst.Subscript):
            label = "del [:]" if is_slice(target) else "del []"
            self.expressions.changed_subscript(target, label)
        elif not isinstance(target, cst.Name):
            self.expressions.infer(target)

    def imported(self, node: cst.Import) -> None:
        for alias in node.names:
            name: cst.CSTNode = alias.asname.name if alias.asname else alias.name
            type_ = UNKNOWN
            if isinstance(alias.name, cst.Name) and alias.name.value in MODULES:
                type_ = Type("module", (Type(alias.name.value),))
            while isinstance(name, cst.Attribute):
                name = name.value
            self.expressions.bind_target(name, type_, None)

    def imported_from(self, node: cst.ImportFrom) -> None:
        if isinstance(node.names, cst.ImportStar):
            return
        module = node.module.value if isinstance(node.module, cst.Name) else ""
        for alias in node.names:
            assert isinstance(alias.name, cst.Name)
            name = alias.name.value
            type_ = UNKNOWN
            if name in CLASSES.get(str(module), ()):
                type_ = class_of(Type(name))
            elif module in MODULES:
                type_ = Type("function", (Type(f"{module}.{name}"),))
            bound = alias.asname.name if alias.asname else alias.name
            self.expressions.bind_target(bound, type_, None)

    def compound(self, node: cst.CSTNode) -> None:
        expressions = self.at(node)
        if isinstance(node, cst.If | cst.While):
            expressions.infer(node.test)
            self.block(node.body)
            if isinstance(node.orelse, cst.If):
                self.compound(node.orelse)
            else:
                self.block(node.orelse)
        elif isinstance(node, cst.For):
            expressions.bind_target(node.target, element(expressions.infer(node.iter)), None)
            self.block(node.body)
            self.block(node.orelse)
        elif isinstance(node, cst.With):
            for item in node.items:
                expressions.infer(item.item)
                if item.asname is not None:
                    expressions.bind_target(item.asname.name, UNKNOWN, None)
            self.block(node.body)
        elif isinstance(node, cst.Try | cst.TryStar):
            self.tried(node)
        elif isinstance(node, cst.Match):
            self.matched(node)
        elif isinstance(node, cst.FunctionDef | cst.ClassDef):
            self.defined(node)

    def tried(self, node: cst.Try | cst.TryStar) -> None:
        self.block(node.body)
        for handler in node.handlers:
            expressions = self.at(handler)
            if handler.type is not None:
                expressions.infer(handler.type)
            if handler.name is not None:
                expressions.bind_target(handler.name.name, UNKNOWN, None)
            self.block(handler.body)
        self.block(node.orelse)
        self.block(node.finalbody)

    def matched(self, node: cst.Match) -> None:
        self.expressions.infer(node.subject)
        for case in node.cases:
            expressions = self.at(case)
            self.captured(case.pattern)
            if case.guard is not None:
                expressions.infer(case.guard)
            self.block(case.body)

    def captured(self, pattern: cst.CSTNode) -> None:
        name = getattr(pattern, "name", None)
        rest = getattr(pattern, "rest", None)
        for each in (name, rest):
            if isinstance(each, cst.Name):
                self.expressions.bind_target(each, UNKNOWN, None)
        for child in pattern.children:
            self.captured(child)

    def defined(self, node: cst.FunctionDef | cst.ClassDef) -> None:
        for decorator in node.decorators:
            self.expressions.infer(decorator.decorator)
        if isinstance(node, cst.ClassDef):
            for base in node.bases:
                self.expressions.infer(base.value)
            self.expressions.bind_target(node.name, record_class(node), None)
            return
        params = node.params
        for param in (*params.posonly_params, *params.params, *params.kwonly_params):
            if param.default is not None:
                self.expressions.infer(param.default)
