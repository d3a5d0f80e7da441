"""Faults that users of other tools reported about rewards, each with the right value.

The number of an issue stands beside each; what is written here was run, not copied.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tracer.answers import read_reply
from tracer.derivation import derive
from tracer.judging import Judge, Submission
from tracer.problems import find_code, problem_of, verdict_of
from tracer.records import Call, Program, Question, Verdict
from tracer.rewards import answer_reward, format_reward
from tracer.runner import Runner
from tracer.unit_tests import run_unit_tests


@pytest.fixture(scope="module")
def judge() -> Iterator[Judge]:
    with Judge() as made:
        yield made


@pytest.fixture(scope="module")
def runner() -> Iterator[Runner]:
    with Runner() as made:
        yield made


def rewards(judge: Judge, *pairs: tuple[str, str]) -> list[float | None]:
    submissions = [Submission(Question("output", "", key, ()), answer) for key, answer in pairs]
    return [answer_reward(verdict).total for verdict in judge.judge(submissions)]


def test_lines_inside_the_tags(judge: Judge) -> None:
    """huggingface/open-r1#237"""
    reply = "<think>\n1. n is 3\n2. loop runs 3 times\n</think>\n\n<answer>\n[0, 1, 4]\n</answer>"
    assert format_reward(reply).total == 1.0
    assert rewards(judge, ("[0, 1, 4]", reply)) == [1.0]


def test_format_and_answer_agree() -> None:
    """huggingface/open-r1#489"""
    reply = "<think>\nx becomes 7\n</think>\n\n7"
    assert format_reward(reply, "think+answer").total == 0.0
    assert read_reply(reply, "think+answer").answer is None
    assert format_reward(reply, "think").total == 1.0
    assert read_reply(reply, "think").answer == "7"


@pytest.mark.parametrize(
    ("reply", "test"),
    [
        (
            "Here is the function:\n\n```python\nfrom typing import List\n\n"
            "def f(xs: List[int]) -> int:\n    return sum(x for x in xs if x > 0)\n",
            "assert f([3, -1, 4]) == 7",
        ),
        (
            "1. The solution:\n\n   ```python\n   def f(n):\n       if n < 2:\n"
            "           return n\n       return f(n - 1) + f(n - 2)\n   ```\n\n2. Done.\n",
            "assert f(10) == 55",
        ),
    ],
    ids=("lm-evaluation-harness#2648", "lm-evaluation-harness#3126"),
)
def test_fences_of_code(reply: str, test: str) -> None:
    problem = problem_of({"entry_point": "f", "test_list": [test]})
    code = find_code(problem, reply)
    assert isinstance(code, str)
    assert "solution:" not in code
    assert verdict_of(run_unit_tests(code, problem.suite)).status == "correct"


def test_stdout_is_compared_line_by_line() -> None:
    """huggingface/open-r1#504"""
    problem = problem_of({"input_output": {"inputs": [""], "outputs": ["1 2 3 \n4\n\n"]}})
    found = [
        verdict_of(run_unit_tests(f"print({text!r}, end='')", problem.suite)).status
        for text in ("1 2 3\n4\n", "1 2 3 4\n", "1 2  3\n4\n")
    ]
    assert found == ["correct", "incorrect", "incorrect"]


def test_large_ints_are_not_close(judge: Judge) -> None:
    """NVIDIA-NeMo/Gym#2956"""
    assert rewards(
        judge,
        ("50000000000000000", "50000000000000001"),
        ("[1, 50000000000000000]", "[1, 50000000000000001]"),
        ("0.30000000000000004", "0.3"),
        ("1000000", "1000001"),
        ("0.30000000000000004", "0.30000000000000004"),
    ) == [0, 0, 0, 0, 1]


def test_empty_matches_nothing_else(judge: Judge) -> None:
    """evalplus/evalplus#196"""
    assert rewards(
        judge,
        ("[1.1]", "[]"),
        ("[1.1]", "1.1"),
        ("[]", "[]"),
        ("[1.1, 2.2]", "[1.1]"),
        ("[[1.0], []]", "[[1.0], [0.0]]"),
    ) == [0, 0, 1, 0, 0]


def test_a_float_is_no_int(judge: Judge, runner: Runner) -> None:
    """evalplus/evalplus#308"""
    program = Program("def f(n):\n    return 2 * n * (n + 1) * (2 * n + 1) / 3\n", "f")
    traces = [runner.run(program, Call(args)) for args in ("1000000", "2")]
    key, small = (trace.outcome.value or "" for trace in traces)
    assert (key, small) == ("1.333335333334e+18", "20.0")
    answers = ("1.333335333334e+18", "1333335333334000128", "1333335333334000000")
    assert rewards(judge, *((key, answer) for answer in answers), (small, "20")) == [1, 0, 0, 0]


def test_types_count_at_every_depth_and_order_of_keys_does_not(judge: Judge) -> None:
    """camel-ai/camel#2133; -0.0 is not 0.0 here, as the docs say"""
    pairs = (
        ("1.0", "1.0"),
        ("1.0", "1"),
        ("1.0", "True"),
        ("1.0", "None"),
        ("1.0", "'1.0'"),
        ("True", "1"),
        ("[True, 0]", "[1, False]"),
        ("{1: 'a'}", "{True: 'a'}"),
        ("0.0", "-0.0"),
        ("(1, 2)", "[1, 2]"),
        ("{'b': 1, 'a': 2}", "{'a': 2, 'b': 1}"),
    )
    assert rewards(judge, *pairs) == [1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1]


@pytest.mark.parametrize(
    "expression",
    [
        *("set()", "{2, 1}", "frozenset({1})", "float('inf')", "float('nan')", "range(0, 3)"),
        *("-0.0", "1e999", "b'\\xff'", "(1+2j)", "...", "{1: {2}}"),
    ],
)
def test_a_value_is_right_against_itself(judge: Judge, runner: Runner, expression: str) -> None:
    """python/cpython#17742"""
    trace = runner.run(Program(f"def f():\n    return {expression}\n", "f"), Call(""))
    (question,) = derive(trace, ["output"])
    own = repr(eval(expression))
    found = judge.judge([Submission(question, text) for text in (question.key, own, expression)])
    literal = expression != "1e999"
    assert [verdict.status for verdict in found][: 3 if literal else 2] == ["correct"] * (
        2 + literal
    )


def test_no_text_is_run(judge: Judge, tmp_path: Path) -> None:
    """khoj-ai/khoj#1408"""
    answers = (
        f"__import__('os').system('touch {tmp_path}/marker')",
        "[].__class__.__base__.__subclasses__()",
        "(lambda: 0)()",
        "f'{open(\"/etc/hostname\").read()}'",
        "0",
    )
    assert rewards(judge, *(("0", answer) for answer in answers)) == [0, 0, 0, 0, 1]
    assert not list(tmp_path.iterdir())


def test_an_object_that_equals_everything(runner: Runner) -> None:
    """evalplus/evalplus#306"""
    source = (
        "class _Yes:\n"
        "    def __eq__(self, other):\n        return True\n"
        "    def __sub__(self, other):\n        return self\n"
        "    def __abs__(self):\n        return 0.0\n"
        "    def __hash__(self):\n        return 0\n"
        "    def __repr__(self):\n        return '9'\n\n\n"
        "def f(x):\n    return _Yes()\n"
    )
    problem = problem_of({"entry_point": "f", "test_list": ["assert f(3) == 9"]})
    code = find_code(problem, source)
    assert not isinstance(code, Verdict)
    assert verdict_of(run_unit_tests(code, problem.suite)).status == "incorrect"
    trace = runner.run(Program(source, "f"), Call("3"))
    assert trace.outcome.type == "_Yes"
    assert "output" not in {question.kind for question in derive(trace)}
