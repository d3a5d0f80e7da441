"""The rules of the step recorder, each on a program small enough to check by hand.

Every test runs on each supported interpreter that is found; the expectation is the same.
"""

from __future__ import annotations

from collections.abc import Iterator
from textwrap import dedent

import pytest
from expect import show, show_ends
from interpreters import find_interpreters

from tracer.records import Call, Limits, Program, Trace
from tracer.runner import Runner


@pytest.fixture(scope="module", params=list(find_interpreters().items()), ids=lambda item: item[0])
def runner(request: pytest.FixtureRequest) -> Iterator[Runner]:
    with Runner(python=request.param[1]) as made:
        yield made


@pytest.fixture(params=list(find_interpreters().values()), ids=list(find_interpreters()))
def python(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def trace(runner: Runner, source: str, args: str = "", entry: str | None = "f") -> Trace:
    return runner.run(Program(dedent(source).lstrip("\n"), entry), Call(args))


def test_statement_begins_once_whatever_its_layout(runner: Runner) -> None:
    seen = trace(
        runner,
        """
        def f(n):
            d = {
                'a': n,
                'b': [n,
                      n],
            }
            x = 1; y = 2
            if (x and
                y): z = 3
            return d
        """,
        "7",
    )
    assert show(seen) == [
        "a0 2 d={'a': 7, 'b': [7, 7]}",
        "a0 7 x=1",
        "a0 7 y=2",
        "a0 8",
        "a0 9 z=3",
        "a0 10",
    ]


def test_loop_headers_are_steps_each_time(runner: Runner) -> None:
    seen = trace(
        runner,
        """
        def f(xs):
            for x in [y for y in xs]: pass
            while xs: xs.pop()
            while True:
                break
            return xs
        """,
        "[1, 2]",
    )
    assert show(seen) == [
        "a0 2 x=1",
        "a0 2",
        "a0 2 x=2",
        "a0 2",
        "a0 2",
        "a0 3",
        "a0 3 xs~[1]",
        "a0 3",
        "a0 3 xs~[]",
        "a0 3",
        "a0 4",
        "a0 5",
        "a0 6",
    ]
    assert [s.occurrence for s in seen.steps if s.stmt == 1] == [1, 2, 3]


def test_loop_whose_body_is_no_step_still_counts_its_header(runner: Runner) -> None:
    seen = trace(
        runner,
        """
        def f(xs):
            for x in xs:
                y: int
            while xs.pop():
                z: int
            return x
        """,
        "[0, 1, 2]",
    )
    assert show(seen) == [
        "a0 2 x=0",
        "a0 2 x=1",
        "a0 2 x=2",
        "a0 2",
        "a0 4 xs~[0, 1]",
        "a0 4 xs~[0]",
        "a0 4 xs~[]",
        "a0 6",
    ]


def test_annotations_without_a_value_are_steps_outside_functions_only(runner: Runner) -> None:
    source = """
        class Box:
            size: int
            def __init__(self):
                self.size: int
                self.items: list
                held: int
                self.size = 1
        def f():
            return Box()
        """
    assert show(trace(runner, source)) == ["a0 9", "a1 7 self~<Box size=1>"]
    whole = trace(runner, source, entry=None)
    assert show(whole) == ["a0 1", "a1 2", "a1 3", "a0 8"]


def test_constant_tests_are_steps(runner: Runner) -> None:
    seen = trace(
        runner,
        """
        def f(n):
            while 0:
                n = 9
            if 1:
                n += 1
            elif n:
                n = 8
            while True or n:
                n += 1
                if n > 2: break
            else:
                n = 7
            return n
        """,
        "0",
    )
    assert [s.line for s in seen.steps] == [2, 4, 5, 8, 9, 10, 8, 9, 10, 10, 13]


def test_with_exit_belongs_to_the_last_statement_of_the_body(runner: Runner) -> None:
    seen = trace(
        runner,
        """
        LOG = []
        class Keep:
            def __enter__(self):
                return LOG
            def __exit__(self, *exc):
                LOG.append('out')
                return True
        def f(n):
            with Keep() as seen:
                k = 1 // n
            return LOG
        """,
        "0",
    )
    assert show(seen) == [
        "a0 9 seen=[]",
        "a1 4",
        "a0 10! LOG~['out'] seen~['out']",
        "a2 6 LOG~['out']",
        "a2 7",
        "a0 11",
    ]


def test_finally_and_return(runner: Runner) -> None:
    source = """
        def f(n):
            try:
                return 10 // n
            except ZeroDivisionError as e:
                n = 5
            finally:
                n += 1
            return n
        """
    good = trace(runner, source, "2")
    assert show(good) == ["a0 3", "a0 7 n=3"]
    assert show_ends(good) == ["f@3 returned int 5"]
    bad = trace(runner, source, "0")
    assert show(bad) == [
        "a0 3!",
        "a0 4 e=<ZeroDivisionError>",
        "a0 5 --e n=5",
        "a0 7 n=6",
        "a0 8",
    ]


def test_finally_that_takes_the_exception_away(runner: Runner) -> None:
    seen = trace(
        runner,
        """
        def f(xs):
            for x in xs:
                try:
                    return 1 // x
                finally:
                    break
            y = 2
        """,
        "[1]",
    )
    assert show(seen) == ["a0 2 x=1", "a0 4", "a0 6", "a0 7 y=2"]
    assert show_ends(seen) == ["f@7 returned NoneType None"]


def test_raised_activations_name_the_statement_where_the_exception_arose(runner: Runner) -> None:
    seen = trace(
        runner,
        """
        def g(n):
            try:
                n = 1 // n
            finally:
                try:
                    int('x')
                except ValueError:
                    n = 3
        def f(n):
            try:
                g(n)
            except ZeroDivisionError:
                raise
        """,
        "0",
    )
    assert seen.outcome.kind == "raised"
    assert seen.outcome.type == "ZeroDivisionError"
    assert seen.outcome.message is not None
    assert show(seen) == ["a0 11!", "a1 3!", "a1 6!", "a1 7", "a1 8 n=3", "a0 12", "a0 13!"]
    assert show_ends(seen) == ["f@13 raised ZeroDivisionError", "g@3 raised ZeroDivisionError"]


def test_generators_keep_their_number_and_are_read_when_they_go_on(runner: Runner) -> None:
    seen = trace(
        runner,
        """
        def count(xs):
            for x in xs:
                yield x
                xs[0] += 1
        def f():
            xs = [5, 6]
            got = []
            for x in count(xs):
                got.append(x)
            return got
        """,
    )
    assert show(seen) == [
        "a0 6 xs=[5, 6]",
        "a0 7 got=[]",
        "a0 8 x=5",
        "a1 2 x=5",
        "a1 3",
        "a0 9 got~[5]",
        "a0 8 x=6 xs~[6, 6]",
        "a1 4 xs~[6, 6]",
        "a1 2 x=6",
        "a1 3",
        "a0 9 got~[5, 6]",
        "a0 8 xs~[7, 6]",
        "a1 4 xs~[7, 6]",
        "a1 2",
        "a0 10",
    ]
    assert [s.depth for s in seen.steps if s.activation == 1] == [1] * 7
    assert show_ends(seen)[1] == "count@2 returned NoneType None"


def test_generators_closed_dropped_and_left_suspended(runner: Runner) -> None:
    seen = trace(
        runner,
        """
        def gen():
            yield 1
            yield 2
        def f():
            a = gen(); next(a); a.close()
            b = gen(); next(b); b = None
            c = gen()
            return next(c)
        """,
    )
    assert show_ends(seen) == [
        "f@8 returned int 1",
        "gen@2 closed",
        "gen@2 closed",
        "gen@2 suspended",
    ]
    assert [s.completed for s in seen.steps if s.activation] == [False] * 3
    assert seen.complete


def test_comprehensions_and_lambdas_are_part_of_their_statement(runner: Runner) -> None:
    seen = trace(
        runner,
        """
        word = 'keep'
        def g(k):
            return k * 2
        def f(xs):
            ys = [g(word) for word in xs]
            zs = sorted(xs, key=lambda k: -g(k))
            return ys, zs, word
        """,
        "[1, 2]",
    )
    assert show(seen) == [
        "a0 5 ys=[2, 4]",
        "a1 3",
        "a2 3",
        "a0 6 zs=[2, 1]",
        "a3 3",
        "a4 3",
        "a0 7",
    ]
    assert {a.parent_step for a in seen.activations} == {None, 0, 3}
    assert seen.untracked_lines == {6}


def test_class_bodies_closures_globals_and_aliases(runner: Runner) -> None:
    seen = trace(
        runner,
        """
        TOTAL = 0
        def f(n):
            global TOTAL
            class Box:
                size = n
                def grow(self):
                    nonlocal n
                    n += self.size
            a = b = [n]
            b.append(n)
            Box().grow()
            TOTAL += n
            return a
        """,
        "2",
    )
    assert show(seen) == [
        "a0 4",
        "a1 5 size=2",
        "a1 6",
        "a0 9 a=[2] b=[2]",
        "a0 10 a~[2, 2] b~[2, 2]",
        "a0 11 n=4",
        "a2 8 n=4",
        "a0 12 TOTAL=4",
        "a0 13",
    ]
    assert show_ends(seen)[1] == "f.Box@6 returned NoneType None"
    assert [v.name for v in seen.activations[0].entry] == ["TOTAL", "n"]


def test_match_cases_are_steps_as_they_are_tried(runner: Runner) -> None:
    seen = trace(
        runner,
        """
        def f(v):
            match v:
                case [a, b] if a > b:
                    return a
                case {'k': c} | [c]:
                    return c
                case (x, *rest):
                    pass
                case _:
                    return None
            return rest
        """,
        "[1, 2]",
    )
    assert show(seen) == ["a0 2", "a0 3 a=1 b=2", "a0 5", "a0 7 rest=[2] x=1", "a0 8", "a0 11"]


def test_except_star_and_unmatched_handlers(runner: Runner) -> None:
    seen = trace(
        runner,
        """
        def f():
            try:
                raise ExceptionGroup('g', [ValueError(1), TypeError(2)])
            except* ValueError as v:
                a = 1
            except* (KeyError, TypeError):
                b = 2
            try:
                [].pop()
            except KeyError:
                c = 3
            except:
                d = 4
            return a + b
        """,
    )
    assert show(seen) == [
        "a0 3!",
        "a0 4 v=<ExceptionGroup>",
        "a0 5 a=1 --v",
        "a0 6",
        "a0 7 b=2",
        "a0 9!",
        "a0 10",
        "a0 12",
        "a0 13 d=4",
        "a0 14",
    ]


def test_objects_die_when_the_program_drops_them(runner: Runner) -> None:
    seen = trace(
        runner,
        """
        import weakref
        class Thing:
            def __del__(self):
                LOG.append('gone')
        LOG = []
        def f():
            t = Thing()
            r = weakref.ref(t)
            del t
            alive = r() is not None
            return alive, LOG
        """,
    )
    assert seen.outcome.value == "(False, ['gone'])"
    assert show(seen) == [
        "a0 7 t=<Thing>",
        "a0 8 r=<weakref.ReferenceType>",
        "a0 9 LOG~['gone'] -t",
        "a1 4 LOG~['gone']",
        "a0 10 alive=False",
        "a0 11",
    ]


def test_module_code_can_be_traced_itself(runner: Runner) -> None:
    seen = trace(
        runner,
        """
        '''About words.'''
        from __future__ import annotations
        import math
        n: int
        for k in range(2):
            n = k
        print(n)
        """,
        entry=None,
    )
    assert show(seen) == [
        "a0 2 annotations=<__future__._Feature>",
        "a0 3",
        "a0 4",
        "a0 5 k=0",
        "a0 6 n=0",
        "a0 5 k=1",
        "a0 6 n=1",
        "a0 5",
        "a0 7",
    ]
    assert seen.stdout == "1\n"
    assert show_ends(seen) == ["<module>@7 returned NoneType None"]


def test_step_limit_keeps_exactly_that_many_steps(runner: Runner) -> None:
    source = """
        def fib(n):
            if n < 2:
                return n
            return fib(n - 1) + fib(n - 2)
        """
    full = trace(runner, source, "10", "fib")
    assert full.outcome.value == "55"
    assert len(full.activations) == 177
    assert sum(s.line == 3 for s in full.steps) == 89
    with Runner(Limits(max_steps=100)) as small:
        cut = trace(small, source, "10", "fib")
    assert cut.outcome.kind == "step_limit"
    assert not cut.complete
    assert len(cut.steps) == 100
    assert cut.activations[0].end == "running"
    assert [s.stmt for s in cut.steps] == [s.stmt for s in full.steps[:100]]


def test_recursion_error_gives_a_partial_trace_that_says_so(runner: Runner) -> None:
    source = """
        def halvings(n, depth):
            if n == 1:
                return depth
            return halvings(n // 2, depth + 1)
        def f(n):
            return halvings(n, 0)
        def g(n):
            try:
                return f(n)
            except RecursionError:
                return 'too deep'
        """
    seen = trace(runner, source, "0")
    assert (seen.outcome.kind, seen.outcome.type) == ("raised", "RecursionError")
    assert not seen.complete
    assert all(s.line != 3 for s in seen.steps)
    depths = [{v.name: v.value for v in a.entry}.get("depth") for a in seen.activations[1:4]]
    assert depths == ["0", "1", "2"]
    assert trace(runner, source, "40").outcome.value == "5"
    caught = trace(runner, source, "0", "g")
    assert caught.outcome.kind == "depth_dependent"
    assert not caught.complete


def test_a_program_that_removes_the_tracer_gives_no_truth(runner: Runner) -> None:
    seen = trace(
        runner,
        """
        import sys
        def f():
            x = 1
            sys.settrace(None)
            y = 2
            return x + y
        """,
    )
    assert seen.outcome.kind == "disturbed"
    assert not seen.complete


@pytest.mark.parametrize(
    "body",
    [
        "list(set('abcdefgh'))[0]",
        "id([]) % 100003",
        "__import__('random').random()",
        "__import__('time').time()",
        "str(__import__('datetime').date.today())",
        "hash('text') % 1009",
    ],
)
def test_results_of_luck_are_nondeterministic(runner: Runner, body: str) -> None:
    seen = trace(runner, f"def f():\n    return {body}\n")
    assert seen.outcome.kind == "nondeterministic"
    assert not seen.complete


@pytest.mark.parametrize(
    "line",
    [
        "for word in {'ab', 'cd', 'ef', 'gh'}: last = word",
        "token = id(object()) % 1009",
        "import time; now = time.time()",
        "import random; drawn = random.random()",
    ],
)
def test_luck_on_the_way_to_a_steady_result_is_found(runner: Runner, line: str) -> None:
    seen = trace(runner, f"def f():\n    {line}\n    return 1\n")
    assert seen.outcome.kind == "nondeterministic"
    assert not seen.complete


def test_a_cut_trace_is_the_beginning_of_the_whole_one(python: str) -> None:
    source = """
        def g(k):
            m = k + 1
            return m
        def f(n):
            total, word = 0, ''
            for i in range(n):
                total += i
                word = str(total)
                if i % 3 == 0:
                    total = g(total)
            return total
    """
    with Runner(python=python) as runner:
        whole = trace(runner, source, "40")
    assert whole.complete
    program, call = whole.program, Call("40")
    for cut in (1, 2, 7, 30, 31, 32, 33, 90):
        with Runner(Limits(max_steps=cut), python=python) as short:
            seen = short.run(program, call)
        assert seen.outcome.kind == "step_limit"
        assert len(seen.steps) == cut
        running = {seen.steps[-1].index}
        for activation in seen.activations:
            if activation.end == "running":
                own = [
                    step.index for step in seen.steps if step.activation == activation.activation
                ]
                running.add(own[-1])
        for step in seen.steps:
            if step.index not in running:
                assert step == whole.steps[step.index]


def test_what_is_written_through_a_frame_is_seen_where_it_counts(runner: Runner) -> None:
    """From Python 3.13 on ``f_locals`` writes through; before, it is a copy."""
    seen = trace(
        runner,
        """
        import sys
        def g():
            sys._getframe(1).f_locals['x'] = 99
            return 1
        def f(a):
            x = a
            y = g()
            return x + y
        """,
        "1",
    )
    written = seen.outcome.value == "100"
    assert written == (seen.python == "3.13")
    assert show(seen)[1] == ("a0 7 x=99 y=1" if written else "a0 7 y=1")
