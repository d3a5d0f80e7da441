"""A trace that no run of the program can give is not believed; a forger's is one."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from textwrap import dedent

import pytest
from oracle_programs import generate

from tracer.consistency import find_inconsistency
from tracer.records import Call, Change, Program, Statement, Trace
from tracer.runner import Runner

PROGRAM = Program(
    dedent(
        """
        def helper(k):
            return k * 2

        def f(n):
            total = 0
            for i in range(n):
                total += helper(i)
            return total
        """
    ),
    "f",
)


@pytest.fixture(scope="module")
def runner() -> Iterator[Runner]:
    with Runner() as made:
        yield made


@pytest.fixture(scope="module")
def honest(runner: Runner) -> Trace:
    return runner.run(PROGRAM, Call("2"))


def test_honest_traces_are_consistent(honest: Trace) -> None:
    assert honest.outcome.value == "2"
    assert find_inconsistency(honest) is None


def drop_a_step(trace: Trace) -> Trace:
    return replace(trace, steps=trace.steps[:3] + trace.steps[4:])


def move_a_step(trace: Trace) -> Trace:
    steps = list(trace.steps)
    steps[3] = replace(steps[3], stmt=0, line=2)
    return replace(trace, steps=tuple(steps))


def count_wrongly(trace: Trace) -> Trace:
    steps = list(trace.steps)
    steps[-1] = replace(steps[-1], occurrence=2)
    return replace(trace, steps=tuple(steps))


def change_out_of_nothing(trace: Trace) -> Trace:
    steps = list(trace.steps)
    steps[0] = replace(steps[0], changes=(Change("i", "rebind", "int", "9"),))
    return replace(trace, steps=tuple(steps))


def change_to_the_same(trace: Trace) -> Trace:
    steps = list(trace.steps)
    change = Change("total", "rebind", "int", "0")
    steps[1] = replace(steps[1], changes=(*steps[1].changes, change))
    return replace(trace, steps=tuple(steps))


def other_statements(trace: Trace) -> Trace:
    return replace(trace, statements=(*trace.statements, Statement(9, 9, 9, 0, "Pass")))


def other_parent(trace: Trace) -> Trace:
    last = trace.activations[-1]
    moved = replace(last, parent_step=len(trace.steps))
    return replace(trace, activations=(*trace.activations[:-1], moved))


def endless_activation(trace: Trace) -> Trace:
    last = replace(trace.activations[-1], end="running")
    return replace(trace, activations=(*trace.activations[:-1], last))


@pytest.mark.parametrize(
    "forge",
    [
        drop_a_step,
        move_a_step,
        count_wrongly,
        change_out_of_nothing,
        change_to_the_same,
        other_statements,
        other_parent,
        endless_activation,
    ],
)
def test_changed_traces_are_found(honest: Trace, forge: Callable[[Trace], Trace]) -> None:
    assert find_inconsistency(forge(honest)) is not None


@pytest.mark.parametrize("seed", range(12))
def test_random_programs_are_consistent(runner: Runner, seed: int) -> None:
    source, entry, args, _ = generate(seed)
    trace = runner.run(Program(source, entry), Call(args))
    assert trace.outcome.kind in ("returned", "raised")


FORGERS = {
    "gc": """
        import gc
        def f(n):
            for thing in gc.get_objects():
                if type(thing).__name__ == 'Recorder':
                    thing.steps.clear()
            return n
        """,
    "frames": """
        import sys
        def f(n):
            frame = sys._getframe()
            while frame:
                recorder = frame.f_locals.get('recorder')
                if recorder is not None:
                    recorder.steps[0]['occurrence'] = 7
                frame = frame.f_back
            return n
        """,
    "frame's own tracer": """
        import sys
        def f(n):
            sys._getframe().f_trace = None
            k = n + 1
            return k
        """,
    "tracer removed": """
        import sys
        def f(n):
            sys.settrace(None)
            k = n + 1
            return k
        """,
    "memory": """
        import ctypes
        def f(n):
            ctypes.cast(id(n), ctypes.POINTER(ctypes.c_long))[3] = n
            return n
        """,
    "descriptors": """
        import os
        def f(n):
            for k in range(3, 2000):
                try:
                    os.write(k, b'forged')
                except OSError:
                    pass
            return n
        """,
}


@pytest.mark.parametrize("name", FORGERS)
def test_forgers_give_no_truth(runner: Runner, name: str) -> None:
    trace = runner.run(Program(dedent(FORGERS[name]), "f"), Call("3"))
    assert trace.outcome.kind in ("disturbed", "blocked", "crashed", "nondeterministic"), trace
    assert not trace.complete
    assert runner.run(PROGRAM, Call("3")).outcome.value == "6"


def test_a_call_raises_what_its_first_activation_raises(runner: Runner) -> None:
    trace = runner.run(Program("def f(n):\n    return 1 // n\n", "f"), Call("0"))
    assert trace.outcome.type == "ZeroDivisionError"
    assert find_inconsistency(trace) is None
    first = replace(trace.activations[0], type="ValueError")
    assert find_inconsistency(replace(trace, activations=(first,))) is not None
