"""Right answers are paid, however they are spelled; changed ones are not."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from spellings import answer_to, reply_with
from strategies import values

from tracer.answers import Layout
from tracer.derivation import derive
from tracer.judging import Judge, Submission, submissions_of
from tracer.questions import QUESTION_KINDS
from tracer.records import Call, Program, Question
from tracer.rewards import format_reward, stage1_reward
from tracer.runner import Runner
from tracer.values import canonical, type_text

PROGRAMS = Path(__file__).parents[1] / "programs"
CALLS = (
    ("aliasing", "f", ""),
    ("classes", "f", ""),
    ("exceptions", "parse", "'x'"),
    ("loops", "f", "[3, 1, 2], k=2"),
    ("matching", "f", "{'op': 'add', 'args': [1, 2]}"),
    ("recursion", "fact", "3"),
)
ALIAS = "def f(xs):\n    ys = xs\n    zs = xs[:]\n    xs.append(1)\n    return ys, zs\n"
RAISES = """\
def part(n):
    return 6 // n


def f(n):
    try:
        return part(n)
    except ZeroDivisionError:
        return part(1)
"""
ECHO = Program("def f(*args, **kwargs):\n    return 0\n", "f")

arguments = st.lists(values, max_size=3)
keywords = st.dictionaries(st.sampled_from(("a", "b", "k")), values, max_size=2)
positions = st.integers(1, 99).map(str)


def _call_question(args: list[Any], named: dict[str, Any]) -> Question:
    parts = [*map(canonical, args), *(f"{name}={canonical(v)}" for name, v in named.items())]
    return Question("input", "", f"assert f({', '.join(parts)}) == 0", ())


def _state_question(value: Any) -> Question:
    key = {"value": canonical(value), "type": type_text(value)}
    return Question("variable_state", "", json.dumps(key, ensure_ascii=False), ())


def _of(kind: str, keys: st.SearchStrategy[str]) -> st.SearchStrategy[Question]:
    return keys.map(lambda key: Question(kind, "", key, ()))


names = st.sampled_from(("f", "half", "Stack.push", "wrap.inner"))
errors = st.sampled_from(
    ("ZeroDivisionError", "KeyError", "MyError", "json.decoder.JSONDecodeError")
)
QUESTIONS: dict[str, st.SearchStrategy[Question]] = {
    "output": _of("output", values.map(canonical)),
    "input": st.builds(_call_question, arguments, keywords).filter(lambda q: "f()" not in q.key),
    "next_statement": _of("next_statement", positions | st.just("terminates")),
    "variable_state": values.map(_state_question),
    "executed": _of("executed", st.sampled_from(("yes", "no"))),
    "branch": _of("branch", st.sampled_from(("yes", "no"))),
    "loop_count": _of("loop_count", st.integers(0, 10_000).map(str)),
    "call_stack": _of("call_stack", st.lists(names, min_size=1, max_size=4).map(" > ".join)),
    "alias": _of("alias", st.sampled_from(("yes", "no"))),
    "exception": _of("exception", errors | st.just("returns")),
}


@pytest.fixture(scope="module")
def judge() -> Iterator[Judge]:
    with Judge() as made:
        yield made


def test_every_kind_has_its_spellings() -> None:
    assert list(QUESTIONS) == [kind.name for kind in QUESTION_KINDS]


def _check(judge: Judge, question: Question, seed: int) -> None:
    rng = random.Random(seed)
    answer = answer_to(question, rng)
    reply = reply_with(answer, rng)
    (verdict,) = judge.judge([Submission(question, reply, ECHO)])
    assert verdict.status == "correct", (question.key, reply, verdict)


@pytest.mark.parametrize("kind", list(QUESTIONS))
def test_right_answers_are_paid(judge: Judge, kind: str) -> None:
    @settings(max_examples=30)
    @given(QUESTIONS[kind], st.integers(0, 10**9))
    def check(question: Question, seed: int) -> None:
        _check(judge, question, seed)

    check()


@pytest.mark.slow
@pytest.mark.timeout(600)
@pytest.mark.parametrize("kind", list(QUESTIONS))
def test_ten_thousand_right_answers_are_paid(judge: Judge, kind: str) -> None:
    @settings(max_examples=1000, suppress_health_check=list(HealthCheck))
    @given(QUESTIONS[kind], st.integers(0, 10**9))
    def check(question: Question, seed: int) -> None:
        _check(judge, question, seed)

    check()


@pytest.fixture(scope="module")
def asked() -> list[tuple[Program, list[Question]]]:
    """Questions of every kind about real runs."""
    runs = [(Program((PROGRAMS / f"{n}.py").read_text(), f), args) for n, f, args in CALLS]
    runs += [
        (Program(ALIAS, "f"), "[]"),
        (Program(RAISES, "f"), "0"),
        (Program(RAISES, "part"), "0"),
    ]
    with Runner() as runner:
        return [
            (program, list(derive(runner.run(program, Call(args)), limit=20)))
            for program, args in runs
        ]


def test_every_key_earns_full_marks_and_a_changed_one_does_not(
    judge: Judge, asked: list[tuple[Program, list[Question]]]
) -> None:
    seen = set()
    for program, questions in asked:
        right = judge.judge([Submission(q, q.key, program) for q in questions])
        assert {verdict.status for verdict in right} <= {"correct"}
        wrong = judge.judge([Submission(q, _mutated(q), program) for q in questions])
        assert "correct" not in {verdict.status for verdict in wrong}
        seen |= {question.kind for question in questions}
    assert seen == set(QUESTIONS)


def test_one_reply_answers_all_questions_of_a_run(
    judge: Judge, asked: list[tuple[Program, list[Question]]]
) -> None:
    rng = random.Random(5)
    layout: Layout = "think+answer"
    for program, questions in asked:
        named = {f"q{place}": question for place, question in enumerate(questions)}
        answers = {name: question.key for name, question in named.items()}
        for mutated in (False, True):
            if mutated:
                answers = {name: _mutated(question) for name, question in named.items()}
            order = rng.sample(list(answers), len(answers))
            body = json.dumps({name: answers[name] for name in order}, indent=rng.choice((None, 1)))
            reply = f"<think>step by step</think>\n<answer>\n{body}\n</answer>"
            assert format_reward(reply).total == 1.0
            verdicts = judge.judge(submissions_of(reply, named, program, layout))
            io = [
                v for v, q in zip(verdicts, questions, strict=True) if q.kind in ("output", "input")
            ]
            rest = [v for v in verdicts if v not in io]
            assert stage1_reward(io, rest).total == (0.0 if mutated else 2.0)


def _mutated(question: Question) -> str:
    key = question.key
    if question.kind == "variable_state":
        return json.dumps({**json.loads(key), "type": "complex"})
    if question.kind == "input":
        return "f('no such argument', 0, 0, 0, 0)"
    changed = {"yes": "no", "no": "yes", "terminates": "1", "returns": "KeyError"}
    if key in changed:
        return changed[key]
    if question.kind in ("next_statement", "loop_count"):
        return str(int(key) + 1)
    if question.kind == "call_stack":
        return f"{key} > f"
    if question.kind == "exception":
        return "returns"
    return f"[{key}]"
