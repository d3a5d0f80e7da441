"""What the tests of the question kinds share: programs, and all that may be asked of a trace."""

from __future__ import annotations

from dataclasses import replace
from textwrap import dedent

from tracer.derivation import derive
from tracer.records import Call, Program, Trace
from tracer.runner import Runner

KINDS = ("executed", "branch", "loop_count", "call_stack", "alias", "exception")
YES_NO = ("executed", "branch", "alias")
SEARCH = """
def last(xs):
    while xs:
        x = xs.pop()
        if x > 2:
            return x
        elif x < 0:
            raise ValueError("negative")
    return None

def never():
    return 1

def f(a, b):
    try:
        found = last(a)
    except ValueError:
        found = last(b)
    if found is None:
        found = 0
    else:
        found += 1
    return found
"""
ALIASES = """
def add(xs, x):
    xs.append(x)

def f(xs):
    ys = xs
    zs = xs[:]
    box = [xs]
    ys.append(1)
    zs += [1]
    add(xs, 2)
    ys[0] = 5
    ws = list(ys)
    del ws[0]
    n = xs.pop()
    return xs, zs, ws, box
"""


def trace(runner: Runner, source: str, args: str = "", entry: str | None = "f") -> Trace:
    return runner.run(Program(dedent(source).lstrip("\n"), entry), Call(args))


def ask(seen: Trace, kind: str) -> dict[tuple[object, ...], str]:
    """Every question that may be asked, by line, occurrence and variable; other arguments would
    choose others of them."""
    found: dict[tuple[object, ...], str] = {}
    for seed in range(40):
        for each in derive(replace(seen, args=f"{seed}"), [kind], limit=100):
            place = (each.line, each.occurrence, each.variable)
            place = tuple(part for part in place if part is not None)
            assert found.setdefault(place, each.key) == each.key
    return found
