"""Types of libcst expressions, recording the call sites met on the way."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from typing import Any

import libcst as cst  # noqa: TID253 - this module is only imported inside functions

from factory.constraints.calls import BUILTIN_CLASSES, Calls, class_of
from factory.constraints.library import CLASSES, function_result
from factory.constraints.scope import Scope
from factory.constraints.signatures import (
    method_result,
    operator_result,
    slice_result,
    subscript_result,
    unary_result,
)
from factory.constraints.syntax import (
    COMPARISONS,
    OPERATORS,
    SIGNS,
    is_slice,
    literal_index,
    looped_variable,
)
from factory.constraints.types import (
    BOOL,
    BYTES,
    COMPLEX,
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


class Expressions(Calls):
    """Infers the expressions of one function."""

    def __init__(self, scope: Scope) -> None:
        super().__init__(scope)
        self._rules: dict[str, Callable[[Any], Type]] = {
            "Name": self._name,
            "Integer": lambda node: INT,
            "Float": lambda node: FLOAT,
            "Imaginary": lambda node: COMPLEX,
            "SimpleString": self._string,
            "ConcatenatedString": self._concatenated,
            "FormattedString": self._formatted,
            "Call": self.call,
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
            "GeneratorExp": self._generator,
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
        elif isinstance(target, cst.Subscript):
            self.changed_subscript(target, "[:]=" if is_slice(target) else "[]=")
        else:
            for child in target.children:
                if isinstance(child, cst.BaseExpression):
                    self.infer(child)

    def changed_subscript(self, node: cst.Subscript, label: str) -> None:
        """Notes a store into ``container[index]`` or its deletion."""
        opened = self.open_site("?", label, is_call=False)
        receiver = self.infer(node.value)
        for item in node.slice:
            self._index(item)
        self.close_site(opened, receiver, node.value)

    def _name(self, node: cst.Name) -> Type:
        if node.value in _CONSTANTS:
            return _CONSTANTS[node.value]
        known = self.scope.find(node.value)
        if known is None and node.value in BUILTIN_CLASSES:
            return class_of(Type(node.value))
        return known or UNKNOWN

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
        label = f".{node.attr.value}"
        opened = self.open_site("?", label, is_call=False)
        owner = self.infer(node.value)
        if owner.name == "module":
            self.close_site(opened, owner.args[0], None)
            module = owner.args[0].name
            if label[1:] in CLASSES.get(module, ()):
                return class_of(Type(label[1:]))
            known = function_result(module, label, (), {})
            return Type("function", (Type(f"{module}{label}"),)) if known == UNKNOWN else known
        self.close_site(opened, owner, node.value)
        return method_result(owner, label, ())

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
        left = self.infer(node.left)
        with self.doubtful():
            return join(left, self.infer(node.right))

    def _unary(self, node: cst.UnaryOperation) -> Type:
        symbol = SIGNS[type(node.operator).__name__]
        opened = self.open_site("?", symbol, is_call=False)
        type_ = self.infer(node.expression)
        self.close_site(opened, type_, node.expression)
        return BOOL if symbol == "not x" else unary_result(symbol[0], type_)

    def _comparison(self, node: cst.Comparison) -> Type:
        left = node.left
        for comparison in node.comparisons:
            right = comparison.comparator
            symbol = COMPARISONS[type(comparison.operator).__name__]
            self._operator(symbol, left, right, right if symbol.endswith("in") else left)
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
        plain, sliced = len(node.slice) == 1, is_slice(node)
        opened = self.open_site("?", "[:]" if sliced else "[]", is_call=False)
        receiver = self.infer(node.value)
        for item in node.slice:
            self._index(item)
        self.close_site(opened, receiver, node.value)
        if sliced:
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

    @contextmanager
    def _loops(self, loop: cst.CompFor) -> Iterator[None]:
        """The clauses of a comprehension, around what it does for each element."""
        layer: dict[str, Type] = {}
        self.bind_target(loop.target, element(self.infer(loop.iter)), layer)
        variable = looped_variable(loop.iter)
        known = variable is not None and self.scope.is_variable(variable) and not loop.ifs
        self.scope.targets.append(layer)
        with self.for_each(variable if known else None):
            for condition in loop.ifs:
                self.infer(condition.test)
            with self._loops(loop.inner_for_in) if loop.inner_for_in else nullcontext():
                yield
        self.scope.targets.pop()

    def _comprehension(self, node: cst.ListComp | cst.SetComp) -> Type:
        with self._loops(node.for_in):
            return self.infer(node.elt)

    def _generator(self, node: cst.GeneratorExp) -> Type:
        with self._loops(node.for_in), self.doubtful():
            return iterator_of(self.infer(node.elt))

    def _dict_comprehension(self, node: cst.DictComp) -> Type:
        with self._loops(node.for_in):
            return dict_of(self.infer(node.key), self.infer(node.value))

    def _conditional(self, node: cst.IfExp) -> Type:
        self.infer(node.test)
        with self.doubtful():
            return join(self.infer(node.body), self.infer(node.orelse))

    def _lambda(self, node: cst.Lambda) -> Type:
        self.lambda_result(node, ())
        return UNKNOWN

    def _walrus(self, node: cst.NamedExpr) -> Type:
        type_ = self.infer(node.value)
        self.bind_target(node.target, type_, None)
        return type_
