"""Questions of real traces: what is asked, what never is, and that every key is right."""

from __future__ import annotations

import importlib
import json
import random
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import lists_of_ints

import tracer.questions
from tracer.derivation import derive
from tracer.questions import QUESTION_KINDS
from tracer.questions.base import line_text, ordinal, spread
from tracer.records import Call, Outcome, Program, Question, Trace
from tracer.runner import Runner
from tracer.values import canonical
from tracer.verification import verify

ALL = [kind.name for kind in QUESTION_KINDS]
KINDS = ALL[:4]
"""The kinds of the paper; ``test_more_questions.py`` has the others."""

LOOP = """\
def double(n):
    return n * 2

def f(xs, k=1):
    total = 0
    seen = set()
    for x in xs:
        total += double(x)
        if x % 2:
            seen.add(x)
        else:
            k += 1
    return total, seen, k
"""
CAUGHT = """\
def f(n):
    x = 5
    try:
        x = 1 // n
    except ZeroDivisionError:
        x = 0
    return x
"""
SHARED = """\
def f(n):
    a = 1; b = 2
    c = a + b
    if c: d = 4
    for i in range(n): c += i
    return c
"""
LAMBDAS = """\
def f(xs):
    key = lambda x: -x
    once = sorted(xs, key=lambda x: -x)
    n = 0
    while n < 3:
        n += sum(x * 0 + 1 for x in [1])
    return once
"""
LARGE = """\
class Node:
    def __init__(self, v):
        self.v = v

def f(n):
    big = list(range(n))
    node = Node(n)
    box = [node, 1]
    gone = 1
    del gone
    small = len(big)
    return node
"""
RECURSION = """\
def f(n):
    if n < 2:
        return 1
    left = f(n - 1)
    return n * left
"""


@pytest.fixture(scope="module")
def runner() -> Iterator[Runner]:
    with Runner() as made:
        yield made


def _trace(runner: Runner, source: str, args: str, entry_point: str | None = "f") -> Trace:
    return runner.run(Program(source, entry_point), Call(args))


@pytest.mark.parametrize("kind", ALL)
def test_a_kind_is_one_documented_file(kind: str) -> None:
    module = importlib.import_module(f"tracer.questions.{kind}")
    assert module.KIND in QUESTION_KINDS
    assert module.KIND.name == kind
    assert re.search(r"\nSource: (https://|own\.)", module.__doc__)
    assert "Program" in module.__doc__
    assert "key" in module.__doc__


def test_every_file_of_a_kind_is_registered() -> None:
    files = {path.stem for path in Path(tracer.questions.__path__[0]).glob("*.py")}
    assert files - {"__init__", "base"} == set(ALL)
    assert len(set(ALL)) == len(ALL)


def test_questions_of_a_loop(runner: Runner) -> None:
    trace = _trace(runner, LOOP, "[1, 2]")
    questions = derive(trace, limit=100)
    by_kind = {kind: [each for each in questions if each.kind == kind] for kind in KINDS}
    assert [each.key for each in by_kind["output"]] == ["(6, {1}, 2)"]
    assert [each.key for each in by_kind["input"]] == ["assert f([1, 2]) == (6, {1}, 2)"]
    paths = {(each.line, each.key) for each in by_kind["next_statement"]}
    assert paths == {
        (5, "6"),
        (6, "7"),
        (7, "8"),
        (8, "2"),
        (2, "9"),
        (9, "10"),
        (10, "7"),
        (9, "12"),
        (12, "7"),
        (7, "13"),
        (13, "terminates"),
    }
    states = {(each.line, each.variable) for each in by_kind["variable_state"]}
    assert states == {(5, "total"), (6, "seen"), (7, "x"), (8, "total"), (10, "seen"), (12, "k")}
    for question in by_kind["variable_state"]:
        if question.line == 8:
            assert question.occurrence is not None
            assert json.loads(question.key)["value"] == ("2", "6")[question.occurrence - 1]
    assert "`f([1, 2])`" in by_kind["output"][0].text
    assert any("line 10 (`seen.add(x)`)" in each.text for each in by_kind["variable_state"])


def test_at_most_five_of_a_kind_spread_over_the_trace(runner: Runner) -> None:
    trace = _trace(runner, LOOP, "[1, 2, 3, 4, 5, 6, 7, 8]")
    questions = derive(trace, KINDS)
    counts = Counter(each.kind for each in questions)
    assert counts == {"output": 1, "input": 1, "next_statement": 5, "variable_state": 5}
    assert derive(trace, limit=0) == ()
    for kind in KINDS[2:]:
        steps = [each.step for each in questions if each.kind == kind]
        assert steps == sorted(steps)  # type: ignore[type-var]


def test_deriving_depends_on_the_call_alone(runner: Runner) -> None:
    trace = _trace(runner, LOOP, "[1, 2, 3]")
    questions = derive(trace)
    random.seed(1)
    assert derive(trace) == questions
    for kind in ALL:
        assert derive(trace, [kind]) == tuple(each for each in questions if each.kind == kind)
    assert derive(trace, ALL[::-1]) == questions


@pytest.mark.parametrize("change", ["incomplete", "raised", "cut"])
def test_only_complete_traces_that_return_are_asked(runner: Runner, change: str) -> None:
    trace = _trace(runner, LOOP, "[1]")
    if change == "incomplete":
        trace = replace(trace, complete=False)
    else:
        trace = replace(trace, outcome=Outcome(change.replace("cut", "step_limit")))  # type: ignore[arg-type]
    assert derive(trace, KINDS) == ()


def test_an_unknown_kind_is_refused(runner: Runner) -> None:
    trace = _trace(runner, LOOP, "[1]")
    with pytest.raises(ValueError, match="unknown question kind 'colour'; known are output"):
        derive(trace, ["colour"])
    with pytest.raises(ValueError, match="limit must be 0 or more"):
        derive(trace, limit=-1)


def test_a_statement_that_raised_is_not_asked_for_its_state(runner: Runner) -> None:
    questions = derive(_trace(runner, CAUGHT, "0"), limit=100)
    states = [each.line for each in questions if each.kind == "variable_state"]
    assert states == [2, 6]
    paths = {each.line: each.key for each in questions if each.kind == "next_statement"}
    assert paths == {2: "4", 4: "5", 5: "6", 6: "7", 7: "terminates"}


def test_lines_of_several_statements_are_not_asked(runner: Runner) -> None:
    questions = derive(_trace(runner, SHARED, "2"), limit=100)
    assert {each.line for each in questions if each.line} == {3, 6}
    paths = {each.line: each.key for each in questions if each.kind == "next_statement"}
    assert paths == {6: "terminates"}


def test_lines_with_code_that_runs_elsewhere_are_not_counted(runner: Runner) -> None:
    questions = derive(_trace(runner, LAMBDAS, "[1, 2]"), limit=100)
    paths = {each.line for each in questions if each.kind == "next_statement"}
    assert paths == {4, 5, 7}
    states = {(each.line, each.variable) for each in questions if each.kind == "variable_state"}
    assert states == {(3, "once"), (4, "n")}


def test_only_faithful_values_are_asked(runner: Runner) -> None:
    trace = _trace(runner, LARGE, "900")
    assert trace.outcome.kind == "returned"
    questions = derive(trace, limit=100)
    assert {each.variable for each in questions if each.kind == "variable_state"} == {
        "small",
        "gone",
    }
    assert not [each for each in questions if each.kind in ("output", "input")]


def test_a_call_without_arguments_has_no_input_question(runner: Runner) -> None:
    trace = _trace(runner, "def f():\n    return 1\n", "")
    assert [each.kind for each in derive(trace)] == ["output", "next_statement"]


def test_module_code_is_asked_without_a_call(runner: Runner) -> None:
    questions = derive(_trace(runner, "x = 1\ny = x + 1\n", "", None), limit=100)
    assert {each.kind for each in questions} == {"next_statement", "variable_state"}
    assert all("While the program runs" in each.text for each in questions)


def test_recursion_is_counted_in_the_order_of_beginning(runner: Runner) -> None:
    trace = _trace(runner, RECURSION, "4")
    keys = {}
    for seed in range(30):  # other arguments choose other executions
        for each in derive(replace(trace, args=f"{seed}"), ["variable_state"], limit=100):
            keys[each.occurrence] = json.loads(each.key)["value"]
    assert keys == {1: "6", 2: "2", 3: "1"}


PROGRAMS = [
    (LOOP, "[3, 4, 5]"),
    (CAUGHT, "0"),
    (LAMBDAS, "[2, 1]"),
    (RECURSION, "5"),
    (SHARED, "3"),
]


def _mutants(question: Question) -> list[str]:
    """Answers like the key that are wrong."""
    if question.kind == "output":
        return [f"[{question.key}]", f"assert f(1) == ({question.key},)", "'nothing of the kind'"]
    if question.kind == "input":
        return ["f('nothing of the kind')", "f()", question.key.replace("f(", "g(", 1)]
    if question.kind == "next_statement":
        number = int(question.key) if question.key.isdigit() else 10**6
        return [str(number + 1), "line 0", "terminates" if question.key.isdigit() else "1"]
    key = json.loads(question.key)
    return [
        json.dumps(key | {"value": f"[{key['value']}]"}),
        json.dumps(key | {"type": "ellipsis"}),
        f"{key['value']}",
        f"[{key['value']}]; {key['type']}",
    ]


@pytest.mark.parametrize(("source", "args"), PROGRAMS)
def test_keys_are_right_and_mutants_are_not(runner: Runner, source: str, args: str) -> None:
    trace = _trace(runner, source, args)
    questions = derive(trace, KINDS, limit=100)
    assert {each.kind for each in questions} == set(KINDS)
    for question in questions:
        for key in (question.key, *question.valid):
            assert verify(question, key).status == "correct"
            assert verify(question, f"<answer>\n{key}\n</answer>").status == "correct"
        for mutant in _mutants(question):
            verdict = verify(question, mutant, program=trace.program, runner=runner)
            assert verdict.status in ("incorrect", "unparsed"), (question, mutant)
            assert verdict.reason


@settings(max_examples=10)
@given(xs=lists_of_ints)
def test_path_and_state_follow_the_program(runner: Runner, xs: list[int]) -> None:
    """Compares with a plain Python account of LOOP, kept beside it here."""
    totals, total = [], 0
    for x in xs:
        total += 2 * x
        totals.append(total)
    for question in derive(_trace(runner, LOOP, canonical(xs)), limit=100):
        if question.kind == "variable_state" and question.line == 8:
            assert question.occurrence is not None
            expected = {"value": str(totals[question.occurrence - 1]), "type": "int"}
            assert json.loads(question.key) == expected
        if question.kind == "next_statement" and question.line == 9:
            assert question.occurrence is not None
            assert question.key == ("10" if xs[question.occurrence - 1] % 2 else "12")
        if question.kind == "output":
            odd = {x for x in xs if x % 2}
            assert question.key == canonical((total, odd, 1 + len(xs) - sum(x % 2 for x in xs)))


@given(
    st.lists(st.lists(st.integers(), min_size=1, max_size=4), max_size=12),
    st.integers(1, 6),
    st.integers(0, 3),
)
def test_spread(groups: list[list[int]], count: int, seed: int) -> None:
    even = [group for group in groups if any(n % 2 == 0 for n in group)]
    chosen = spread(groups, count, random.Random(seed), lambda n: n % 2 == 0)
    assert len(chosen) == min(count, len(even))
    assert not Counter(chosen) - Counter(n for group in even for n in group if n % 2 == 0)
    assert chosen == spread(groups, count, random.Random(seed), lambda n: n % 2 == 0)


def test_spread_takes_one_of_each_stretch() -> None:
    groups = [[n] for n in range(100)]
    for seed in range(5):
        chosen = spread(groups, 5, random.Random(seed), lambda _: True)
        assert [n // 20 for n in sorted(chosen)] == [0, 1, 2, 3, 4]


def test_words() -> None:
    assert [ordinal(n) for n in (1, 2, 3, 4, 11, 12, 13, 21, 101, 111)] == [
        "1st",
        "2nd",
        "3rd",
        "4th",
        "11th",
        "12th",
        "13th",
        "21st",
        "101st",
        "111th",
    ]


def test_lines_are_numbered_as_python_does(runner: Runner) -> None:
    trace = _trace(runner, "def f(n):\r\n    a = '\x0c\u2028'\r    return n\n", "1")
    assert line_text(trace, 3) == "line 3 (`return n`)"
