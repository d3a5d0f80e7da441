"""Readers of libcst syntax that several parts of the checker need."""

from __future__ import annotations

from collections.abc import Sequence

import libcst as cst  # noqa: TID253 - this module is only imported inside functions

OPERATORS = {
    "Add": "+",
    "Subtract": "-",
    "Multiply": "*",
    "Divide": "/",
    "FloorDivide": "//",
    "Modulo": "%",
    "Power": "**",
    "LeftShift": "<<",
    "RightShift": ">>",
    "BitAnd": "&",
    "BitOr": "|",
    "BitXor": "^",
    "MatrixMultiply": "@",
}
"""Symbol of each libcst operator node, by class name."""

COMPARISONS = {
    "Equal": "==",
    "NotEqual": "!=",
    "LessThan": "<",
    "LessThanEqual": "<=",
    "GreaterThan": ">",
    "GreaterThanEqual": ">=",
    "In": "in",
    "NotIn": "not in",
    "Is": "is",
    "IsNot": "is not",
}
"""Symbol of each libcst comparison node, by class name."""
SIGNS = {"Minus": "-x", "Plus": "+x", "BitInvert": "~x", "Not": "not x"}
"""Label of each libcst sign, by class name."""


def is_slice(node: cst.Subscript) -> bool:
    """Whether a subscript is one slice."""
    return len(node.slice) == 1 and isinstance(node.slice[0].slice, cst.Slice)


def statements(block: cst.CSTNode | Sequence[cst.CSTNode] | None) -> Sequence[cst.CSTNode]:
    """The statements inside a block, suite, ``else`` or ``finally`` part."""
    while block is not None and not isinstance(block, Sequence):
        block = getattr(block, "body", None)
    return block or ()


_KEEPS_SIZE = {"sorted", "reversed", "list", "tuple", "set", "enumerate"}
_VIEWS = {"items", "keys", "values"}


def looped_variable(source: cst.BaseExpression) -> str | None:
    """The variable that must hold something for a loop over ``source`` to do something."""
    if isinstance(source, cst.Call) and isinstance(source.func, cst.Attribute):
        plain = source.func.attr.value in _VIEWS and not source.args
        return looped_variable(source.func.value) if plain else None
    if isinstance(source, cst.Call) and isinstance(source.func, cst.Name) and source.args:
        plain = source.func.value in _KEEPS_SIZE and not source.args[0].star
        return looped_variable(source.args[0].value) if plain else None
    return source.value if isinstance(source, cst.Name) else None


def literal_index(index: cst.BaseSlice) -> int | None:
    """The subscript as a number when it is an integer literal."""
    value = index.value if isinstance(index, cst.Index) else None
    sign = 1
    if isinstance(value, cst.UnaryOperation) and isinstance(value.operator, cst.Minus):
        value, sign = value.expression, -1
    if isinstance(value, cst.Integer):
        return sign * int(value.value, 0)
    return None
