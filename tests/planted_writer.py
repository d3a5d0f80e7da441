"""What a model may reply that is asked for programs: good ones, and such as are refused."""

from __future__ import annotations

import re
from typing import Any

GOOD = """\
def {name}(first: str, second: str) -> str:
    size = len(first) + {number}
    joined = (first.upper() + second).upper()
    tail = joined * (size % 3 + 1)
    return tail + str(size)
"""
FLAT = GOOD.replace("(first.upper() + second).upper()", "first.upper() + second")
RAISING = GOOD.replace("size % 3", "size // 0")
CALLS = "{name}('ab', 'c')\n{name}('Mon', 'day')\n{name}('x', 'yz')\n"


def blocks(program: str, name: str, number: int) -> str:
    told = program.format(name=name, number=number)
    return f"Sure.\n```python\n{told}```\nand\n```python\n{CALLS.format(name=name)}```\n"


def write(body: dict[str, Any]) -> list[str]:
    """Good at once, without a block, flat at first, or raising for ever, by the draw's number."""
    told, *more = [each["content"] for each in body["messages"] if each["role"] == "user"]
    name = re.search(r"function `(\w+)`", told)[1]  # type: ignore[index]
    number = int(re.search(r"program (\d+) of", told)[1])  # type: ignore[index]
    again = "".join(more[:1])
    if number % 4 == 1 and "no block of Python" not in again:
        return ["I would rather not."]
    if number % 4 == 2 and "nested 1 deep, not 2" not in again:
        return [blocks(FLAT, name, number)]
    if number % 4 == 3:
        assert not again or "ZeroDivisionError" in again
        return [blocks(RAISING, name, number)]
    return [blocks(GOOD, name, number)]
