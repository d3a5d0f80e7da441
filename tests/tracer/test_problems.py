"""Problems in their published shapes, and the code in a reply."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tracer.answers import Layout
from tracer.fences import fenced_blocks
from tracer.problems import Problem, find_code, problem_of, verdict_of
from tracer.records import Verdict
from tracer.unit_tests import TestReport, TestResult, from_asserts, run_unit_tests

FULL = "def f(n):\n    return n + 1\n"
PROMPT = 'from math import floor\n\nSTEP = 1\n\n\ndef f(n):\n    """Next."""\n'
PLAIN = Problem(from_asserts("f", ["assert f(1) == 2"]))
CONTINUED = Problem(from_asserts("f", ["assert f(1) == 2"]), PROMPT)


def works(code: str | Verdict) -> bool:
    assert isinstance(code, str), code
    space: dict[str, Any] = {}
    exec(code, space)
    return bool(space["f"](1) == 2)


@pytest.mark.parametrize(
    "reply",
    [
        FULL,
        f"```python\n{FULL}```",
        f"Here is the function:\n\n```python\n{FULL}",
        f"1. So:\n\n   ```python\n   {FULL.replace(chr(10), chr(10) + '   ')}\n   ```\n\n2. Done.",
        f"<think>hm ```x```</think>\n<answer>\n{FULL}</answer>",
        f"<answer>\n```\n{FULL}```\n</answer>",
        f"```python\n{FULL}```\nFor example:\n```python\nprint(f(1))\n```\ngives\n```\n2\n```",
        "    def f(n):\n        return n + 1\n",
        "f = lambda n: n + 1",
    ],
)
def test_whole_functions_are_found(reply: str) -> None:
    for problem in (PLAIN, CONTINUED):
        assert works(find_code(problem, reply))


@pytest.mark.parametrize(
    "reply",
    [
        "    return n + STEP\n",
        "\n    m = floor(n)\n    return m + STEP\n",
        "```python\n    return n + STEP\n```",
        "```python\nreturn n + STEP\n```",
        "```\nif n:\n    return n + STEP\nreturn STEP\n```",
        "<answer>\n    return n + STEP\n</answer>",
        "```python\ndef f(n):\n    return floor(n) + STEP\n```",
        "from __future__ import annotations\n\n\ndef f(n: Unknown):\n    return n + 1\n",
        f"{PROMPT}    return n + STEP\n",
    ],
)
def test_a_reply_may_continue_the_prompt(reply: str) -> None:
    assert works(find_code(CONTINUED, reply))


@pytest.mark.parametrize(
    ("reply", "layout", "status"),
    [
        ("", "any", "no_answer"),
        ("```python\n```", "any", "no_answer"),
        ("I can't (sorry)", "any", "unparsed"),
        ("<answer>a</answer><answer>b</answer>", "any", "unparsed"),
        ("def g(n):\n    return n + 1\n", "any", "incorrect"),
        (FULL, "think+answer", "unparsed"),
    ],
)
def test_replies_without_the_function(reply: str, layout: Layout, status: str) -> None:
    found = find_code(PLAIN, reply, layout)
    assert isinstance(found, Verdict)
    assert found.status == status
    assert found.reason


def test_fenced_blocks() -> None:
    text = "a\n```py\nx = 1\n```\nb\n  ~~~\n  y\n    z\n  ~~~\n````\n```\n````\n```\nopen"
    assert fenced_blocks(text) == ["x = 1", "y\n  z", "```", "open"]
    assert fenced_blocks("x") == []


CHECK = "def check(candidate):\n    assert candidate(1) == 2\n    assert candidate(-1) == 0\n"
RECORDS: dict[str, dict[str, Any]] = {
    "humaneval": {"prompt": PROMPT, "entry_point": "f", "test": CHECK},
    "mbpp": {"prompt": "Write it.", "code": FULL, "test_list": ["assert f(1) == 2"]},
    "mbpp without a reference": {"test_list": ["assert f(1) == 2", "assert len([f(2)]) == 1"]},
    "evalplus": {
        "prompt": PROMPT,
        "entry_point": "f",
        "canonical_solution": "    return n + STEP\n",
        "base_input": [[1], [2]],
        "plus_input": [[-5]],
        "atol": 0,
    },
    "apps with a function": {
        "input_output": json.dumps({"fn_name": "f", "inputs": [[1], [4]], "outputs": [2, 5]})
    },
}


@pytest.mark.parametrize("name", list(RECORDS))
def test_published_shapes(name: str) -> None:
    problem = problem_of(RECORDS[name])
    for body, status in ((FULL, "correct"), ("def f(n):\n    return n\n", "incorrect")):
        code = find_code(problem, f"```python\n{body}```")
        assert isinstance(code, str)
        assert verdict_of(run_unit_tests(code, problem.suite)).status == status


def test_programs_that_read_and_print() -> None:
    problem = problem_of({"input_output": {"inputs": ["3\n", "4"], "outputs": ["9 \n\n", "16"]}})
    for code, status in (("print(int(input()) ** 2)", "correct"), ("print(9)", "incorrect")):
        found = find_code(problem, f"```\n{code}\n```")
        assert isinstance(found, str)
        assert verdict_of(run_unit_tests(found, problem.suite)).status == status


def test_imports_that_only_the_reference_has_are_there_for_the_tests() -> None:
    record = {
        "code": "import sys\ndef f(n):\n    return sys.getsizeof(n)\n",
        "test_list": ["assert f(()) == sys.getsizeof(())"],
    }
    problem = problem_of(record)
    assert verdict_of(run_unit_tests(record["code"], problem.suite)).status == "correct"  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("record", "reason"),
    [
        ({}, "none of the keys"),
        ({"entry_point": "f"}, "none of the keys"),
        ({"test": CHECK}, "'entry_point' is missing"),
        ({"entry_point": "f", "test": "x = 1"}, "check"),
        ({"test_list": ["assert len([]) == 0"]}, "call no function"),
        ({"test_list": "assert f(1)"}, "no list"),
        ({"test_list": ["assert f(1) =="], "entry_point": "f"}, "not Python"),
        ({"input_output": "{"}, "'input_output'"),
        ({"input_output": {"inputs": ["1"], "outputs": []}}, "1 inputs"),
        ({"entry_point": "f", "base_input": [[1]]}, "'canonical_solution'"),
    ],
)
def test_records_that_are_no_problem(record: dict[str, Any], reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        problem_of(record)


def test_verdicts_of_reports() -> None:
    passed, failed = TestResult("passed"), TestResult("failed", "f(1) returned 3")
    broken, invalid = TestResult("infrastructure", "no fork"), TestResult("invalid", "bad test")
    for results, status in (
        ((passed, passed), "correct"),
        ((passed, invalid), "correct"),
        ((passed, failed), "incorrect"),
        ((passed, broken), "infrastructure"),
        ((invalid,), "infrastructure"),
    ):
        verdict = verdict_of(TestReport(results))
        assert verdict.status == status
        assert verdict.reason
