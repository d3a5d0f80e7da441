"""Traces in two passes equal whole traces at every chosen step."""

from __future__ import annotations

import random
from collections.abc import Iterator
from textwrap import dedent

import pytest
from interpreters import find_interpreters
from oracle_cases import Case, generated, published, runnable, written

from tracer.points import Path, PointTrace
from tracer.records import Call, Limits, Program, Trace, Variable
from tracer.runner import Runner


@pytest.fixture(scope="module", params=list(find_interpreters().items()), ids=lambda item: item[0])
def version(request: pytest.FixtureRequest) -> tuple[str, str]:
    found: tuple[str, str] = request.param
    return found


@pytest.fixture(scope="module")
def runner(version: tuple[str, str]) -> Iterator[Runner]:
    with Runner(python=version[1]) as made:
        yield made


VANISHING = ("48_globals_seen_by_several", "66_becoming_visible", "seed 137")
"""Programs in which a variable comes to hold a function: it is not visible then, which is no change
of a whole trace."""


def states_of(trace: Trace) -> list[tuple[Variable, ...]]:
    """The variables after each step, from the entry values and the changes of a whole trace."""
    current = [{v.name: v for v in activation.entry} for activation in trace.activations]
    states = []
    for step in trace.steps:
        variables = current[step.activation]
        for change in step.changes:
            if change.type is None or change.value is None:
                del variables[change.name]
            else:
                variables[change.name] = Variable(change.name, change.type, change.value)
        states.append(tuple(variables[name] for name in sorted(variables)))
    return states


def compare(trace: Trace, seen: PointTrace, points: list[int], *, vanishing: bool) -> None:
    assert (seen.outcome, seen.complete) == (trace.outcome, trace.complete)
    assert seen.stdout == trace.stdout or not trace.complete
    assert seen.args == trace.args
    if not trace.complete:
        assert not seen.states
        return
    path = seen.path
    assert path.statements == trace.statements
    rows = zip(path.stmts, path.activations, path.depths, path.occurrences, strict=True)
    expected = [(s.stmt, s.activation, s.depth, s.occurrence) for s in trace.steps]
    assert list(rows) == expected
    assert list(path.completed) == [step.completed for step in trace.steps]
    assert [path.line(step) for step in range(len(path))] == [step.line for step in trace.steps]
    states = states_of(trace)
    assert [state.step for state in seen.states] == points
    for state in seen.states:
        if vanishing:
            assert {*state.variables} <= {*states[state.step]}
        else:
            assert state.variables == states[state.step]


def check(runner: Runner, case: Case, rng: random.Random) -> None:
    """Compare at every step, and at a few, where the steps between them are only counted."""
    program, call = Program(case.source, case.entry_point), Call(case.args)
    trace = runner.run(program, call)
    every = list(range(len(trace.steps)))
    few = sorted(rng.sample(every, min(3, len(every))))
    for points in (every, few):
        seen = runner.trace_at(program, call, lambda path, chosen=points: chosen)
        compare(trace, seen, points, vanishing=case.name in VANISHING)


def some(version: str, seed: int, count: int) -> list[Case]:
    cases = runnable([*written(), *published(), *generated(range(60))], version)
    usual = [case for case in cases if case.max_steps == 10_000]
    return random.Random(seed).sample(usual, count)


def test_states_are_those_of_whole_traces(runner: Runner, version: tuple[str, str]) -> None:
    rng = random.Random(5)
    for case in some(version[0], 5, 12):
        check(runner, case, rng)


@pytest.mark.slow
@pytest.mark.timeout(1800)
def test_states_of_many_programs(runner: Runner, version: tuple[str, str]) -> None:
    rng = random.Random(6)
    usual = [case for case in runnable(written(), version[0]) if case.max_steps == 10_000]
    for case in [*usual, *generated(range(100, 140))]:
        check(runner, case, rng)


NESTED = """
    total = 0
    def below(n):
        global total
        total += n
        if n:
            below(n - 1)
        for i in range(2):
            total += i
        return total
    def numbers(n):
        for i in range(n):
            got = yield i
        return n
    def f(n):
        xs = []
        for i in range(n):
            xs.append(below(i))
        for x in numbers(n):
            xs.append(x)
            if x > 1:
                break
        try:
            xs[99]
        except IndexError as error:
            xs.pop()
        return xs
    """


def test_calls_generators_and_exceptions(runner: Runner) -> None:
    case = Case("own", "nested", dedent(NESTED), "f", "3")
    check(runner, case, random.Random(1))
    last = runner.trace_at(
        Program(case.source, "f"), Call("3"), lambda path: [len(path) - 1]
    ).states[0]
    assert [v.name for v in last.variables] == ["i", "n", "x", "xs"]


def test_points_are_chosen_from_the_path(runner: Runner) -> None:
    loop = Program(
        "def f(n):\n    t = 0\n    for i in range(n):\n        t += i\n    return t\n", "f"
    )

    def last_of_line_4(path: Path) -> list[int]:
        return [max(step for step in range(len(path)) if path.line(step) == 4)]

    seen = runner.trace_at(loop, Call("4000"), last_of_line_4)
    assert seen.complete
    assert seen.path.occurrences[seen.states[0].step] == 4000
    assert {v.name: v.value for v in seen.states[0].variables} == {
        "i": "3999",
        "n": "4000",
        "t": "7998000",
    }
    with pytest.raises(ValueError, match="steps go from 0 to 8002"):
        runner.trace_at(loop, Call("4000"), lambda path: [8003])


def test_what_depends_on_luck_has_no_states(runner: Runner) -> None:
    luck = Program("def f():\n    x = hash('a') % 97\n    y = 0\n    return y\n", "f")
    seen = runner.trace_at(luck, Call(""), lambda path: [0])
    assert (seen.outcome.kind, seen.complete, seen.states) == ("nondeterministic", False, ())
    assert runner.trace_at(luck, Call(""), lambda path: [2]).outcome.kind == "nondeterministic"


def test_a_cut_path_has_no_states(version: tuple[str, str]) -> None:
    endless = Program("def f(n):\n    while True:\n        n += 1\n", "f")
    with Runner(Limits(max_steps=50), python=version[1]) as small:
        seen = small.trace_at(endless, Call("0"), lambda path: [3])
    assert (seen.outcome.kind, seen.complete, seen.states) == ("step_limit", False, ())
    assert len(seen.path) == 50
