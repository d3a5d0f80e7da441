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


def statements(block: cst.CSTNode | Sequence[cst.CSTNode] | None) -> Sequence[cst.CSTNode]:
    """The statements inside a block, suite, ``else`` or ``finally`` part."""
    while block is not None and not isinstance(block, Sequence):
        block = getattr(block, "body", None)
    return block or ()


def literal_index(index: cst.BaseSlice) -> int | None:
    """The subscript as a number when it is an integer literal."""
    value = index.value if isinstance(index, cst.Index) else None
    sign = 1
    if isinstance(value, cst.UnaryOperation) and isinstance(value.operator, cst.Minus):
        value, sign = value.expression, -1
    if isinstance(value, cst.Integer):
        return sign * int(value.value, 0)
    return None
