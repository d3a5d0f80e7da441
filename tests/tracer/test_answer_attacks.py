"""Answers that earn what they don't deserve elsewhere: each is paid by a grader of
`answer_graders` and by none of ours.

Sources: PITFALLS seen in public graders; every kind is one mechanism, every entry another way to
use it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import answer_graders as naive
import pytest

from tracer.judging import Judge, Submission, submissions_of
from tracer.records import Program, Question
from tracer.rewards import format_reward, stage1_reward

SQUARE = Program("def f(x):\n    return x * x\n", "f")
NINE = Question("input", "", "assert f(3) == 9", ())
NEXT = Question("next_statement", "", "2", (), line=1)
BRANCH = Question("branch", "", "yes", ())
COUNT = Question("loop_count", "", "3", ())
STACK = Question("call_stack", "", "f > half", ())
RAISED = Question("exception", "", "ZeroDivisionError", ())

Grader = Callable[[Program, Question, str], bool]


@dataclass(frozen=True)
class Attack:
    question: Question
    answer: str


@dataclass(frozen=True)
class Kind:
    pays: Grader
    attacks: tuple[Attack, ...]


def against(question: Question, *answers: str) -> tuple[Attack, ...]:
    return tuple(Attack(question, answer) for answer in answers)


def value(key: str) -> Question:
    return Question("output", "", key, ())


def state(key: str, kind: str) -> Question:
    return Question("variable_state", "", json.dumps({"value": key, "type": kind}), ())


def pairs(*each: tuple[str, str]) -> tuple[Attack, ...]:
    return tuple(Attack(value(key), answer) for key, answer in each)


KINDS: dict[str, Kind] = {
    "the answer's own code passes": Kind(
        naive.runs_the_answer,
        against(
            NINE,
            "assert True",
            "pass",
            "assert f(1) == f(1)",
            "def f(x): return 9\nassert f(1) == 9",
            "f = lambda x: 9\nassert f(0) == 9",
            "try:\n    assert f(1) == 9\nexcept AssertionError:\n    pass",
            "if f(1) == 9: assert f(1) == 9",
            "class A: pass\nA.f = f",
            "# f(3)",
            '"""assert f(1) == 9"""',
            "exec('f = lambda x: 9', globals())\nassert f(1) == 9",
        ),
    ),
    "the answer leaves early": Kind(
        naive.runs_the_answer_elsewhere,
        against(
            NINE,
            "sys.exit(0)",
            "raise SystemExit",
            "os._exit(0)",
            "assert f(2) == __import__('os')._exit(0)",
            "f(sys.exit(0))",
            "os.execv('/bin/true', ['true'])",
            "import threading; threading.excepthook = sys.excepthook = lambda *_: os._exit(0); 1/0",
        ),
    ),
    "the answer is about another value": Kind(
        naive.runs_the_answer,
        against(
            NINE,
            "assert f(4) == 16",
            "assert f(4) != 9",
            "assert f(4) in [9, 16]",
            "assert not f(4) == 9",
            "assert f(4) > 9",
            "assert f(4) or f(4) == 9",
            "assert isinstance(f(4), int)",
            "assert f(2) == 4 == 4",
        ),
    ),
    "the answer is evaluated beside the program": Kind(
        naive.asserts_the_answer,
        against(
            value("9"),
            "f(3)",
            "f(9) or True",
            "9 == 9 or 1",
            "(lambda: f(3))()",
            "globals()['f'](3)",
            "next(x for x in range(100) if x == f(3))",
            "exit() or 9",
            "f(3) if True else 8",
            "8 or True",
            "max(f(3), 0)",
            "f(x := 3)",
        ),
    ),
    "the answer is computed": Kind(
        naive.evaluates_the_answer,
        against(
            value("0"),
            "__import__('os').system('true')",
            "(lambda: 0)()",
            "len([].__class__.__base__.__subclasses__()) * 0",
            "print(end='') or 0",
            "sum([])",
            "0 if 1 else 8",
            "[0][-1]",
            "7 - 7",
            "len('')",
        ),
    ),
    "the answer is an object with its own equality": Kind(
        naive.evaluates_the_answer,
        against(
            value("9"),
            "type('Yes', (), {'__eq__': lambda s, o: True})()",
            "type('Yes', (int,), {'__eq__': lambda s, o: True})(8)",
            "type('Yes', (str,), {'__eq__': lambda s, o: True})()",
            "type('M', (type,), {'__eq__': lambda s, o: True, '__hash__': None})('Y', (), {})",
            "__import__('unittest.mock').mock.ANY",
            "type('Yes', (), {'__eq__': lambda s, o: 'truthy'})()",
        ),
    ),
    "what follows the last equals sign": Kind(
        naive.takes_what_follows_the_last_equals,
        against(
            value("9"),
            "f(3) == 8 == 9",
            "8  # == 9",
            "f(3) != 8 == 9",
            "not f(3) == 9",
            "lambda: 0 == 9",
            "assert f(3) == 8 or 1 == 9",
            "f(3) == 8, 1 == 9",
            "8 if f(3) else 1 == 9",
        )
        + against(value("'b'"), "assert f(3) == 'a' or f(1) == 'b'"),
    ),
    "types that compare equal": Kind(
        naive.evaluates_the_answer,
        pairs(
            ("1", "True"),
            ("1.0", "1"),
            ("[True, 0]", "[1, False]"),
            ("{1: 'a'}", "{True: 'a'}"),
            ("{1, 2}", "{1.0, 2}"),
            ("0.0", "-0.0"),
            ("{1}", "frozenset({1})"),
            ("b'a'", "bytearray(b'a')"),
            ("collections.Counter({'a': 1})", "{'a': 1}"),
            ("collections.OrderedDict([('a', 1)])", "{'a': 1}"),
            ("collections.defaultdict(int, {'a': 1})", "collections.defaultdict(list, {'a': 1})"),
            ("1", "(1+0j)"),
            ("1.333335333334e+18", "1333335333334000128"),
            ("collections.deque([1])", "collections.deque([1], maxlen=4)"),
        ),
    ),
    "the key stands somewhere in the answer": Kind(
        naive.finds_the_key_in_the_answer,
        pairs(
            ("3", "[5, 12, 31]"),
            ("3", "13"),
            ("3", "3.5"),
            ("3", "'3'"),
            ("3", "-3"),
            ("3", "it is 2, not 3"),
            ("'a'", "['a']"),
            ("True", "[True]"),
            ("3", "2  # 3"),
        )
        + against(COUNT, "13", "0 or 3", "30", "3.0")
        + against(BRANCH, "yes and no", "eyes", "no (not yes)", "yesterday"),
    ),
    "texts are normalised before they are compared": Kind(
        naive.compares_normalised_texts,
        pairs(
            ("'Ab c'", "'abc'"),
            ("'Ab c'", "'AB C'"),
            ("'Ab c'", "' Ab c'"),
            ("'Ab c'", "'Ab  c'"),
            ("'1'", "1"),
            ("1", "'1'"),
            ("['a', 'b']", "['a, b']"),
            ("'True'", "True"),
            ("12", "1 2"),
        ),
    ),
    "numbers that are close": Kind(
        naive.calls_close_numbers_equal,
        pairs(
            ("50000000000000000", "50000000000000001"),
            ("[1, 50000000000000000]", "[1, 50000000000000001]"),
            ("0.30000000000000004", "0.3"),
            ("1000000", "1000001"),
            ("0.0", "1e-12"),
            ("(1.0, 2.0)", "(1.0, 2.0000001)"),
            ("(1+2j)", "(1+2.0000001j)"),
            ("1e+20", "100000000000000000001"),
        ),
    ),
    "only what both have is compared": Kind(
        naive.compares_what_both_have,
        pairs(
            ("[1.1]", "[]"),
            ("[1.1]", "1.1"),
            ("[1.1, 2.2]", "[1.1]"),
            ("[[1.0], []]", "[[1.0], [0.0]]"),
            ("'abc'", "'ab'"),
            ("(1, 2)", "[1, 2]"),
            ("{1: 2}", "{1: 3}"),
            ("[2, 2, 2]", "2"),
            ("[]", "[1, 2]"),
        ),
    ),
    "several candidates": Kind(
        naive.accepts_any_candidate,
        against(value("9"), "8\n9", "8 or 9", "8, 9", "9; 8", "8/9", "8 | 9", "9,")
        + against(NEXT, "1\n2", "2 or 3", "1, 2")
        + against(BRANCH, "yes or no", "no, yes"),
    ),
    "several or unfinished blocks": Kind(
        naive.accepts_any_block,
        against(
            value("9"),
            "<answer>8</answer><answer>9</answer>",
            "<answer>9</answer><answer>8</answer>",
            "<answer><answer>9</answer></answer>",
            "<think><answer>9</answer></think>8",
            "<think>so <answer>9</answer>",
            "[ANSWER]8[/ANSWER][ANSWER]9[/ANSWER]",
            "<answer>8</answer> [ANSWER]9[/ANSWER]",
            "<answer>9",
            "write <answer>9</answer>: <answer>8</answer>",
        ),
    ),
    "a type that includes the right one": Kind(
        naive.checks_types_loosely,
        against(state("12", "int"), "12; t", "12;", "12.0; int", "12; INT")
        + against(state("True", "bool"), "1; bool", "True; l")
        + against(state("bytearray(b'a')", "bytearray"), "b'a'; array")
        + against(
            state("collections.defaultdict(int, {'a': 1})", "collections.defaultdict"),
            "{'a': 1}; dict",
            "collections.defaultdict(int, {'a': 1}); dict",
        )
        + against(state("frozenset({1})", "frozenset"), "{1}; set", "frozenset({1}); set"),
    ),
    "a number somewhere": Kind(
        naive.finds_a_number,
        against(NEXT, "1, 2, 3", "not 2", "2 or 3", "line 3 (not 2)", "2.0", "-2", "x = 2")
        + against(COUNT, "2 + 3", "3 or 4", "-3", "f(3)"),
    ),
    "names in any order, with others": Kind(
        naive.compares_sets_of_names,
        against(
            STACK,
            "half > f",
            "f > half > half",
            "f > f > half",
            "f > g > half",
            "main > f > half",
            "f > half > f",
        ),
    ),
    "an exception that includes the right one": Kind(
        naive.accepts_base_classes,
        against(
            RAISED,
            "Exception",
            "BaseException",
            "ArithmeticError",
            "ValueError, ZeroDivisionError",
            "ZeroDivisionError or ValueError",
            "object",
        ),
    ),
}

EACH = [
    pytest.param(kind.pays, attack, id=f"{name}: {attack.answer}"[:70])
    for name, kind in KINDS.items()
    for attack in kind.attacks
]


@pytest.fixture(scope="module")
def judge() -> Iterator[Judge]:
    with Judge() as made:
        yield made


def test_there_are_many_kinds_and_ways() -> None:
    assert len(KINDS) >= 12
    for kind in KINDS.values():
        assert len({(a.question, a.answer) for a in kind.attacks}) == len(kind.attacks) >= 6


@pytest.mark.parametrize(("pays", "attack"), EACH)
def test_a_naive_grader_pays(pays: Grader, attack: Attack) -> None:
    assert pays(SQUARE, attack.question, attack.answer)


@pytest.mark.parametrize(("pays", "attack"), EACH)
def test_ours_does_not(judge: Judge, pays: Grader, attack: Attack) -> None:
    for reply in (attack.answer, f"<answer>{attack.answer}</answer>", f"```\n{attack.answer}\n```"):
        (verdict,) = judge.judge([Submission(attack.question, reply, SQUARE)])
        assert verdict.status in ("incorrect", "unparsed", "no_answer"), (reply, verdict)
        assert verdict.reason


FORMATS = (
    "<think></think><answer></answer>",
    "<think> </think><answer>\n</answer>",
    "<think>a</think><answer></answer>",
    "<think></think><answer>9</answer>",
    "<think>a</think><answer>9</answer><answer>8</answer>",
    "<think>a</think>b<answer>9</answer>",
    "<think>a</think><answer>9</answer>b",
    "<think><think>a</think></think><answer>9</answer>",
    "<think>a<answer>9</answer></think><answer>9</answer>",
    "<think>a</think><answer><answer>9</answer></answer>",
    "<think>a</think><answer>\n```\n```\n</answer>",
    "</think><think>a</think><answer>9</answer>",
)


@pytest.mark.parametrize("reply", FORMATS)
def test_formats(reply: str) -> None:
    assert naive.finds_the_tags(reply)
    assert format_reward(reply).total == 0.0


def test_one_line_more_or_less_shifts_no_answer(judge: Judge) -> None:
    """Answers by line: a naive grader pays for what stands in the right line by luck."""
    questions = {"q1": value("9"), "q2": value("'a'"), "q3": NEXT}
    for reply, right in (
        ("9\n'a'", 0),
        ("9\n'a'\n2\n3", 0),
        ("8\n9\n'a'\n2", 0),
        ("\n9\n\n'a'\n\n2\n", 3),
        ("q3: 2\nq1: 9\nq2: 'a'", 3),
        ('{"q3": "2", "q1": "9", "q2": "\'a\'"}', 3),
        ('{"q1": "\'a\'", "q2": "9", "q3": "9"}', 0),
        ('{"x1": "9", "x2": "\'a\'", "x3": "2"}', 0),
    ):
        verdicts = judge.judge(submissions_of(reply, questions, SQUARE))
        assert sum(verdict.status == "correct" for verdict in verdicts) == right, reply
        assert stage1_reward(verdicts[:2], verdicts[2:]).total == pytest.approx(
            {0: 0.0, 3: 2.0}[right]
        )


def test_equal_lines_are_told_apart(judge: Judge) -> None:
    twice = Program("def f(x):\n    x += 1\n    x += 1\n    y = x\n    return y\n", "f")
    question = Question("next_statement", "", "3", (), line=2)
    for reply, status in (("x += 1", "unparsed"), ("2", "incorrect"), ("line 3", "correct")):
        assert judge.judge([Submission(question, reply, twice)])[0].status == status
    last = Question("next_statement", "", "4", (), line=3)
    assert judge.judge([Submission(last, "y = x", twice)])[0].status == "correct"


def test_another_order_of_a_dict_is_another_input(judge: Judge) -> None:
    """A grader that looks the arguments up with `==` pays for what the program does not return."""
    program = Program("def f(d):\n    return list(d)\n", "f")
    question = Question("input", "", "assert f({'b': 1, 'a': 2}) == ['b', 'a']", ())
    for reply, status in (
        ("f({'b': 1, 'a': 2})", "correct"),
        ("f({'b': 0, 'a': 0})", "correct"),
        ("f({'a': 2, 'b': 1})", "incorrect"),
        ("f(d={'a': 2, 'b': 1})", "incorrect"),
    ):
        assert judge.judge([Submission(question, reply, program)])[0].status == status


def test_no_answer_is_ever_run(judge: Judge, tmp_path: Path) -> None:
    marker = str(tmp_path / "marker")
    for text in (f"open({marker!r}, 'w')", f"__import__('os').system('touch {marker}') or 9"):
        for question in (value("9"), NINE, state("9", "int"), NEXT, BRANCH, STACK, RAISED):
            for reply in (text, f"f({text})", f"assert f(3) == {text}", f"{text}; int"):
                judge.judge([Submission(question, reply, SQUARE)])
    assert not list(tmp_path.iterdir())
