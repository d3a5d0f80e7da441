"""Judging replies: nothing is run, types are strict, our own failures are no wrong answers."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import values

from tracer.records import Call, Limits, Outcome, Program, Question, Trace
from tracer.runner import Runner
from tracer.values import canonical, type_text
from tracer.verification import verify, verify_answer

SQUARE = Program("def f(x):\n    return x * x\n", "f")
INPUT = Question("input", "", "assert f(3) == 9", ())
NEXT = Question("next_statement", "", "2", (), line=1)
STATE = Question("variable_state", "", json.dumps({"value": "[1, 2]", "type": "list"}), ())


def _output(key: str) -> Question:
    return Question("output", "", key, ())


@pytest.fixture(scope="module")
def runner() -> Iterator[Runner]:
    with Runner() as made:
        yield made


def _outcomes(kind: str, value: str | None = None) -> Any:
    """A runner whose every run ends in one way."""

    class Fixed:
        def run(self, program: Program, call: Call) -> Trace:
            outcome = Outcome(kind, value=value)  # type: ignore[arg-type]
            return Trace(program, call.args, outcome, True, "", "3.11", (), (), ())

    return Fixed()


@pytest.mark.parametrize(
    "answer",
    [
        "f(3)",
        "f(-3)",
        "f(x=3)",
        "f(x=-3)",
        "3",
        "-3",
        "x=-3",
        "f(\n-3\n)",
        "assert f(-3) == 9",
        "```python\nf(-3)\n```",
        "<answer>f(-3)</answer>",
    ],
)
def test_right_inputs(runner: Runner, answer: str) -> None:
    assert verify(INPUT, answer, program=SQUARE, runner=runner).status == "correct"


@pytest.mark.parametrize(
    ("answer", "status", "reason"),
    [
        ("f(4)", "incorrect", "the call returns 16"),
        ("f(3.0)", "incorrect", "the call returns 9.0"),
        ("f('a')", "incorrect", "raised TypeError"),
        ("f()", "incorrect", "raised TypeError"),
        ("f(1, 2)", "incorrect", "raised TypeError"),
        ("assert f(3) == 10", "incorrect", "another value"),
        ("assert f(4) == 16", "incorrect", "another value"),
        ("assert f(1)==f(1)", "unparsed", ""),
        ("assert True", "unparsed", ""),
        ("pass", "unparsed", ""),
        ("sys.exit(0)", "unparsed", ""),
        ("import sys\nsys.exit(0)", "unparsed", ""),
        ("def f(x): return 9", "unparsed", ""),
        ("def f(x):\n    return 9\nassert f(1) == 9", "unparsed", ""),
        ("f(type('X', (), {'__mul__': lambda *a: 9})())", "unparsed", ""),
        ("g(3)", "unparsed", ""),
        ("", "no_answer", ""),
        ("<think></think><answer></answer>", "no_answer", ""),
    ],
)
def test_wrong_inputs(runner: Runner, answer: str, status: str, reason: str) -> None:
    verdict = verify(INPUT, answer, program=SQUARE, runner=runner)
    assert verdict.status == status
    assert reason in verdict.reason
    assert verdict.expected == INPUT.key


def test_arguments_without_a_literal_are_run(runner: Runner) -> None:
    program = Program("def f(xs, n):\n    return [len(xs), n]\n", "f")
    question = Question("input", "", "assert f([1], 2) == [1, float('inf')]", ())
    for answer in (
        "f({1}, float('inf'))",
        "f(collections.deque([1]), inf)",
        "f('\\udfff', float('inf'))",
        "f(range(1), n=float('inf'))",
    ):
        assert verify(question, answer, program=program, runner=runner).status == "correct"


def test_the_key_needs_no_run() -> None:
    for answer in (INPUT.key, "f(3)", "3", "f( 3 )"):
        assert verify(INPUT, answer).status == "correct"
    valid = Question("input", "", INPUT.key, ("f(-3)",))
    assert verify(valid, "-3").status == "correct"


@pytest.mark.parametrize("kind", ["infrastructure", "bad_program", "disturbed"])
def test_failures_of_ours_are_no_wrong_answers(kind: str) -> None:
    verdict = verify(INPUT, "f(4)", program=SQUARE, runner=_outcomes(kind))
    assert verdict.status == "infrastructure"
    assert kind in verdict.reason


@pytest.mark.parametrize(
    "kind", ["raised", "timeout", "step_limit", "memory", "output_limit", "blocked", "crashed"]
)
def test_calls_that_do_not_return_are_wrong(kind: str) -> None:
    verdict = verify(INPUT, "f(4)", program=SQUARE, runner=_outcomes(kind))
    assert verdict.status == "incorrect"
    assert kind in verdict.reason


def test_values_that_are_no_literal_are_wrong() -> None:
    for value in ("<Yes>", "too_large(9)", "[<function>]"):
        verdict = verify(INPUT, "f(4)", program=SQUARE, runner=_outcomes("returned", value))
        assert verdict.status == "incorrect"


def test_a_runner_that_fails_or_lacks() -> None:
    class Broken:
        def run(self, program: Program, call: Call) -> Trace:
            raise OSError("no process")

    assert verify(INPUT, "f(4)", program=SQUARE, runner=Broken()).status == "infrastructure"
    assert verify(INPUT, "f(4)", program=SQUARE).status == "infrastructure"
    assert verify(INPUT, "f(4)", runner=_outcomes("returned", "9")).status == "infrastructure"


def test_one_bad_answer_does_not_spoil_the_batch() -> None:
    source = (
        "import os\n\ndef f(x):\n    if x == 2:\n        raise SystemExit(0)\n"
        "    while x == 3:\n        pass\n    if x == 4:\n        os.kill(os.getpid(), 9)\n"
        "    return abs(x) + 1\n"
    )
    question = Question("input", "", "assert f(1) == 2", ())
    with Runner(Limits(cpu_s=1, wall_s=5)) as small:
        verdicts = [
            verify(question, f"f({x})", program=Program(source, "f"), runner=small)
            for x in (1, 2, 3, 4, -1)
        ]
    statuses = [verdict.status for verdict in verdicts]
    assert statuses == ["correct", "incorrect", "incorrect", "incorrect", "correct"]


def _score(rows: list[tuple[str, str]]) -> list[int]:
    return [int(verify(_output(truth), answer).status == "correct") for truth, answer in rows]


def test_big_ints_are_not_close() -> None:
    rows = [
        ("50000000000000000", "50000000000000001"),
        ("[1, 50000000000000000]", "[1, 50000000000000001]"),
        ("0.30000000000000004", "0.3"),
        ("1000000", "1000001"),
        ("0.30000000000000004", "0.30000000000000004"),
    ]
    assert _score(rows) == [0, 0, 0, 0, 1]


def test_empty_does_not_match_everything() -> None:
    rows = [
        ("[1.1]", "[]"),
        ("[1.1]", "1.1"),
        ("[]", "[]"),
        ("[1.1, 2.2]", "[1.1]"),
        ("[[1.0], []]", "[[1.0], [0.0]]"),
    ]
    assert _score(rows) == [0, 0, 1, 0, 0]


def test_types_are_exact() -> None:
    rows = [
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
    ]
    assert _score(rows) == [1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1]


@pytest.mark.parametrize(
    "value",
    [
        set(),
        {2, 1},
        frozenset({1}),
        float("inf"),
        float("nan"),
        range(3),
        -0.0,
        1e999,
        b"\xff",
        1 + 2j,
        complex(0.0, -2.0),
        ...,
        {1: {2}},
        [float("-inf")],
        "\udfff",
        {float("nan"): 1},
    ],
    ids=range(16),
)
def test_a_value_is_right_in_its_own_spelling(value: Any) -> None:
    question = _output(canonical(value))
    assert verify(question, question.key).status == "correct"
    assert verify(question, repr(value)).status == "correct"


def test_answers_are_never_run() -> None:
    marker = Path("/tmp/tracefoundry_answer_was_run")
    answers = [
        f"__import__('os').system('touch {marker}')",
        "[].__class__.__base__.__subclasses__()",
        "(lambda: 0)()",
        "f'{open(\"/etc/hostname\").read()}'",
        "assert f(0)==f(0)",
        "assert f(9) or True",
        "0 == 0 or 1",
        f"__import__('os').system('touch {marker}') or 0",
        "0",
    ]
    statuses = [verify(_output("0"), answer).status for answer in answers]
    assert statuses == ["unparsed"] * 8 + ["correct"]
    assert not marker.exists()
    assert os.getpid() > 0


def test_the_same_call_in_another_spelling() -> None:
    assert verify(_output("'a==b'"), "assert f('x') == 'a==b'").status == "correct"
    question = Question("input", "", "assert f('ab', [1, 2]) == 1", ())
    for answer in ('f("ab", [1,\n 2])', "assert f('ab', [1,2]) == 1", "'ab', [1, 2]"):
        assert verify(question, answer).status == "correct"


@pytest.mark.parametrize(
    ("answer", "status"),
    [
        ("2", "correct"),
        ("line 2", "correct"),
        ("Line 2.", "correct"),
        ("`2`", "correct"),
        ("02", "correct"),
        ("y = 1", "correct"),
        ("    y = 1", "correct"),
        ("3", "incorrect"),
        ("terminates", "incorrect"),
        ("Terminates.", "incorrect"),
        ("x += 1", "unparsed"),
        ("return x", "incorrect"),
        ("the second", "unparsed"),
        ("2 or 3", "unparsed"),
        ("-2", "unparsed"),
        ("2.0", "unparsed"),
        ("", "no_answer"),
    ],
)
def test_next_statement(answer: str, status: str) -> None:
    program = Program("x += 1\ny = 1\nx += 1\nreturn x\n", "f")
    assert verify(NEXT, answer, program=program).status == status


def test_the_text_of_a_line_needs_the_program() -> None:
    assert verify(NEXT, "y = 1").status == "unparsed"
    end = Question("next_statement", "", "terminates", ())
    assert verify(end, "terminates").status == "correct"
    assert verify(end, "2").status == "incorrect"


@pytest.mark.parametrize(
    ("answer", "status", "reason"),
    [
        ("[1, 2]; list", "correct", ""),
        ('{"value": "[1, 2]", "type": "list"}', "correct", ""),
        ('{"value": [1, 2], "type": "list"}', "correct", ""),
        ("[1, 2]; tuple", "incorrect", "type"),
        ("[1, 3]; list", "incorrect", "value"),
        ("(1, 2); list", "incorrect", "value"),
        ("[1, 2.0]; list", "incorrect", "value"),
        ("[1, 2]", "unparsed", "the type is missing"),
        ("<answer></answer>", "no_answer", ""),
    ],
)
def test_variable_state(answer: str, status: str, reason: str) -> None:
    verdict = verify(STATE, answer)
    assert verdict.status == status
    assert reason in verdict.reason


def test_short_names_of_types_are_right() -> None:
    key = json.dumps({"value": "collections.deque([1])", "type": "collections.deque"})
    question = Question("variable_state", "", key, ())
    for answer in ("deque([1]); deque", "collections.deque([1]); collections.deque"):
        assert verify(question, answer).status == "correct"


@given(values)
def test_keys_of_all_values_are_right(value: Any) -> None:
    text, kind = canonical(value), type_text(value)
    state = Question("variable_state", "", json.dumps({"value": text, "type": kind}), ())
    call = Question("input", "", f"assert f({text}) == {text}", ())
    for question in (_output(text), state, call):
        assert verify_answer(question, question.key).status == "correct"
    assert verify_answer(_output(text), f"[{text}]").status == "incorrect"
    assert verify_answer(state, f"[{text}]; {kind}").status == "incorrect"
    assert verify_answer(state, f"{text}; {kind}x").status == "incorrect"


@given(st.text(max_size=60) | values.map(canonical) | st.from_regex(r"assert f\(.*\) == .*"))
def test_judging_never_raises(reply: str) -> None:
    for question in (_output("[1, 2]"), INPUT, NEXT, STATE):
        verdict = verify(question, reply, program=SQUARE, runner=_outcomes("returned", "9"))
        assert verdict.status in ("correct", "incorrect", "unparsed", "no_answer")
        assert verdict.reason


def test_layouts_are_applied(runner: Runner) -> None:
    reply = "<think>\nx becomes 7\n</think>\n\n7\n"
    assert verify(_output("7"), reply).status == "correct"
    assert verify(_output("7"), reply, layout="think").status == "correct"
    assert verify(_output("7"), reply, layout="think+answer").status == "no_answer"
    two = "<answer>7</answer><answer>8</answer>"
    assert verify(_output("7"), two).status == "unparsed"


def test_long_answers_are_shown_short() -> None:
    verdict = verify(_output("7"), str([1] * 9000))
    assert verdict.status == "incorrect"
    assert verdict.got is not None
    assert len(verdict.got) < 1100
    assert verify(_output("7"), "1" * 300_000).status == "unparsed"


def test_an_unknown_kind_is_our_mistake() -> None:
    with pytest.raises(ValueError, match="unknown question kind 'colour'"):
        verify(Question("colour", "", "1", ()), "1")
