"""Types that JSON lost, restored from values written out."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tracer.problems import problem_of
from tracer.unit_tests import from_inputs, run_unit_tests
from tracer.witnesses import restored


@pytest.mark.parametrize(
    ("asserts", "attested", "inputs", "right"),
    [
        ("assert f([5], (9,)) == 1", [[[5], [9]]], [[[1, [2]], [3, [4]]]], [[[1, [2]], (3, [4])]]),
        ("assert f({1}) == 1", [[[1]]], [[[2, 3]], [[[2], 3]]], [[{2, 3}], [[[2], 3]]]),
        ("assert f([(1, 2)]) == 1", [[[[1, 2]]]], [[[[3], [4]]], [[]]], [[[(3,), (4,)]], [[]]]),
        (
            "assert f(0, 1j) == 1",
            [["0", "1j"]],
            [["-1e3", "(-0-2j)"]],
            [[-1000.0, complex("-0-2j")]],
        ),
        ("assert f('0') == 1", [["0"]], [["1"]], [["1"]]),
        ("assert f(0) == 1", [["0"]], [["one"]], [["one"]]),
        ("assert f((1,)) == f([1])\nassert f([2]) == 1", [[[1]], [[2]]], [[[3]]], [[[3]]]),
        ("assert f(g(1)) == 1\nassert f((2,)) == 1", [[[1]], [[2]]], [[[3]]], [[(3,)]]),
        ("assert isclose(f((1,)), 1)", [[[1]]], [[[2]], [[3], [4]]], [[(2,)], [(3,), [4]]]),
        ("assert f((1, (2,))) == 1", [[[1, [2]]]], [[[1, [2, [3, [4]]]]]], [[(1, (2, (3, (4,))))]]),
        ("assert f([(1,)]) == 1", [[[[1]]]], [[[[1, [2]]]]], [[[(1, [2])]]]),
        ("assert f((1,)) == 1", [[[1]], [[2]]], [[[3]]], [[[3]]]),
        ("assert f(", [[[1]]], [[[3]]], [[[3]]]),
        ("", [], [], []),
    ],
)
def test_types_are_restored_as_far_as_attested(
    asserts: str, attested: list[Any], inputs: list[Any], right: list[Any]
) -> None:
    assert repr(restored("f", asserts, attested, inputs)) == repr(right)


values = st.recursive(
    st.integers() | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=3) | st.lists(inner, max_size=3).map(tuple),
)


def as_json(value: Any) -> Any:
    return [as_json(item) for item in value] if isinstance(value, list | tuple) else value


@given(st.lists(values, min_size=1, max_size=3))
def test_what_went_through_json_twice_is_the_same(arguments: list[Any]) -> None:
    text = f"assert f({', '.join(map(repr, arguments))}) == 1"
    plain = [as_json(value) for value in arguments]
    back = restored("f", text, [plain], [plain])[0]
    assert as_json(back) == plain
    assert [type(value) for value in back] == [type(value) for value in arguments]


def test_a_problem_of_mbpp_plus_gets_its_tuples() -> None:
    record = {
        "prompt": '"""Append."""\n',
        "entry_point": "add",
        "canonical_solution": "def add(items, more):\n    return more + tuple(items)\n",
        "base_input": [[[5], [9, 10]]],
        "plus_input": [[[], []], [[1], [[2], 3]]],
        "assertion": "assert add([5], (9, 10)) == (9, 10, 5)",
    }
    suite = problem_of(record).suite
    assert run_unit_tests(record["canonical_solution"], suite).passed == 3
    assert run_unit_tests("def add(items, more):\n    return (*more, *items)", suite).passed == 3
    assert run_unit_tests("def add(items, more):\n    return [*more, *items]", suite).passed == 0


@pytest.mark.parametrize(("json_sequences", "passed"), [(True, 2), (False, 1)])
def test_expected_results_out_of_json_know_no_tuples(json_sequences: bool, passed: int) -> None:
    suite = from_inputs("f", [[1], [2]], [[1, [2]], 4], json_sequences=json_sequences)
    code = "def f(n):\n    return (1, (2,)) if n == 1 else 4\n"
    assert run_unit_tests(code, suite).passed == passed


def test_problems_of_apps_know_no_tuples() -> None:
    pairs = {"fn_name": "f", "inputs": [[1]], "outputs": [[1, 2]]}
    suite = problem_of({"input_output": pairs}).suite
    assert run_unit_tests("def f(n):\n    return n, n + 1", suite).status == "passed"
    assert run_unit_tests("def f(n):\n    return {n, n + 1}", suite).status == "failed"
