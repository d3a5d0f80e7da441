"""Types of libcst expressions, recording the call sites met on the way."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import libcst as cst  # noqa: TID253 - this module is only imported inside functions

from factory.constraints.scope import Scope
from factory.constraints.signatures import (
    BUILTINS,
    builtin_result,
    method_result,
    operator_result,
    slice_result,
    subscript_result,
)
from factory.constraints.site_log import SiteLog
from factory.constraints.syntax import OPERATORS, literal_index
from factory.constraints.types import (
    BOOL,
    BYTES,
    FLOAT,
    INT,
    NONE,
    NOTHING,
    STR,
    UNKNOWN,
    Type,
    dict_of,
    element,
    iterator_of,
    join,
    join_all,
    list_of,
    set_of,
    tuple_of,
)

_CONSTANTS = {"True": BOOL, "False": BOOL, "None": NONE}


class Expressions(SiteLog):
    """Infers the expressions of one function."""

    def __init__(self, scope: Scope) -> None:
        super().__init__(scope)
        self._rules: dict[str, Callable[[Any], Type]] = {
            "Name": self._name,
            "Integer": lambda node: INT,
            "Float": lambda node: FLOAT,
            "SimpleString": self._string,
            "ConcatenatedString": self._concatenated,
            "FormattedString": self._formatted,
            "Call": self._call,
            "Attribute": self._attribute,
            "BinaryOperation": self._binary,
            "BooleanOperation": self._boolean,
            "UnaryOperation": self._unary,
            "Comparison": self._comparison,
            "Subscript": self._subscript,
            "List": lambda node: list_of(join_all(self._elements(node))),
            "Set": lambda node: set_of(join_all(self._elements(node))),
            "Tuple": self._tuple,
            "Dict": self._dict,
            "ListComp": lambda node: list_of(self._comprehension(node)),
            "SetComp": lambda node: set_of(self._comprehension(node)),
            "GeneratorExp": lambda node: iterator_of(self._comprehension(node)),
            "DictComp": self._dict_comprehension,
            "IfExp": self._conditional,
            "Lambda": self._lambda,
            "NamedExpr": self._walrus,
        }

    def infer(self, node: cst.CSTNode) -> Type:
        """The static type of an expression."""
        rule = self._rules.get(type(node).__name__)
        if rule is not None:
            return rule(node)
        for child in node.children:
            if isinstance(child, cst.BaseExpression | cst.From):
                self.infer(child)
        return UNKNOWN

    def bind_target(self, target: cst.CSTNode, type_: Type, layer: dict[str, Type] | None) -> None:
        """Binds an assignment, loop (``layer`` is ``None``) or comprehension target."""
        if isinstance(target, cst.Name):
            if layer is None:
                self.scope.bind(target.value, type_)
            else:
                layer[target.value] = type_
        elif isinstance(target, cst.Tuple | cst.List):
            for position, item in enumerate(target.elements):
                part = (
                    subscript_result(type_, position) if type_.name == "tuple" else element(type_)
                )
                if isinstance(item, cst.StarredElement):
                    part = list_of(element(type_))
                self.bind_target(item.value, part, layer)
        else:
            for child in target.children:
                if isinstance(child, cst.BaseExpression):
                    self.infer(child)
                elif isinstance(child, cst.SubscriptElement):
                    self._index(child)

    def _name(self, node: cst.Name) -> Type:
        if node.value in _CONSTANTS:
            return _CONSTANTS[node.value]
        return self.scope.find(node.value) or UNKNOWN

    def _string(self, node: cst.SimpleString) -> Type:
        return BYTES if "b" in node.prefix.lower() else STR

    def _concatenated(self, node: cst.ConcatenatedString) -> Type:
        self.infer(node.right)
        return self.infer(node.left)

    def _formatted(self, node: cst.FormattedString) -> Type:
        for part in node.parts:
            if isinstance(part, cst.FormattedStringExpression):
                self.infer(part.expression)
        return STR

    def _attribute(self, node: cst.Attribute) -> Type:
        self.infer(node.value)
        return UNKNOWN

    def _arguments(self, node: cst.Call) -> list[Type]:
        types = [(self.infer(arg.value), arg) for arg in node.args]
        return [UNKNOWN if arg.star else type_ for type_, arg in types if arg.keyword is None]

    def _call(self, node: cst.Call) -> Type:
        func = node.func
        if isinstance(func, cst.Attribute):
            label = func.attr.value
            opened = self.open_site("?", label)
            receiver = self.infer(func.value)
            args = self._arguments(node)
            self.close_site(opened, receiver, func.value)
            return method_result(receiver, label, args)
        if not isinstance(func, cst.Name):
            opened = self.open_site("?", "()")
            self.infer(func)
            self._arguments(node)
            self.close_site(opened, UNKNOWN, None)
            return UNKNOWN
        name = func.value
        callee = self.scope.find_function(name)
        known = callee is None and self.scope.find(name) is None and name in BUILTINS
        opened = self.open_site("?", f"{name}()", callee=callee)
        args = self._arguments(node)
        first = node.args[0].value if node.args and not node.args[0].star else None
        self.close_site(opened, args[0] if known and args else UNKNOWN, first if known else None)
        if callee is not None:
            return self.scope.returns[callee]
        return self._builtin(name, args, node) if known else UNKNOWN

    def _builtin(self, name: str, args: list[Type], node: cst.Call) -> Type:
        result = builtin_result(name, args)
        for arg in node.args:
            if arg.keyword is not None and arg.keyword.value == "default":
                result = join(result, self.infer(arg.value))
        return result

    def _operator(
        self, label: str, left: cst.CSTNode, right: cst.CSTNode, subject: cst.CSTNode
    ) -> tuple[Type, Type]:
        opened = self.open_site("?", label, is_call=False)
        types = self.infer(left), self.infer(right)
        self.close_site(opened, types[0] if subject is left else types[1], subject)
        return types

    def _binary(self, node: cst.BinaryOperation) -> Type:
        symbol = OPERATORS.get(type(node.operator).__name__, "?")
        left, right = self._operator(symbol, node.left, node.right, node.left)
        return operator_result(symbol, left, right)

    def _boolean(self, node: cst.BooleanOperation) -> Type:
        return join(self.infer(node.left), self.infer(node.right))

    def _unary(self, node: cst.UnaryOperation) -> Type:
        type_ = self.infer(node.expression)
        if isinstance(node.operator, cst.Not):
            return BOOL
        return INT if type_ == BOOL else type_ if type_ in (INT, FLOAT) else UNKNOWN

    def _comparison(self, node: cst.Comparison) -> Type:
        left = node.left
        for comparison in node.comparisons:
            right = comparison.comparator
            if isinstance(comparison.operator, cst.In):
                self._operator("in", left, right, right)
            else:
                if left is node.left:
                    self.infer(left)
                self.infer(right)
            left = right
        return BOOL

    def _index(self, item: cst.SubscriptElement) -> bool:
        """Infers the inside of one subscript; whether it is a slice."""
        if isinstance(item.slice, cst.Index):
            self.infer(item.slice.value)
            return False
        for bound in item.slice.children:
            if isinstance(bound, cst.BaseExpression):
                self.infer(bound)
        return True

    def _subscript(self, node: cst.Subscript) -> Type:
        plain = len(node.slice) == 1
        is_slice = plain and isinstance(node.slice[0].slice, cst.Slice)
        opened = self.open_site("?", "[:]" if is_slice else "[]", is_call=False)
        receiver = self.infer(node.value)
        for item in node.slice:
            self._index(item)
        self.close_site(opened, receiver, node.value)
        if is_slice:
            return slice_result(receiver)
        inner = node.slice[0].slice
        return subscript_result(receiver, literal_index(inner)) if plain else UNKNOWN

    def _elements(self, node: cst.List | cst.Set | cst.Tuple) -> list[Type]:
        return [
            element(self.infer(item.value))
            if isinstance(item, cst.StarredElement)
            else self.infer(item.value)
            for item in node.elements
        ]

    def _tuple(self, node: cst.Tuple) -> Type:
        types = self._elements(node)
        if any(isinstance(item, cst.StarredElement) for item in node.elements):
            return tuple_of(join_all(types))
        return Type("tuple", tuple(types))

    def _dict(self, node: cst.Dict) -> Type:
        result = dict_of(NOTHING, NOTHING)
        for item in node.elements:
            if isinstance(item, cst.DictElement):
                result = join(result, dict_of(self.infer(item.key), self.infer(item.value)))
            else:
                result = join(result, self.infer(item.value))
        return result

    def _open_loops(self, loop: cst.CompFor | None) -> int:
        opened = 0
        while loop is not None:
            layer: dict[str, Type] = {}
            source = element(self.infer(loop.iter))
            self.bind_target(loop.target, source, layer)
            self.scope.targets.append(layer)
            opened += 1
            for condition in loop.ifs:
                self.infer(condition.test)
            loop = loop.inner_for_in
        return opened

    def _close_loops(self, opened: int) -> None:
        for _ in range(opened):
            self.scope.targets.pop()

    def _comprehension(self, node: cst.ListComp | cst.SetComp | cst.GeneratorExp) -> Type:
        opened = self._open_loops(node.for_in)
        result = self.infer(node.elt)
        self._close_loops(opened)
        return result

    def _dict_comprehension(self, node: cst.DictComp) -> Type:
        opened = self._open_loops(node.for_in)
        result = dict_of(self.infer(node.key), self.infer(node.value))
        self._close_loops(opened)
        return result

    def _conditional(self, node: cst.IfExp) -> Type:
        self.infer(node.test)
        return join(self.infer(node.body), self.infer(node.orelse))

    def _lambda(self, node: cst.Lambda) -> Type:
        params = node.params
        layer: dict[str, Type] = {}
        for param in (*params.posonly_params, *params.params, *params.kwonly_params):
            layer[param.name.value] = UNKNOWN
            if param.default is not None:
                self.infer(param.default)
        self.scope.targets.append(layer)
        self.infer(node.body)
        self.scope.targets.pop()
        return UNKNOWN

    def _walrus(self, node: cst.NamedExpr) -> Type:
        type_ = self.infer(node.value)
        self.bind_target(node.target, type_, None)
        return type_
