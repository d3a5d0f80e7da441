"""Compares what a solution gave with what is expected, outside of its process.

Source: own; the tolerance follows EvalPlus (https://arxiv.org/abs/2305.01210), except that it never
applies to ints.
"""

from __future__ import annotations

from collections import Counter, OrderedDict, defaultdict, deque
from math import isnan
from typing import Any

_SEQUENCES = (list, tuple, deque)
_JSON_LISTS = (list, tuple)
_DICTS = (dict, OrderedDict, Counter, defaultdict)


def matches(expected: Any, got: Any, atol: float = 0.0, *, json_sequences: bool = False) -> bool:
    """Whether two values, both plain data, are the same as Python's ``==`` sees it.

    Beyond it NaN equals NaN, two floats in the same place may differ by ``atol``, and with
    ``json_sequences`` a tuple is the same as a list.
    """
    todo = [(expected, got)]
    while todo:
        left, right = todo.pop()
        if type(left) is float and type(right) is float:
            if (
                left != right
                and not abs(left - right) <= atol
                and not (isnan(left) and isnan(right))
            ):
                return False
        elif isinstance(left, _SEQUENCES) and (
            type(left) is type(right)
            or (json_sequences and isinstance(left, _JSON_LISTS) and isinstance(right, _JSON_LISTS))
        ):
            if len(left) != len(right):
                return False
            todo.extend(zip(left, right, strict=True))
        elif isinstance(left, _DICTS) and isinstance(right, _DICTS):
            if len(left) != len(right) or any(key not in right for key in left):
                return False
            if isinstance(left, OrderedDict) and isinstance(right, OrderedDict):
                todo.extend(zip(left, right, strict=True))
            todo.extend((value, right[key]) for key, value in left.items())
        elif left != right:
            return False
    return True


def same_output(expected: str, printed: str) -> bool:
    """Whether two texts have the same lines, but for blanks at the end of lines and of the text."""
    return _lines(expected) == _lines(printed)


def _lines(text: str) -> list[str]:
    lines = [line.rstrip() for line in text.replace("\r\n", "\n").split("\n")]
    while lines and not lines[-1]:
        lines.pop()
    return lines
