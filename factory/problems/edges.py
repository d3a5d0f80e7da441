"""Calls at the edges of a program: an argument takes a value that the program compares with.

Source: own; boundary values are the oldest advice on testing.
"""

from __future__ import annotations

import ast
import random
from collections.abc import Iterator

from tracer.literals import NotFaithful, from_node
from tracer.values import canonical

_MAX_CONSTANTS = 12


def edge_calls(tree: ast.Module, args: str, rng: random.Random, count: int) -> tuple[str, ...]:
    """Up to ``count`` argument lists, each like ``args`` save for one number or text.

    Args:
        tree: The program; its numbers and texts are tried, and the numbers beside them.
        args: Arguments that make sense; nothing comes of any that are no literals.
        rng: Draws which are tried.
        count: How many at most.
    """
    try:
        call = ast.parse(f"f({args})", mode="eval").body
        assert isinstance(call, ast.Call)
        values = [from_node(node) for node in call.args]
    except (SyntaxError, ValueError, NotFaithful):
        return ()
    if call.keywords:
        return ()
    numbers, texts = _constants(tree)
    found = [
        ", ".join(canonical(new if place == own else old) for own, old in enumerate(values))
        for place, value in enumerate(values)
        for new in _others(value, numbers, texts)
        if new != value
    ]
    unique = list(dict.fromkeys(found))
    return tuple(rng.sample(unique, min(count, len(unique))))


def _others(value: object, numbers: list[int], texts: list[str]) -> Iterator[object]:
    if type(value) is int:
        for number in numbers:
            yield from (number - 1, number, number + 1)
    elif type(value) is str:
        for text in texts:
            yield from (text, f"{value}{text}", f"{text}{value}")


def _constants(tree: ast.Module) -> tuple[list[int], list[str]]:
    found = [node.value for node in ast.walk(tree) if isinstance(node, ast.Constant)]
    numbers = sorted({each for each in found if type(each) is int and abs(each) < 10_000})
    texts = sorted({each for each in found if type(each) is str and 0 < len(each) < 40})
    return numbers[:_MAX_CONSTANTS], texts[:_MAX_CONSTANTS]
