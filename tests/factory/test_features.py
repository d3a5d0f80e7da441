# ruff: noqa: E501 - test programs read best on one line
from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest
from feature_oracle import features_seen

from factory.constraints import check_dynamic, check_static
from factory.constraints.outline import bound_names, read_names, read_outline
from factory.grid import FEATURES, LEVELS, PAPER_LEVELS
from factory.records import Constraint
from tracer.records import Call, Program
from tracer.runner import Runner

TARGET = "    size = len(str(len(str(n))))\n"
PLAIN = Constraint("int", "str()", 2, (), (), False, 1)
"""What every program here keeps beside its feature: ``str(len(str(n)))``."""

GOOD: dict[str, tuple[str, tuple[str, ...]]] = {
    "comprehensions": (
        "def f(n: int, xs: list[int]) -> int:\n"
        + TARGET
        + "    kept = [x for x in xs if x > n]\n    return size + len(kept)\n",
        ("1, [1, 2, 3]", "2, [5, 6]"),
    ),
    "aliasing": (
        "def f(n: int, xs: list[int]) -> list[int]:\n"
        + TARGET
        + "    ys = xs\n    ys.append(size)\n    return xs\n",
        ("1, [1]",),
    ),
    "recursion": (
        "def g(n: int) -> int:\n    return 0 if n < 1 else 1 + g(n - 1)\n\n\ndef f(n: int) -> int:\n"
        + TARGET
        + "    return g(n) + size\n",
        ("3",),
    ),
    "exceptions": (
        "def f(n: int) -> int:\n"
        + TARGET
        + "    try:\n        size += 6 // n\n    except ZeroDivisionError:\n        size -= 1\n    return size\n",
        ("0", "2"),
    ),
    "closures": (
        "def f(n: int) -> int:\n"
        + TARGET
        + "    def more(k: int) -> int:\n        nonlocal size\n        size += k\n        return size\n\n    more(1)\n    return more(n)\n",
        ("3",),
    ),
    "generators": (
        "def g(n: int):\n    for i in range(n):\n        yield i * n\n\n\ndef f(n: int) -> int:\n"
        + TARGET
        + "    return sum(g(n)) + size\n",
        ("3",),
    ),
    "classes": (
        "class Box:\n    def __init__(self) -> None:\n        self.n = 0\n\n    def add(self, k: int) -> int:\n        self.n += k\n        return self.n\n\n\ndef f(n: int) -> int:\n"
        + TARGET
        + "    box = Box()\n    box.add(size)\n    return box.add(n)\n",
        ("3",),
    ),
}
FALSE: dict[str, tuple[str, str, str]] = {
    "comprehension that only copies": (
        "comprehensions",
        "def f(n: int, xs: list[int]) -> int:\n"
        + TARGET
        + "    kept = [x for x in xs]\n    return size + len(kept)\n",
        "no variable holds a comprehension",
    ),
    "comprehension in a string": (
        "comprehensions",
        "def f(n: int) -> str:\n"
        + TARGET
        + "    kept = '[x for x in xs if x]'\n    return kept * size\n",
        "no variable holds a comprehension",
    ),
    "comprehension that nobody reaches": (
        "comprehensions",
        "def g(xs: list[int]) -> list[int]:\n    kept = [x for x in xs if x]\n    return kept\n\n\ndef f(n: int) -> int:\n"
        + TARGET
        + "    return size\n",
        "no variable holds a comprehension",
    ),
    "changed, but under one name": (
        "aliasing",
        "def f(n: int, xs: list[int]) -> list[int]:\n"
        + TARGET
        + "    ys = list(xs)\n    ys.append(size)\n    return ys\n",
        "no other name can refer to its object",
    ),
    "two names, but nothing changed": (
        "aliasing",
        "def f(n: int, xs: list[int]) -> list[int]:\n"
        + TARGET
        + "    ys = xs\n    return ys[size:]\n",
        "no object is changed in place",
    ),
    "a helper of the same name as its caller's variable": (
        "recursion",
        "def g(n: int) -> int:\n    g = abs\n    return g(n - 1)\n\n\ndef f(n: int) -> int:\n"
        + TARGET
        + "    return g(n) + size\n",
        "calls itself",
    ),
    "recursion that nobody reaches": (
        "recursion",
        "def g(n: int) -> int:\n    return 0 if n < 1 else g(n - 1)\n\n\ndef f(n: int) -> int:\n"
        + TARGET
        + "    return size\n",
        "calls itself",
    ),
    "try without a handler": (
        "exceptions",
        "def f(n: int) -> int:\n"
        + TARGET
        + "    try:\n        size += n\n    finally:\n        size += 1\n    return size\n",
        "handles a known exception",
    ),
    "shadowed exception": (
        "exceptions",
        "def f(n: int) -> int:\n"
        + TARGET
        + "    ValueError = KeyError\n    try:\n        size += n\n    except ValueError:\n        size += 1\n    return size\n",
        "handles a known exception",
    ),
    "handler of no exception": (
        "exceptions",
        "class Oops:\n    pass\n\n\ndef f(n: int) -> int:\n"
        + TARGET
        + "    try:\n        size += n\n    except Oops:\n        size += 1\n    return size\n",
        "handles a known exception",
    ),
    "inner function with names of its own": (
        "closures",
        "def f(n: int) -> int:\n"
        + TARGET
        + "    def more(size: int) -> int:\n        size += 1\n        return size\n\n    return more(n) + size\n",
        "no inner function uses a variable",
    ),
    "comprehension variable of the inner function": (
        "closures",
        "def f(n: int) -> int:\n"
        + TARGET
        + "    def more(xs: list[int]) -> int:\n        return sum([size for size in xs])\n\n    return more([n]) + size\n",
        "no inner function uses a variable",
    ),
    "yield of another function": (
        "generators",
        "def g(n: int):\n    yield n\n\n\ndef f(n: int) -> int:\n" + TARGET + "    return size\n",
        "has a yield",
    ),
    "yield in a nested function only": (
        "generators",
        "def f(n: int) -> int:\n" + TARGET + "    def g():\n        yield n\n\n    return size\n",
        "has a yield",
    ),
    "class that nobody makes": (
        "classes",
        "class Box:\n    def add(self, k: int) -> int:\n        return k\n\n\ndef f(n: int) -> int:\n"
        + TARGET
        + "    return size\n",
        "no class with methods is instantiated",
    ),
    "class without methods": (
        "classes",
        "class Box:\n    def __init__(self) -> None:\n        self.n = 1\n\n\ndef f(n: int) -> int:\n"
        + TARGET
        + "    return Box().n + size\n",
        "no class with methods is instantiated",
    ),
}
NOT_SHOWN: dict[str, tuple[str, tuple[str, ...], str]] = {
    "comprehensions: one element": ("comprehensions", ("9, [1, 20]", "9, [1]"), "2 elements"),
    "comprehensions: always the same": (
        "comprehensions",
        ("1, [5, 6]", "2, [5, 6]"),
        "the same for every input",
    ),
    "recursion: two deep": ("recursion", ("1",), "2 activations"),
    "exceptions: never raised": ("exceptions", ("2", "3"), "no handler is ever entered"),
    "exceptions: always raised": ("exceptions", ("0",), "never passes"),
    "generators: resumed once": ("generators", ("1",), "at most 1 times"),
}


@pytest.fixture(scope="module")
def runner() -> Iterator[Runner]:
    with Runner() as runner:
        yield runner


def claim(feature: str, source: str) -> Constraint:
    """A level of the feature, with whatever control flow the program has."""
    from factory.constraints.analysis import analyse
    from factory.constraints.control_flow import deepest_nest

    flow = deepest_nest(analyse(Program(source, "f")))
    return replace(PLAIN, feature=feature, control_flow=flow)


def unproved(source: str, constraint: Constraint, calls: tuple[str, ...], runner: Runner) -> str:
    traces = [runner.run(Program(source, "f"), Call(args)) for args in calls]
    assert all(trace.outcome.kind == "returned" for trace in traces), traces[0].outcome
    found = check_dynamic(traces, constraint)
    return "; ".join(each.reason for each in found if each.constraint == constraint.feature)


def test_levels_and_features_go_together() -> None:
    assert set(GOOD) == set(FEATURES.values())
    assert LEVELS == tuple(range(1, len(LEVELS) + 1))
    assert len(LEVELS) == len(PAPER_LEVELS) + len(FEATURES)


@pytest.mark.parametrize("feature", GOOD)
def test_a_true_claim_holds_on_text_and_trace(feature: str, runner: Runner) -> None:
    source, calls = GOOD[feature]
    constraint = claim(feature, source)
    assert check_static(Program(source, "f"), constraint) == ()
    assert not unproved(source, constraint, calls, runner)
    assert feature in features_seen(source, "f", calls)


@pytest.mark.parametrize("feature", GOOD)
def test_no_other_feature_is_found_in_it(feature: str) -> None:
    source, calls = GOOD[feature]
    seen = features_seen(source, "f", calls)
    for other in GOOD:
        broken = check_static(Program(source, "f"), claim(other, source))
        assert bool(broken) == (other != feature), other
        assert (other in seen) == (other == feature)


@pytest.mark.parametrize("name", FALSE)
def test_a_false_claim_is_found_in_the_text(name: str) -> None:
    feature, source, reason = FALSE[name]
    broken = check_static(Program(source, "f"), claim(feature, source))
    assert [each.constraint for each in broken] == [feature]
    assert reason in broken[0].reason


@pytest.mark.parametrize("name", NOT_SHOWN)
def test_a_claim_that_no_run_shows_is_found_in_the_traces(name: str, runner: Runner) -> None:
    feature, calls, reason = NOT_SHOWN[name]
    source = GOOD[feature][0]
    assert reason in unproved(source, claim(feature, source), calls, runner)


def test_aliasing_needs_a_change_that_another_name_sees(runner: Runner) -> None:
    source = (
        "def f(n: int, xs: list[int]) -> list[int]:\n"
        + TARGET
        + "    ys = xs\n    if n > 1:\n        ys.append(size)\n    return xs\n"
    )
    constraint = claim("aliasing", source)
    assert check_static(Program(source, "f"), constraint) == ()
    assert "through another name" in unproved(source, constraint, ("1, [1]",), runner)
    assert not unproved(source, constraint, ("2, [1]",), runner)


def test_aliasing_through_a_helper(runner: Runner) -> None:
    source = (
        "def g(xs: list[int], k: int) -> None:\n    xs.append(k)\n\n\ndef f(n: int) -> list[int]:\n"
        + TARGET
        + "    rows = [size]\n    g(rows, n)\n    return rows\n"
    )
    constraint = claim("aliasing", source)
    assert check_static(Program(source, "f"), constraint) == ()
    assert not unproved(source, constraint, ("4",), runner)


def test_closures_that_find_the_same_are_none(runner: Runner) -> None:
    source = (
        "def f(n: int) -> int:\n"
        + TARGET
        + "    def more(k: int) -> int:\n        return k + size\n\n    return more(1) + more(2)\n"
    )
    constraint = claim("closures", source)
    assert check_static(Program(source, "f"), constraint) == ()
    assert "different values" in unproved(source, constraint, ("4",), runner)


def test_methods_that_run_once_are_not_enough(runner: Runner) -> None:
    source = GOOD["classes"][0].replace("    box.add(size)\n", "")
    constraint = claim("classes", source)
    assert "at most 1 times" in unproved(source, constraint, ("4",), runner)


def test_exceptions_handled_through_a_class_of_the_program(runner: Runner) -> None:
    source = (
        "class Low(ValueError):\n    pass\n\n\ndef g(n: int) -> int:\n    if n < 2:\n        raise Low(n)\n    return n\n\n\ndef f(n: int) -> int:\n"
        + TARGET
        + "    try:\n        size += g(n)\n    except Low as error:\n        size += len(str(error))\n    return size\n"
    )
    constraint = claim("exceptions", source)
    assert check_static(Program(source, "f"), constraint) == ()
    assert not unproved(source, constraint, ("1", "5"), runner)


def test_names_of_a_function_are_told_by_scope() -> None:
    source = "def f(a, *b, c=1, **d):\n    e = [g for g in a]\n    for h, (i, j) in b:\n        pass\n    with c as k:\n        import l.m\n    def n(o):\n        p = 1\n    global q\n    q = s.t(u=v)\n    return e\n"
    function = read_outline(Program(source, "f")).functions["f"]
    assert bound_names(function) == frozenset("abcdehijkln")
    assert {"a", "b", "c", "s", "v", "e"} <= read_names(function.body)
    assert not {"t", "u"} & read_names(function.body)
