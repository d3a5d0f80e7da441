"""Programs on which other tracers went wrong, with the right values, on every interpreter found.

Sources: public bug reports; each test names its own. Several more are in ``test_steps.py``.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from textwrap import dedent

import pytest
from expect import show, show_ends
from interpreters import find_interpreters

from tracer.derivation import derive
from tracer.records import Call, Program, Trace
from tracer.runner import Runner
from tracer.serialization import trace_to_dict


@pytest.fixture(scope="module", params=list(find_interpreters().items()), ids=lambda item: item[0])
def runner(request: pytest.FixtureRequest) -> Iterator[Runner]:
    with Runner(python=request.param[1]) as made:
        yield made


def trace(runner: Runner, source: str, args: str = "", entry: str | None = "f") -> Trace:
    return runner.run(Program(dedent(source).lstrip("\n"), entry), Call(args))


def lines(seen: Trace, activation: int | None = None) -> list[int]:
    return [s.line for s in seen.steps if activation in (None, s.activation)]


def test_none_by_return_or_by_raise(runner: Runner) -> None:
    """Source: cool-RR/PySnooper#260."""
    seen = trace(
        runner,
        """
        def quiet(x):
            if x > 0:
                return
            y = x

        def loud(x):
            return 1 // x

        def f():
            out = []
            out.append(quiet(1))
            out.append(quiet(0))
            try:
                out.append(loud(0))
            except ZeroDivisionError as e:
                out.append(type(e).__name__)
            return out
        """,
    )
    assert seen.outcome.value == "[None, None, 'ZeroDivisionError']"
    assert show_ends(seen) == [
        "f@17 returned list [None, None, 'ZeroDivisionError']",
        "quiet@3 returned NoneType None",
        "quiet@4 returned NoneType None",
        "loud@7 raised ZeroDivisionError",
    ]


def test_one_line_def_and_lambda(runner: Runner) -> None:
    """Source: python/cpython#155992."""
    seen = trace(
        runner,
        """
        def double(x): return x * 2
        half = lambda x: x // 2
        def f(a): b = double(a); c = half(b); return b + c
        """,
        "5",
    )
    assert seen.outcome.value == "15"
    assert show(seen) == ["a0 3 b=10", "a1 1", "a0 3 c=5", "a0 3"]
    asked = derive(seen)
    assert {q.kind for q in asked} == {"output", "input"}


def test_finally_is_visited_once(runner: Runner) -> None:
    """Source: python/cpython#105658."""
    source = """
        def f(fail, flag):
            log = []
            try:
                try:
                    if fail:
                        raise KeyError("k")
                    log.append("body")
                finally:
                    if flag:
                        log.append("cleanup")
            except KeyError:
                log.append("handled")
            return log
        """
    assert lines(trace(runner, source, "True, True")) == [2, 5, 6, 9, 10, 11, 12, 13]
    assert lines(trace(runner, source, "True, False")) == [2, 5, 6, 9, 11, 12, 13]
    assert lines(trace(runner, source, "False, True")) == [2, 5, 7, 9, 10, 13]


def test_generator_left_early_raises_nothing(runner: Runner) -> None:
    """Source: python/cpython#113728."""
    seen = trace(
        runner,
        """
        def gen():
            yield 3
            yield 4

        def f():
            g = gen()
            first = next(g)
            return first
        """,
    )
    assert seen.outcome.value == "3"
    assert show_ends(seen) == ["f@8 returned int 3", "gen@2 suspended"]
    assert 3 not in lines(seen)


def test_resume_is_not_a_call(runner: Runner) -> None:
    """Source: alexmojaki/snoop#56."""
    seen = trace(
        runner,
        """
        def countdown(n):
            while n > 0:
                yield n
                n -= 1

        def f():
            out = []
            for v in countdown(3):
                out.append(v * 10)
            return out
        """,
    )
    assert seen.outcome.value == "[30, 20, 10]"
    assert [a.function for a in seen.activations] == ["f", "countdown"]
    assert [s.changes[0].value for s in seen.steps if s.line == 4] == ["2", "1", "0"]
    assert max(s.depth for s in seen.steps) == 1


def test_comprehension_name_equals_global(runner: Runner) -> None:
    """Source: microsoft/debugpy#1849."""
    seen = trace(
        runner,
        """
        word = "keep"
        sizes = {word: len(word) for word in ("a", "bcd")}
        again = word
        pairs = [(word, n) for word, n in sizes.items() if n > 1]
        last = word + str(len(pairs))
        """,
        entry=None,
    )
    assert show(seen) == [
        "a0 1 word='keep'",
        "a0 2 sizes={'a': 1, 'bcd': 3}",
        "a0 3 again='keep'",
        "a0 4 pairs=[('bcd', 3)]",
        "a0 5 last='keep1'",
    ]


def test_repr_that_raises_is_never_called(runner: Runner) -> None:
    """Source: getsentry/sentry#32421, python/cpython#83409."""
    seen = trace(
        runner,
        """
        class Broken:
            def __init__(self):
                self.ready = False
            def __repr__(self):
                raise RuntimeError("not ready")

        class Half(Broken):
            def __init__(self):
                print(len(vars(self)))
                super().__init__()
            def __repr__(self):
                return "Half(%s)" % self.ready

        def f():
            a = 1
            b = Broken()
            h = Half()
            c = [b, 3]
            d = a + len(c)
            return d
        """,
    )
    assert (seen.outcome.value, seen.stdout) == ("3", "0\n")
    changes = {s.line: s.changes for s in seen.steps if s.activation == 0}
    assert changes[16][0].value == "<Broken ready=False>"
    assert changes[18][0].value == "[<Broken ready=False>, 3]"
    asked = {q.variable for q in derive(seen) if q.variable}
    assert asked <= {"a", "d"}


def test_repr_and_eq_of_the_program_run_only_when_it_runs_them(runner: Runner) -> None:
    """Source: alexmojaki/birdseye#55."""
    seen = trace(
        runner,
        """
        class P:
            def __init__(self, x):
                self.x = x
            def __repr__(self):
                text = "P(%d)" % self.x
                return text
            def __eq__(self, o):
                same = self.x == o.x
                return same

        def f():
            p = P(1)
            q = P(1)
            same = p == q
            return same
        """,
    )
    assert lines(seen) == [12, 3, 13, 3, 14, 8, 9, 15]


def test_huge_and_endless_repr(runner: Runner) -> None:
    """Source: gaogaotiantian/viztracer#461, microsoft/debugpy#657."""
    seen = trace(
        runner,
        """
        class Slow:
            def __repr__(self):
                while True:
                    pass

        def f(n):
            big = list(range(n))
            s = Slow()
            nest = []
            for i in range(3):
                nest = [nest, nest]
            big[0] = -1
            return len(big), big[-1], nest
        """,
        "1_000_000",
    )
    nest = "[[[[], []], [[], []]], [[[], []], [[], []]]]"
    assert seen.outcome.value == f"(1000000, 999999, {nest})"
    assert show(seen)[0] == "a0 7 big=too_large(1000000)"
    assert len(json.dumps(trace_to_dict(seen))) < 20_000
    assert not {"big", "s"} & {q.variable for q in derive(seen)}


def test_no_addresses_in_values(runner: Runner) -> None:
    """Source: ionelmc/python-hunter#58."""
    source = """
        class Node:
            def __init__(self, v):
                self.v = v

        def f():
            n = Node(2)
            box = {"node": n, "fn": f, "obj": object()}
            return n.v, sorted(box)
        """
    first, second = (json.dumps(trace_to_dict(trace(runner, source))) for _ in range(2))
    assert first == second
    assert "0x" not in first
    assert "{'node': <Node v=2>, 'fn': <function>, 'obj': <object>}" in first


def test_snapshots_are_not_references(runner: Runner) -> None:
    """Source: langchain-ai/langsmith-sdk#735."""
    seen = trace(
        runner,
        """
        def rotate(m):
            row = m[0]
            m.append(row)
            row.append(len(m))
            m.pop(0)
            row = row[:]
            row[0] = -9
            return m

        def f():
            grid = [[1, 2], [3]]
            return rotate(grid), grid
        """,
    )
    assert show(seen) == [
        "a0 11 grid=[[1, 2], [3]]",
        "a0 12 grid~[[3], [1, 2, 3]]",
        "a1 2 row=[1, 2]",
        "a1 3 m~[[1, 2], [3], [1, 2]]",
        "a1 4 m~[[1, 2, 3], [3], [1, 2, 3]] row~[1, 2, 3]",
        "a1 5 m~[[3], [1, 2, 3]]",
        "a1 6",
        "a1 7 row~[-9, 2, 3]",
        "a1 8",
    ]
    assert seen.activations[1].entry[0].value == "[[1, 2], [3]]"


def test_ints_too_long_to_print(runner: Runner) -> None:
    """Source: python/cpython#95778."""
    source = """
        import sys
        def f(n):
            p = 1
            for i in range(1, n + 1):
                p *= i
            q = p % 1000003
            return len(hex(p)), q, sys.get_int_max_str_digits()
        """
    seen = trace(runner, source, "2000")
    assert seen.outcome.value == "(4766, 28665, 4300)"
    last = [s for s in seen.steps if s.line == 5][-1]
    assert last.changes[0].value is not None
    assert last.changes[0].value.startswith("0x")
    assert trace(runner, source, "5").outcome.value == "(4, 120, 4300)"


def test_float_sum_by_version(runner: Runner) -> None:
    """Source: python/cpython#100425."""
    seen = trace(
        runner,
        """
        def f(xs):
            total = sum(xs)
            by_loop = 0.0
            for x in xs:
                by_loop += x
            return total, by_loop, total == by_loop
        """,
        "[0.1] * 10",
    )
    if seen.python == "3.11":
        assert seen.outcome.value == "(0.9999999999999999, 0.9999999999999999, True)"
    else:
        assert seen.outcome.value == "(1.0, 0.9999999999999999, False)"


def test_helpers_before_the_entry_and_calls_in_lines(runner: Runner) -> None:
    """Source: ExecVerify's release: first function taken for the entry, call lines never asked."""
    seen = trace(
        runner,
        """
        def g(n):
            w = n + 1
            return w
        def f(i):
            a = g(i)
            y = g(i) if i % 2 == 0 else i + 100
            r = a * y
            return r
        """,
        "2",
    )
    assert show(seen) == [
        "a0 5 a=3",
        "a1 2 w=3",
        "a1 3",
        "a0 6 y=3",
        "a2 2 w=3",
        "a2 3",
        "a0 7 r=9",
        "a0 8",
    ]
    assert [s.occurrence for s in seen.steps if s.line == 3] == [1, 2]
    assert {q.variable for q in derive(seen)} >= {"a", "y", "r"}


def test_runs_on_this_interpreter_at_least() -> None:
    assert f"{sys.version_info[0]}.{sys.version_info[1]}" in find_interpreters()
