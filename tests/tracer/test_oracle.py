"""The oracle itself, against expectations worked out by hand from the rules."""

from __future__ import annotations

import ast
import sys
from typing import Any

import oracle
import oracle_programs
import pytest

Trace = dict[str, Any]


def shown(trace: Trace) -> list[str]:
    """One line a step: line, `!` when not completed, activation, depth, changes."""
    lines = []
    for step in trace["steps"]:
        changes = [
            f"{c['op']} {c['name']}={c['value']}"
            if c["value"] is not None
            else f"{c['op']} {c['name']}"
            for c in step["changes"]
        ]
        mark = "" if step["completed"] else "!"
        place = f"{step['line']}{mark} a{step['activation']} d{step['depth']}"
        lines.append("; ".join([place, *changes]))
    return lines


def ends(trace: Trace) -> list[tuple[Any, ...]]:
    """Function, parent step, end, line of the end, value or exception of each activation."""
    lines = [s["line"] for s in trace["statements"]]
    return [
        (
            a["function"], a["parent_step"], a["end"],
            None if a["end_stmt"] is None else lines[a["end_stmt"]],
            a["value"] if a["end"] == "returned" else a["type"],
        )
        for a in trace["activations"]
    ]  # fmt: skip


PROGRAMS: dict[str, tuple[str, str, str]] = {}
EXPECTED: dict[str, list[str]] = {}
ENDS: dict[str, list[tuple[Any, ...]]] = {}


def program(name: str, source: str, args: str, steps: str, *activations: tuple[Any, ...]) -> None:
    """Add a program called as `f(args)` with the steps and activations that it must have."""
    PROGRAMS[name] = (source.lstrip("\n"), "f", args)
    EXPECTED[name] = [line.strip() for line in steps.strip().splitlines()]
    ENDS[name] = list(activations)


program(
    "calls in loops",
    """
def g(n):
    return n * 2
def f(xs):
    t = 0
    for x in xs:
        t += g(x)
    return t
""",
    "[1, 0]",
    """
    4 a0 d0; bind t=0
    5 a0 d0; bind x=1
    6 a0 d0; rebind t=2
    2 a1 d1
    5 a0 d0; rebind x=0
    6 a0 d0
    2 a2 d1
    5 a0 d0
    7 a0 d0
    """,
    ("f", None, "returned", 7, "2"), ("g", 2, "returned", 2, "2"), ("g", 5, "returned", 2, "0"),
)  # fmt: skip
program(
    "exceptions",
    """
def g(n, log):
    try:
        return 1 // n
    finally:
        log.append(n)
def f(n):
    log = []
    try:
        g(n, log)
    except ValueError:
        pass
    except ZeroDivisionError as e:
        log += ["caught"]
    return log
""",
    "0",
    """
    7 a0 d0; bind log=[]
    9! a0 d0; mutate log=[0]
    3! a1 d1
    5 a1 d1; mutate log=[0]
    10 a0 d0
    12 a0 d0; bind e=<ZeroDivisionError>
    13 a0 d0; implicit_delete e; mutate log=[0, 'caught']
    14 a0 d0
    """,
    ("f", None, "returned", 14, "[0, 'caught']"), ("g", 1, "raised", 3, "ZeroDivisionError"),
)  # fmt: skip
program(
    "return cancelled in finally",
    """
def f(n):
    for i in range(2):
        try:
            return i
        finally:
            if n: continue
    return 'end'
""",
    "1",
    """
    2 a0 d0; bind i=0
    4 a0 d0
    6 a0 d0
    6 a0 d0
    2 a0 d0; rebind i=1
    4 a0 d0
    6 a0 d0
    6 a0 d0
    2 a0 d0
    7 a0 d0
    """,
    ("f", None, "returned", 7, "'end'"),
)
program(
    "generators",
    """
def gen(log):
    try:
        yield 1
        yield 2
    finally:
        log.append('end')
def f():
    log = []
    g = gen(log)
    next(g)
    g.close()
    h = gen(log)
    a = next(h)
    a = next(h)
    return a
""",
    "",
    """
    8 a0 d0; bind log=[]
    9 a0 d0; bind g=<generator>
    10 a0 d0
    3! a1 d1
    11 a0 d0; mutate log=['end']
    6 a1 d1; mutate log=['end']
    12 a0 d0; bind h=<generator>
    13 a0 d0; bind a=1
    3 a2 d1
    14 a0 d0; rebind a=2
    4! a2 d1
    15 a0 d0
    """,
    ("f", None, "returned", 15, "2"), ("gen", 2, "closed", 6, None),
    ("gen", 7, "suspended", 4, None),
)  # fmt: skip
program(
    "delegation",
    """
def leaf():
    x = yield 1
    return x
def tree():
    y = yield from leaf()
    return [y]
def push(g):
    g.send('s')
def f():
    g = tree()
    next(g)
    try:
        push(g)
    except StopIteration as stop:
        return stop.value
""",
    "",
    """
    10 a0 d0; bind g=<generator>
    11 a0 d0
    5 a1 d1; bind y='s'
    2 a2 d2; bind x='s'
    13! a0 d0
    8! a3 d1
    3 a2 d3
    6 a1 d2
    14 a0 d0; bind stop=<StopIteration>
    15 a0 d0; implicit_delete stop
    """,
    ("f", None, "returned", 15, "['s']"), ("tree", 1, "returned", 6, "['s']"),
    ("leaf", 2, "returned", 3, "'s'"), ("push", 4, "raised", 8, "StopIteration"),
)  # fmt: skip
program(
    "with",
    """
class Room:
    def __enter__(self):
        return 7
    def __exit__(self, kind, value, trace):
        seen.append(kind is None)
        return True
seen = []
def f():
    with Room() as a, Room():
        a += 1
    with Room():
        raise KeyError
    return len(seen)
""",
    "",
    """
    9 a0 d0; bind a=7
    3 a1 d1
    3 a2 d1
    10 a0 d0; rebind a=8; mutate seen=[True, True]
    5 a3 d1; mutate seen=[True]
    6 a3 d1
    5 a4 d1; mutate seen=[True, True]
    6 a4 d1
    11 a0 d0
    3 a5 d1
    12! a0 d0; mutate seen=[True, True, False]
    5 a6 d1; mutate seen=[True, True, False]
    6 a6 d1
    13 a0 d0
    """,
    ("f", None, "returned", 13, "3"), ("Room.__enter__", 0, "returned", 3, "7"),
    ("Room.__enter__", 0, "returned", 3, "7"), ("Room.__exit__", 3, "returned", 6, "True"),
    ("Room.__exit__", 3, "returned", 6, "True"), ("Room.__enter__", 8, "returned", 3, "7"),
    ("Room.__exit__", 10, "returned", 6, "True"),
)  # fmt: skip
program(
    "match and class bodies",
    """
def f(v):
    match v:
        case [a, 0]:
            r = 1
        case [b, c] if b > c:
            r = 2
        case _:
            class K:
                n: int
                n = v
    return K.n
""",
    "(1, 2)",
    """
    2 a0 d0
    3 a0 d0
    5 a0 d0; bind b=1; bind c=2
    7 a0 d0
    8 a0 d0
    9 a1 d1
    10 a1 d1; bind n=(1, 2)
    11 a0 d0
    """,
    ("f", None, "returned", 11, "(1, 2)"), ("f.K", 4, "returned", 10, "None"),
)  # fmt: skip
program(
    "except star",
    """
def f():
    try:
        try:
            raise ExceptionGroup('g', [ValueError(1), KeyError(2)])
        except* TypeError:
            pass
        except* ValueError as e:
            n = len(e.exceptions)
    except ExceptionGroup:
        return n
""",
    "",
    """
    4! a0 d0
    5 a0 d0
    7 a0 d0; bind e=<ExceptionGroup>
    8 a0 d0; implicit_delete e; bind n=1
    9 a0 d0
    10 a0 d0
    """,
    ("f", None, "returned", 10, "1"),
)
program(
    "transparent scopes and library calls",
    """
def key(x):
    return -x
def f(xs):
    '''Text.'''
    ys = sorted((x for x in xs), key=lambda v: key(v))
    zs = [w := y for y in ys]
    ys = [2, 1]
    return zs
""",
    "[1, 2]",
    """
    5 a0 d0; bind ys=[2, 1]
    2 a1 d1
    2 a2 d1
    6 a0 d0; bind w=1; bind zs=[2, 1]
    7 a0 d0
    8 a0 d0
    """,
    ("f", None, "returned", 8, "[2, 1]"), ("key", 0, "returned", 2, "-1"),
    ("key", 0, "returned", 2, "-2"),
)  # fmt: skip
program(
    "visibility",
    """
k = 5
def f(a):
    b = a
    b.append(k)
    t = (a,)
    a += [0]
    t = len
    t = k
    del t, b
    global m
    m = {1}
    def g():
        nonlocal a
        a = m
    g()
    return g
""",
    "[]",
    """
    3 a0 d0; bind b=[]
    4 a0 d0; mutate a=[5]; mutate b=[5]
    5 a0 d0; bind t=([5],)
    6 a0 d0; mutate a=[5, 0]; mutate b=[5, 0]; mutate t=([5, 0],)
    7 a0 d0
    8 a0 d0; bind t=5
    9 a0 d0; delete b; delete t
    11 a0 d0; bind m={1}
    12 a0 d0
    15 a0 d0; rebind a={1}
    14 a1 d1; rebind a={1}
    16 a0 d0
    """,
    ("f", None, "returned", 16, "<function>"), ("f.g", 9, "returned", 14, "None"),
)  # fmt: skip


@pytest.fixture(scope="module")
def traces() -> dict[str, Trace]:
    """The traces of all programs, made in one child."""
    return dict(zip(PROGRAMS, oracle.trace_many(list(PROGRAMS.values())), strict=True))


@pytest.mark.parametrize("name", PROGRAMS)
def test_steps_are_those_worked_out_by_hand(name: str, traces: dict[str, Trace]) -> None:
    assert shown(traces[name]) == EXPECTED[name]


@pytest.mark.parametrize("name", PROGRAMS)
def test_activations_end_as_worked_out_by_hand(name: str, traces: dict[str, Trace]) -> None:
    assert ends(traces[name]) == ENDS[name]
    assert traces[name]["complete"]
    assert traces[name]["outcome"]["value"] == ENDS[name][0][-1]


def test_statements_are_numbered_in_preorder_with_handlers_and_cases() -> None:
    trace = oracle.trace(
        "@id\ndef f(x):\n    try: pass\n    except A: é = 1; b = 2\n    match x:\n"
        "        case 1:\n            pass\n",
        "f",
        "0",
    )
    rows = [tuple(row.values()) for row in trace["statements"]]
    assert rows == [
        (0, 2, 7, 0, "FunctionDef"), (1, 3, 4, 4, "Try"), (2, 3, 3, 9, "Pass"),
        (3, 4, 4, 4, "ExceptHandler"), (4, 4, 4, 14, "Assign"), (5, 4, 4, 22, "Assign"),
        (6, 5, 7, 4, "Match"), (7, 6, 7, 13, "match_case"), (8, 7, 7, 12, "Pass"),
    ]  # fmt: skip


def test_cut_trace_keeps_the_first_steps() -> None:
    source = (
        "def gen():\n    yield 1\ndef f():\n    g = gen()\n    next(g)\n    x = 1\n    return x\n"
    )
    cut = oracle.trace(source, "f", "", max_steps=4)
    assert shown(cut) == ["4 a0 d0; bind g=<generator>", "5 a0 d0", "2! a1 d1", "6! a0 d0"]
    assert ends(cut) == [("f", None, "running", None, None), ("gen", 1, "suspended", 2, None)]
    assert (cut["outcome"]["kind"], cut["complete"]) == ("step_limit", False)
    whole = oracle.trace(source, "f", "", max_steps=5)
    assert (whole["outcome"]["kind"], whole["complete"]) == ("returned", True)


@pytest.mark.parametrize(
    ("expression", "kind", "text"),
    [
        ("{'b', 'a'}", "set", "{'a', 'b'}"),
        ("{1, 'a', None, True}", "set", "{None, 1, 'a'}"),
        ("frozenset()", "frozenset", "frozenset()"),
        ("range(5)", "range", "range(0, 5)"),
        ("[float('-inf'), -0.0, ...]", "list", "[float('-inf'), -0.0, Ellipsis]"),
        ("complex(0, -1)", "complex", "complex(0.0, -1.0)"),
        ("complex(1, 2)", "complex", "(1+2j)"),
        ("bytearray(b'x')", "bytearray", "bytearray(b'x')"),
        ("collections.deque([1], 3)", "collections.deque", "collections.deque([1], maxlen=3)"),
        ("collections.Counter('aa')", "collections.Counter", "collections.Counter({'a': 2})"),
        ("collections.defaultdict(list, a=[])", "collections.defaultdict",
         "collections.defaultdict(list, {'a': []})"),
        ("collections.OrderedDict(a=1)", "collections.OrderedDict",
         "collections.OrderedDict([('a', 1)])"),
        ("Stack([4])", "Stack", "<Stack [4] a=1>"),
        ("Hue.RED", "Hue", "<Hue.RED>"),
        ("[len, int, {}.keys()]", "list", "[<builtin_function_or_method>, <type>, <dict_keys>]"),
        ("'x' * 998", "str", repr("x" * 998)),
        ("'x' * 999", "str", "too_large(999)"),
        ("10 ** 4300", "int", hex(10**4300)),
        ("-(10 ** 4299)", "int", "-1" + "0" * 4299),
        ("1 << 160_000", "int", "too_large(40001)"),
        ("[10 ** 4299]", "list", "too_large(1)"),
        ("again([1])", "list", "[1, <cycle>]"),
        ("object()", "object", "<object>"),
    ],
)  # fmt: skip
def test_values(expression: str, kind: str, text: str, values: dict[str, tuple[str, str]]) -> None:
    assert values[expression] == (kind, text)


@pytest.fixture(scope="module")
def values(request: pytest.FixtureRequest) -> dict[str, tuple[str, str]]:
    """Type and canonical text of every expression that a test of this module names."""
    marks = test_values.pytestmark  # type: ignore[attr-defined]
    expressions = [row[0] for row in marks[0].args[1]]
    source = (
        "import collections, enum\nclass Stack(list):\n    def __init__(self, xs):\n"
        "        super().__init__(xs); self.a = 1\n"
        "class Hue(enum.Enum):\n    RED = 1\ndef again(xs): xs.append(xs); return xs\n"
    )
    jobs = [(f"{source}def f(): return {e}\n", "f", "") for e in expressions]
    outcomes = [t["outcome"] for t in oracle.trace_many(jobs)]
    return {e: (o["type"], o["value"]) for e, o in zip(expressions, outcomes, strict=True)}


def test_module_code_is_traced_without_an_entry_point() -> None:
    trace = oracle.trace('"""Text."""\nx: int\nprint("hi")\nx = 1\n', None, "")
    assert shown(trace) == ["2 a0 d0", "3 a0 d0", "4 a0 d0; bind x=1"]
    assert ends(trace) == [("<module>", None, "returned", 4, "None")]
    assert trace["stdout"] == "hi\n"


def test_recursion_errors_leave_a_partial_trace() -> None:
    source = (
        "def f(n):\n    return f(n + 1)\ndef g():\n    try: f(0)\n    except RecursionError: pass\n"
    )
    left, caught = oracle.trace_many([(source, "f", "0"), (source, "g", "")])
    assert (left["outcome"]["kind"], left["outcome"]["type"]) == ("raised", "RecursionError")
    assert caught["outcome"]["kind"] == "depth_dependent"
    assert not left["complete"]
    assert not caught["complete"]
    assert [s["depth"] for s in left["steps"][:3]] == [0, 1, 2]


def test_compare_says_what_differs() -> None:
    one = oracle.trace("def f():\n    return 1\n", "f", "")
    two = oracle.trace("def f():\n    return 2\n", "f", "")
    assert oracle.compare(one, one) == []
    assert oracle.compare(one, two) == [
        "trace.outcome.value: expected '1', got '2'",
        "trace.activations[0].value: expected '1', got '2'",
    ]


def test_corpus_returns_what_plain_python_returns() -> None:
    cases = [c for c in oracle_programs.corpus() if c.needs <= sys.version_info[1]]
    assert len(cases) >= 60
    for case, trace in zip(cases, oracle.trace_many([c[1:5] for c in cases]), strict=True):
        expected = plain(case)
        if trace["outcome"]["kind"] == "returned" and expected is not None:
            assert trace["outcome"]["value"] == expected, case.name
        assert trace["steps"] or case.name.endswith("generator_as_result")


def plain(case: oracle_programs.Case) -> str | None:
    """The result of a call without any instrumentation, where its repr is its canonical text."""
    if case.entry_point is None or "step_limit" in case.name or "recursion" in case.name:
        return None
    space: dict[str, Any] = {"__name__": "plain_program"}
    try:
        exec(compile(case.source, case.name, "exec", dont_inherit=True), space)
        text = repr(eval(f"{case.entry_point}({case.args})", space))
        ast.literal_eval(text)
    except BaseException:
        return None
    text = text.replace("[...]", "<cycle>")
    return None if "{" in text and ":" not in text else text


def test_generated_programs_depend_on_the_seed_alone() -> None:
    one, two = oracle_programs.generate(1), oracle_programs.generate(2)
    assert one == oracle_programs.generate(1)
    assert one[0] != two[0]
    used = {c for seed in range(40) for c in oracle_programs.generate(seed)[3]}
    assert {"except*", "match", "finally", "nonlocal", "suspended", "with", "walrus"} <= used
    for seed in range(40):
        compile(oracle_programs.generate(seed)[0], "generated", "exec", dont_inherit=True)
