"""Which rows to train on: ``level <= 4 and task == "io_mixed"``.

Names are columns, everything else is a literal; comparisons, ``in``, ``and``, ``or``, ``not``. A
condition is parsed and interpreted, never run. As in SQL, a comparison with a null is neither
true nor false, and its row is left out; ask for nulls with ``is None``.

Source: own.
"""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from trainer.errors import TrainingError

MAX_CHARACTERS = 2_000
"""Of a condition: it is written by hand."""
_COMPARE: dict[type[ast.cmpop], Callable[[Any, Any], bool]] = {
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.In: lambda one, many: one in many,
    ast.NotIn: lambda one, many: one not in many,
}


@dataclass(frozen=True, slots=True)
class Condition:
    """A condition on rows."""

    text: str
    columns: tuple[str, ...]
    """Columns that it reads, sorted."""
    tree: ast.expr

    def holds(self, row: Mapping[str, Any]) -> bool:
        """Whether the row meets it.

        Raises:
            TrainingError: Values are compared that have no order, as a number and a text.
        """
        try:
            return _truth(self.tree, row) is True
        except TypeError as error:
            raise TrainingError(f"--filter {self.text!r}: {error}") from error


def parse_condition(text: str, columns: Sequence[str]) -> Condition:
    """Read a condition.

    Args:
        text: As written by the user.
        columns: Columns that there are.

    Raises:
        TrainingError: It can't be read, or names a column that there is not.
    """
    try:
        if len(text) > MAX_CHARACTERS:
            raise ValueError(f"longer than {MAX_CHARACTERS} characters")
        tree = ast.parse(text.strip(), mode="eval").body
        _check_truth(tree)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        reason = error.msg if isinstance(error, SyntaxError) else str(error)
        raise TrainingError(
            f"--filter {text[:200]!r} can't be read ({reason}); write it as "
            "'level <= 4 and task == \"io_mixed\"'"
        ) from error
    named = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    unknown = sorted(named - set(columns))
    if unknown:
        raise TrainingError(
            f"--filter {text!r}: no column {unknown[0]!r}; there are: {', '.join(columns)}"
        )
    return Condition(text, tuple(sorted(named)), tree)


def _check_truth(node: ast.expr) -> None:
    """See that a node is true or false: a comparison, or a combination of such."""
    if isinstance(node, ast.BoolOp):
        for part in node.values:
            _check_truth(part)
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        _check_truth(node.operand)
    elif isinstance(node, ast.Compare):
        _check_value(node.left, many=False)
        for test, right in zip(node.ops, node.comparators, strict=True):
            _check_test(test, right)
    else:
        raise ValueError(f"{ast.unparse(node)} is no comparison")


def _check_test(test: ast.cmpop, right: ast.expr) -> None:
    none = isinstance(right, ast.Constant) and right.value is None
    if isinstance(test, ast.Is | ast.IsNot):
        if not none:
            raise ValueError("`is` takes None alone")
    elif none:
        raise ValueError("compare with None by `is`")
    else:
        _check_value(right, many=isinstance(test, ast.In | ast.NotIn))


def _check_value(node: ast.expr, *, many: bool) -> None:
    """See that a node is a column, or a literal: a list of such, or a number or text."""
    if isinstance(node, ast.Name):
        return
    try:
        value = ast.literal_eval(node)
    except (ValueError, TypeError) as error:
        raise ValueError(f"{ast.unparse(node)} is neither a column nor a literal") from error
    if not isinstance(value, list | tuple | set if many else str | int | float):
        expected = "a list, as [1, 2]" if many else "a number or a text"
        raise ValueError(f"{ast.unparse(node)} is not {expected}")


def _truth(node: ast.expr, row: Mapping[str, Any]) -> bool | None:
    """True, false, or unknown because of a null."""
    if isinstance(node, ast.BoolOp):
        parts = [_truth(part, row) for part in node.values]
        decides = isinstance(node.op, ast.Or)
        return decides if decides in parts else None if None in parts else not decides
    if isinstance(node, ast.UnaryOp):
        inner = _truth(node.operand, row)
        return None if inner is None else not inner
    assert isinstance(node, ast.Compare), "checked by parse_condition"
    found: bool | None = True
    left = _value(node.left, row)
    for test, comparator in zip(node.ops, node.comparators, strict=True):
        right = _value(comparator, row)
        if isinstance(test, ast.Is | ast.IsNot):
            met: bool | None = (left is None) is isinstance(test, ast.Is)
        elif left is None or right is None:
            met = None
        else:
            met = _COMPARE[type(test)](left, right)
        if met is False:
            return False
        found = found and met
        left = right
    return found


def _value(node: ast.expr, row: Mapping[str, Any]) -> Any:
    return row[node.id] if isinstance(node, ast.Name) else ast.literal_eval(node)
