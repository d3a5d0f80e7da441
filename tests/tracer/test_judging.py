"""Many answers in one go: the same verdicts as one by one, in order, from any thread."""

from __future__ import annotations

import random
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from tracer.isolation import keeps_to_itself
from tracer.judging import ANSWER_LIMITS, Judge, Submission, submissions_of
from tracer.records import Call, Limits, Program, Question
from tracer.runner import Runner

SQUARE = Program("def f(x):\n    return x * x\n", "f")
NINE = Question("input", "", "assert f(3) == 9", ())
FAST = Limits(cpu_s=1.0, max_value_chars=ANSWER_LIMITS.max_value_chars)


@pytest.fixture(scope="module")
def judge() -> Iterator[Judge]:
    with Judge(FAST) as made:
        yield made


@pytest.fixture(scope="module")
def runner() -> Iterator[Runner]:
    with Runner(FAST) as made:
        yield made


def test_verdicts_stand_in_the_order_of_the_submissions(judge: Judge) -> None:
    output = Question("output", "", "9", ())
    replies = ["f(3)", "f(-3)", "f(4)", None, "f('a')", "x", "f(3.0)"]
    wanted = ["correct", "correct", "incorrect", "no_answer", "incorrect", "unparsed", "incorrect"]
    submissions = [Submission(NINE, reply, SQUARE) for reply in replies]
    submissions.insert(2, Submission(output, "9"))
    wanted.insert(2, "correct")
    assert [verdict.status for verdict in judge.judge(submissions)] == wanted
    for _ in range(3):
        order = random.Random(1).sample(range(len(replies) + 1), len(replies) + 1)
        shuffled = judge.judge([submissions[place] for place in order])
        assert [verdict.status for verdict in shuffled] == [wanted[place] for place in order]
    alone = [judge.judge([submission])[0].status for submission in submissions]
    assert alone == wanted


def test_a_hanging_answer_harms_no_other(judge: Judge) -> None:
    program = Program("def f(x):\n    while x == 5:\n        pass\n    return 9\n", "f")
    started = time.monotonic()
    submissions = [Submission(NINE, f"f({x})", program) for x in (4, 5, 6)]
    verdicts = judge.judge(submissions)
    assert [verdict.status for verdict in verdicts] == ["correct", "incorrect", "correct"]
    assert "timeout" in verdicts[1].reason
    assert time.monotonic() - started < 60


def test_it_works_in_threads(judge: Judge) -> None:
    with ThreadPoolExecutor(2) as pool:
        replies = ["f(-3)", "f(2)"] * 4
        found = pool.map(lambda reply: judge.judge([Submission(NINE, reply, SQUARE)])[0], replies)
        assert [verdict.status for verdict in found] == ["correct", "incorrect"] * 4


def test_a_long_run_and_a_long_value_are_right(judge: Judge) -> None:
    counting = Program(
        "def f(n):\n    t = 0\n    for i in range(n):\n        t += 1\n    return t\n", "f"
    )
    many = Question("input", "", "assert f(1) == 60000", ())
    assert judge.judge([Submission(many, "f(60000)", counting)])[0].status == "correct"
    text = "x" * 5000
    long = Question("input", "", f"assert f('a') == {text!r}", ())
    twice = Program("def f(s):\n    return s + s\n", "f")
    reply = f"f({text[:2500]!r})"
    assert judge.judge([Submission(long, reply, twice)])[0].status == "correct"


def test_luck_is_no_right_answer(judge: Judge) -> None:
    lucky = Program("def f(x):\n    return list({'a', 'b', 'c', 'd', x})\n", "f")
    key = "assert f(0) == ['a', 'b', 'c', 'd', 'e']"
    verdict = judge.judge([Submission(Question("input", "", key, ()), "f('e')", lucky)])[0]
    assert verdict.status == "incorrect"
    assert "nondeterministic" in verdict.reason


def test_a_bad_key_is_no_wrong_answer(judge: Judge) -> None:
    for kind, key, reply in (
        ("output", "f(3)", "9"),
        ("input", "f(3)", "f(1)"),
        ("input", "assert f(3) == g", "f(1)"),
        ("variable_state", "9", "9; int"),
    ):
        verdict = judge.judge([Submission(Question(kind, "", key, ()), reply, SQUARE)])[0]
        assert verdict.status == "infrastructure", (kind, key)
    with pytest.raises(ValueError, match="unknown question kind"):
        judge.judge([Submission(Question("colour", "", "red", ()), "red")])


def test_a_program_that_cannot_run_is_no_wrong_answer(judge: Judge) -> None:
    broken = Program("def g(x):\n    return 1\n", "f")
    assert judge.judge([Submission(NINE, "f(-3)", broken)])[0].status == "infrastructure"
    assert judge.judge([Submission(NINE, "f(-3)")])[0].status == "infrastructure"


def test_replies_to_several_questions() -> None:
    questions = {"q1": Question("output", "", "9", ()), "q2": Question("output", "", "'a'", ())}
    for reply in ('<answer>{"q2": "\'a\'", "q1": "9"}</answer>', "9\n\n'a'", "q2: 'a'\nq1: 9"):
        found = submissions_of(reply, questions, SQUARE)
        assert [each.question for each in found] == list(questions.values())
        with Judge() as one:
            assert [v.status for v in one.judge(found)] == ["correct", "correct"]


STATES = [
    ("seen = []\ndef f(x):\n    seen.append(x)\n    return len(seen)\n", True),
    ("def f(x, seen=[]):\n    seen.append(x)\n    return len(seen)\n", True),
    (
        "class C:\n    n = 0\ndef f(x):\n    C.n += 1\n    return C.n\n",
        True,
    ),
    ("import math\ndef f(x):\n    math.n = getattr(math, 'n', 0) + 1\n    return math.n\n", False),
    ("import math as m\ndef f(x):\n    m.pi += 1\n    return m.pi < 5\n", False),
    ("import random\ndef f(x):\n    return random.random() < 2\n", False),
    (
        "import sys\ndef f(x):\n    sys.n = getattr(sys, 'n', 0) + 1\n    return sys.n\n",
        False,
    ),
    (
        "def f(x):\n    b = __builtins__\n    b = b if isinstance(b, dict) else b.__dict__\n"
        "    b['n'] = b.get('n', 0) + 1\n    return b['n']\n",
        False,
    ),
    (
        "def f(x):\n    g = (i for i in [1])\n    b = g.gi_frame.f_builtins\n"
        "    b['n'] = b.get('n', 0) + 1\n    return b['n']\n",
        False,
    ),
    ("def f(x):\n    input()\n    return 1\n", False),
]


@pytest.mark.parametrize(("source", "shared"), STATES, ids=range(len(STATES)))
def test_no_call_sees_another(runner: Runner, source: str, shared: bool) -> None:
    assert keeps_to_itself(source) is shared
    calls = [(Program(source, "f"), Call(text)) for text in ("1", "2", "3", "1")]
    together = runner.run_many([*calls, (SQUARE, Call("5"))])[:-1]
    assert together == tuple(runner.run_many([call])[0] for call in calls)
    assert {(o.kind, o.value) for o in together} in (
        {("returned", "1")},
        {("returned", "True")},
        {("raised", None)},
    )


def test_outcomes_of_many_calls(runner: Runner) -> None:
    program = Program(
        "def f(x):\n"
        "    if x == 'deep':\n        return f(x)\n"
        "    if x == 'out':\n        print('x' * 5_000_000)\n"
        "    if x == 'big':\n        return bytearray(10**10)\n"
        "    return 10 // x\n",
        "f",
    )
    texts = ("1", "0", "'deep'", "'out'", "'big'", "'a'", "2", "1")
    outcomes = runner.run_many([(program, Call(text)) for text in texts])
    kinds = [outcome.kind for outcome in outcomes]
    assert kinds == [
        *("returned", "raised", "raised", "output_limit"),
        *("memory", "raised", "returned", "returned"),
    ]
    assert [outcome.value for outcome in outcomes[-2:]] == ["5", "10"]
    assert outcomes[2].type == "RecursionError"


def test_more_calls_than_a_process_takes(runner: Runner) -> None:
    cube = Program("def f(x):\n    return x ** 3\n", "f")
    calls = [(program, Call(str(n))) for n in range(75) for program in (SQUARE, cube)]
    outcomes = runner.run_many(calls)
    assert [o.value for o in outcomes] == [str(n**power) for n in range(75) for power in (2, 3)]
    assert runner.run_many([]) == ()


def test_a_program_that_cannot_be_run_harms_no_other(runner: Runner) -> None:
    programs = [
        SQUARE,
        Program("def f(x:\n", "f"),
        Program("def g(x):\n    return 1\n", "f"),
        Program("1 / 0\n", "f"),
        Program("async def f(x):\n    return 1\n", "f"),
        SQUARE,
    ]
    outcomes = runner.run_many([(program, Call(str(n))) for n, program in enumerate(programs)])
    kinds = ["bad_program"] * 3 + ["unsupported"]
    assert [outcome.kind for outcome in outcomes] == ["returned", *kinds, "returned"]
    assert outcomes[-1].value == "25"
