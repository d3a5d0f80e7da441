"""The counts of constructs that the differential test prints."""

from __future__ import annotations

import pytest
from constructs import constructs_of

from tracer import Call, Program, run

EXCEPT = "def f(n):\n    try:\n        1 // n\n    except{star} ZeroDivisionError:\n        n = 1\n"


@pytest.mark.parametrize(
    ("source", "args", "expected"),
    [
        (EXCEPT.format(star=""), "0", {"except"}),
        (EXCEPT.format(star=""), "1", set()),
        (EXCEPT.format(star="*"), "0", {"except*"}),
        ("def f(n):\n    try:\n        return n\n    finally:\n        n = 2\n", "1", {"finally"}),
        ("def f(n):\n    match n:\n        case 2: return 1\n", "1", {"match"}),
        ("def f(n):\n    return n and f(n - 1)\n", "2", {"recursion"}),
        ("def f(n):\n    return n and f(n - 1)\n", "0", set()),
        ("def f(a):\n    b = a\n    b.append(1)\n", "[]", {"aliasing"}),
        (
            "def g():\n    yield 1\n    yield 2\ndef f():\n    for x in g(): break\n",
            "",
            {"generator", "generator closed early"},
        ),
        ("def g():\n    yield 1\ndef f():\n    return list(g())\n", "", {"generator"}),
        ("def f(n):\n    def g():\n        return n\n    return g()\n", "1", {"closure"}),
        ("def f(n):\n    class A:\n        x = 1\n    return A.x\n", "1", {"class body"}),
        ("def f(n):\n    return [][n]\n", "1", {"raise"}),
    ],
)
def test_what_ran_is_counted(source: str, args: str, expected: set[str]) -> None:
    assert constructs_of(run(Program(source, "f"), Call(args))) == expected
