"""What a call's outcome says, and that a traced run is the run it claims to be."""

from __future__ import annotations

import json
from collections.abc import Iterator
from textwrap import dedent

import pytest

from tracer.records import Call, Limits, Program, Trace
from tracer.runner import Runner, run
from tracer.serialization import trace_from_dict, trace_to_dict


@pytest.fixture(scope="module")
def runner() -> Iterator[Runner]:
    with Runner() as made:
        yield made


def trace(runner: Runner, source: str, args: str = "", stdin: str = "", entry: str = "f") -> Trace:
    return runner.run(Program(dedent(source), entry), Call(args, stdin))


@pytest.mark.parametrize(
    ("source", "args", "entry", "words"),
    [
        ("def f(:\n    pass\n", "", "f", "line 1: "),
        ("def f():\n    pass\n", "", "g", "no entry point 'g'; the program defines f"),
        ("f = 3\n", "", "f", "entry point 'f' cannot be called"),
        ("1 // 0\ndef f(): pass\n", "", "f", "the module code raised ZeroDivisionError: "),
        ("def f(x): pass\n", "1 +", "f", "the arguments are not Python"),
        ("def f(x): pass\n", "1), f(2", "f", "the arguments are not"),
        ("def f(x): pass\n", "nothing", "f", "evaluating the arguments raised NameError"),
        ("def f(x): pass\n", "\0", "f", "the arguments are not Python"),
        ("x = '\\0'\0", "", "f", "null bytes"),
        ("x = " + "(" * 3000 + ")" * 3000, "", "f", "too many nested parentheses"),
    ],
)
def test_bad_programs_and_calls_are_outcomes(
    runner: Runner, source: str, args: str, entry: str, words: str
) -> None:
    seen = trace(runner, source, args, entry=entry)
    assert seen.outcome.kind == "bad_program"
    assert words in (seen.outcome.message or "")
    assert not seen.steps
    assert not seen.complete


@pytest.mark.parametrize(
    "source",
    [
        "async def f():\n    pass\n",
        "import asyncio\ndef f():\n    async def g(): return 1\n    return asyncio.run(g())\n",
    ],
)
def test_async_code_is_refused_by_name(runner: Runner, source: str) -> None:
    seen = trace(runner, source)
    assert (seen.outcome.kind, seen.outcome.message) == ("unsupported", "async code is not traced")


def test_generator_as_result_is_not_consumed(runner: Runner) -> None:
    seen = trace(runner, "def f():\n    yield 1\n")
    assert (seen.outcome.kind, seen.outcome.type) == ("returned", "generator")
    assert seen.outcome.value == "<generator>"
    assert not seen.steps


def test_arguments_are_written_canonically(runner: Runner) -> None:
    source = "class P:\n    pass\ndef f(*a, **k):\n    return len(a) + len(k)\n"
    seen = trace(runner, source, " [ 1,2 ],{3 ,1}, k = set( ), b=float('nan'),c='a' 'b'")
    assert seen.args == "[1, 2], {1, 3}, k=set(), b=float('nan'), c='ab'"
    assert seen.outcome.value == "5"
    assert trace(runner, source, "P( ), *[1]").args == "P(), *[1]"
    again = trace(runner, source, seen.args)
    assert again.args == seen.args


def test_arguments_are_those_before_the_call(runner: Runner) -> None:
    seen = trace(runner, "def f(xs):\n    xs.append(1)\n    return xs\n", "[0]")
    assert seen.args == "[0]"
    assert seen.outcome.value == "[0, 1]"


def test_output_is_that_of_the_call_alone_and_exact(runner: Runner) -> None:
    source = """
        import os
        print('module')
        def f():
            print({'stdout': 'x'})
            print(2 + 2, end='')
        """
    seen = trace(runner, source)
    assert seen.stdout == "{'stdout': 'x'}\n4"
    assert seen.outcome.value == "None"


def test_standard_input(runner: Runner) -> None:
    source = """
        def f():
            return input('name? ')
        """
    seen = trace(runner, source, stdin="Hello World!")
    assert (seen.outcome.value, seen.stdout) == ("'Hello World!'", "name? ")
    assert trace(runner, source).outcome.type == "EOFError"


def test_exception_messages_are_kept_only_when_faithful(runner: Runner) -> None:
    source = """
        class Mine(Exception):
            def __str__(self):
                return 'mine'
        def f(k):
            if k == 0: raise ValueError('no', 3)
            if k == 1: raise Mine()
            if k == 2: raise ValueError(object())
            return {}[k]
        """
    seen = [trace(runner, source, str(k)).outcome for k in range(4)]
    assert [o.kind for o in seen] == ["raised"] * 4
    assert [o.type for o in seen] == ["ValueError", "Mine", "ValueError", "KeyError"]
    assert [o.message for o in seen] == ["('no', 3)", None, None, "3"]


def test_fresh_state_for_every_call(runner: Runner) -> None:
    source = """
        import math
        SEEN = []
        def f(x):
            SEEN.append(x)
            math.tau = 0
            return SEEN, math.pi
        """
    for x in range(2):
        assert trace(runner, source, str(x)).outcome.value == f"([{x}], 3.141592653589793)"


def test_honest_introspection_is_traced(runner: Runner) -> None:
    source = """
        class Shape:
            sides = 0
            def name(self):
                return self.__class__.__name__
        class Square(Shape):
            sides = 4
        def f():
            s = Square()
            s.__dict__['colour'] = 'red'
            bases = [b.__name__ for b in Square.__mro__]
            text = '{0.__class__.__name__}/{0.sides}'.format(s)
            return s.name(), bases, text, vars(s)
        """
    assert trace(runner, source).outcome.value == (
        "('Square', ['Square', 'Shape', 'object'], 'Square/4', {'colour': 'red'})"
    )


def test_program_that_depends_on_its_line_numbers_is_found_out(runner: Runner) -> None:
    source = """
        import sys
        def f():
            return sys._getframe().f_lineno
        """
    assert trace(runner, source).outcome.kind == "disturbed"


def test_memory_and_time_have_kinds_of_their_own() -> None:
    source = """
        def memory(n):
            return len([0] * n)
        def time():
            n = 0
            while True: n += 1
        def caught(n):
            try:
                return len([0] * n)
            except MemoryError:
                return -1
        """
    with Runner(Limits(cpu_s=1.0, max_steps=10**9)) as small:
        assert trace(small, source, "1_000_000", entry="memory").outcome.value == "1000000"
        big = trace(small, source, "2_000_000_000", entry="memory")
        assert big.outcome.kind == "memory"
        assert trace(small, source, "2_000_000_000", entry="caught").outcome.kind == "memory"
        assert trace(small, source, entry="time").outcome.kind == "timeout"
        assert trace(small, source, "3", entry="memory").outcome.value == "3"


def test_forbidden_actions_are_blocked_by_name(runner: Runner) -> None:
    source = """
        def f():
            import socket
            try:
                socket.create_connection(('127.0.0.1', 9))
            except OSError:
                return 'no network'
        def g():
            with open('note.txt', 'w') as out:
                out.write('mine')
            with open('note.txt') as back:
                return back.read()
        """
    seen = trace(runner, source)
    assert seen.outcome.kind == "blocked"
    assert "socket" in (seen.outcome.message or "")
    assert not seen.complete
    assert trace(runner, source, entry="g").outcome.value == "'mine'"


def test_threads_are_blocked_by_name(runner: Runner) -> None:
    source = """
        import threading
        def f():
            worker = threading.Thread(target=print)
            worker.start()
            worker.join()
        """
    assert trace(runner, source).outcome.kind == "blocked"


def test_check_runs_tests_after_the_program(runner: Runner) -> None:
    program = Program("def f(x):\n    return x + 1", "f")
    assert runner.check(program, "assert f(1) == 2").kind == "returned"
    wrong = runner.check(program, "assert f(1) == 3")
    assert (wrong.kind, wrong.type) == ("raised", "AssertionError")


def test_json_shape_and_round_trip() -> None:
    program = Program("def f(x):\n    y = [x]\n    return y\n", "f")
    seen = run(program, Call("1"))
    data = trace_to_dict(seen)
    assert list(data) == [
        "schema_version",
        "outcome",
        "complete",
        "stdout",
        "python",
        "statements",
        "activations",
        "steps",
    ]
    assert data["steps"][0] == {
        "index": 0,
        "stmt": 1,
        "line": 2,
        "activation": 0,
        "depth": 0,
        "occurrence": 1,
        "completed": True,
        "changes": [{"name": "y", "op": "bind", "type": "list", "value": "[1]"}],
    }
    assert data["activations"][0]["entry"] == [{"name": "x", "type": "int", "value": "1"}]
    again = trace_from_dict(json.loads(json.dumps(data)), program, "1")
    assert again == seen
