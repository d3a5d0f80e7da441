"""Finding the answer in a reply and parsing it."""

from __future__ import annotations

import json
from collections import defaultdict, deque
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import values

from tracer.answers import (
    MAX_CHARS,
    Layout,
    parse_call,
    parse_literal,
    parse_state,
    read_reply,
    same_type,
    split_answers,
)
from tracer.fences import unfence
from tracer.literals import NotFaithful
from tracer.values import canonical, equal, type_text


@pytest.mark.parametrize(
    ("reply", "answer"),
    [
        ("7", "7"),
        ("  7\n\n", "7"),
        ("<answer>7</answer>", "7"),
        ("It is 7.\n<answer>\n[0, 1, 4]\n</answer>\nDone.", "[0, 1, 4]"),
        ("<think>\n1. n is 3\n2. twice\n</think>\n\n<answer>\n[0, 1, 4]\n</answer>", "[0, 1, 4]"),
        ("<think>maybe <answer>8</answer>?</think><answer>7</answer>", "7"),
        ("<think>x becomes 7</think>\n\n7", "7"),
        ("<ANSWER>7</ANSWER>", "7"),
        ("[ANSWER]\nassert f(1) == 2\n[/ANSWER]", "assert f(1) == 2"),
        ("<answer>```python\n[1,\n 2]\n```</answer>", "[1,\n 2]"),
        ("<answer>\n```\n7\n</answer>", "7"),
        ("The value:\n```python\n7\n```\nas asked.", "7"),
        ("`7`", "7"),
        ("```[1, 2]```", "[1, 2]"),
        ("'`'", "'`'"),
    ],
)
def test_answers_are_found(reply: str, answer: str) -> None:
    reading = read_reply(reply)
    assert reading.answer == answer
    assert reading.well_formed
    assert not reading.problem


@pytest.mark.parametrize(
    ("reply", "empty"),
    [
        ("", True),
        (" \n", True),
        ("<answer></answer>", True),
        ("<think></think><answer></answer>", True),
        ("<answer>\n```\n```\n</answer>", True),
        ("<think>7 it must be", True),
        ("<think>so 7</think>", True),
        ("<answer>7</answer><answer>8</answer>", False),
        ("<answer>7", False),
        ("<answer><answer>7</answer></answer>", False),
        (f"<answer>{'1' * (MAX_CHARS + 1)}</answer>", False),
    ],
    ids=range(11),
)
def test_replies_without_an_answer(reply: str, empty: bool) -> None:
    reading = read_reply(reply)
    assert reading.answer is None
    assert not reading.well_formed
    assert reading.empty is empty
    assert reading.problem


THINKING = "<think>\nx becomes 7\n</think>\n\n7\n"
BOTH = "<think>\n1. n is 3\n2. loop runs 3 times\n</think>\n\n<answer>\n[0, 1, 4]\n</answer>\n"


@pytest.mark.parametrize(
    ("reply", "layout", "answer"),
    [
        (THINKING, "think", "7"),
        (THINKING, "think+answer", None),
        (THINKING, "any", "7"),
        (BOTH, "think+answer", "[0, 1, 4]"),
        (BOTH, "think", None),
        ("7", "think", None),
        ("<answer>7</answer>", "think+answer", None),
        ("<think></think><answer>7</answer>", "think+answer", None),
        ("<think>a</think><answer> </answer>", "think+answer", None),
        ("<think>a</think>b<answer>7</answer>", "think+answer", None),
        ("<think>a</think><answer>7</answer>b", "think+answer", None),
        ("<answer>7</answer><think>a</think>", "think+answer", None),
        ("<think>a</think><answer><answer>7</answer></answer>", "think+answer", None),
        ("<think><think>a</think></think><answer>7</answer>", "think+answer", None),
        ("<think>a</think><answer>7</answer><answer>8</answer>", "think+answer", None),
        ("<think>a</think>", "think", None),
        ("<think> </think>7", "think", None),
    ],
)
def test_layouts(reply: str, layout: Layout, answer: str | None) -> None:
    reading = read_reply(reply, layout)
    assert reading.answer == answer
    assert reading.well_formed is (answer is not None)


def test_an_unclosed_fence_ends_with_the_text() -> None:
    text = (
        "Here is the function:\n\n```python\nfrom typing import List\n\n"
        "def f(xs: List[int]) -> int:\n    return sum(x for x in xs if x > 0)\n"
    )
    space: dict[str, Any] = {}
    exec(unfence(text), space)
    assert space["f"]([3, -1, 4]) == 7
    assert "Here" not in unfence(text)


def test_an_indented_fence_keeps_its_code_in_shape() -> None:
    text = (
        "1. The solution:\n\n   ```python\n   def f(n):\n       if n < 2:\n           return n\n"
        "       return f(n - 1) + f(n - 2)\n   ```\n\n2. Done.\n"
    )
    space: dict[str, Any] = {}
    exec(unfence(text), space)
    assert space["f"](10) == 55


def test_the_last_fenced_block_counts() -> None:
    assert unfence("```\nf(1)\n```\nso\n~~~text\n7\n~~~") == "7"


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("8", 8),
        ("assert f(7) == 8", 8),
        ("f(7) == 8", 8),
        ("assert f('x') == 'a==b'", "a==b"),
        ("assert f([1,\n  2]) == [3,\n  4]", [3, 4]),
        ("assert f(7) == 8, 'eight'", 8),
        ("{'a': 1}", {"a": 1}),
        ("set([1])", {1}),
        ("frozenset([1])", frozenset({1})),
        ("nan", float("nan")),
        ("[-inf]", [float("-inf")]),
        ("range(3)", range(3)),
        ("-2j", complex(0.0, -2.0)),
    ],
)
def test_literals(text: str, value: Any) -> None:
    assert equal(parse_literal(text), value)


@pytest.mark.parametrize(
    "text",
    [
        "assert f(9)==f(9)",
        "assert f(9) or True",
        "assert True",
        "9 == 9 or 1",
        "9 == 9",
        "f(9)",
        "f(9) == 9 == 9",
        "f(9) is 9",
        "f(9) != 9",
        "__import__('os')._exit(0) or 9",
        "pass",
        "import sys; sys.exit(0)",
        "return 9",
        "x = 9",
        "the answer is 9",
    ],
)
def test_what_is_no_literal_answer(text: str) -> None:
    with pytest.raises(NotFaithful):
        parse_literal(text)


@given(values)
def test_the_own_spelling_of_a_value_is_read(value: Any) -> None:
    """What ``print(repr(value))`` shows is as good as canonical text."""
    assert equal(parse_literal(canonical(value)), value)
    try:
        text = repr(value)
    except ValueError:  # an int of more digits than repr() writes
        return
    assert equal(parse_literal(text), value)


@pytest.mark.parametrize(
    ("text", "positional", "keyword", "claims"),
    [
        ("f(1)", (1,), {}, ()),
        ('f("ab", k=[1,\n 2])', ("ab",), {"k": [1, 2]}, ()),
        ("assert f(1) == 2", (1,), {}, (2,)),
        ("f(1) == 2", (1,), {}, (2,)),
        ("1, [2]", (1, [2]), {}, ()),
        ("k=3", (), {"k": 3}, ()),
        ("(1, 2)", ((1, 2),), {}, ()),
        ("[1,\n 2]", ([1, 2],), {}, ()),
        ("set()", (set(),), {}, ()),
        ("f()", (), {}, ()),
    ],
)
def test_calls(
    text: str, positional: tuple[Any, ...], keyword: dict[str, Any], claims: tuple[Any, ...]
) -> None:
    call = parse_call(text, "f")
    assert equal(call.positional, positional)
    assert equal(call.keyword, keyword)
    assert equal(call.claims, claims)


@pytest.mark.parametrize(
    "text",
    [
        "g(1)",
        "a.f(1)",
        "assert True",
        "pass",
        "sys.exit(0)",
        "assert f(1)==f(1)",
        "assert g(1) == 2",
        "f(f(1))",
        "f(x)",
        "f(*[1])",
        "f(**{'k': 1})",
        "f(k=1, k=2)",
        "f(1) or 2",
        "1) or f(2",
        "def f(x): return 9",
        "f = lambda x: 9",
        "f(lambda: 0)",
        "f(1 for _ in [1])",
        "f(1)\nf(2)",
        "f(1",
    ],
)
def test_what_is_no_call(text: str) -> None:
    with pytest.raises(NotFaithful):
        parse_call(text, "f")


@pytest.mark.parametrize(
    ("text", "value", "kind"),
    [
        ('{"value": "12", "type": "int"}', 12, "int"),
        ('{"value": 12, "type": "int"}', 12, "int"),
        ('{"value": true, "type": "bool"}', True, "bool"),
        ('{"value": null, "type": "NoneType"}', None, "NoneType"),
        (
            '{"value": {"value": 1, "type": true}, "type": "dict"}',
            {"value": 1, "type": True},
            "dict",
        ),
        ("{'value': '12', 'type': 'int'}", 12, "int"),
        ('{"type": "str", "value": "\'a;b\'"}', "a;b", "str"),
        ("12; int", 12, "int"),
        ("12;int", 12, "int"),
        ("'a;b'; str", "a;b", "str"),
        ("{'a': 1}; dict", {"a": 1}, "dict"),
        ("[1,\n 2]; list", [1, 2], "list"),
        ("12; <class 'int'>", 12, "int"),
        ("12; `int`", 12, "int"),
        ("12; 'int'", 12, "int"),
        (
            "collections.deque([1]); collections.deque",
            deque([1]),
            "collections.deque",
        ),
        (
            "defaultdict(<class 'int'>, {1: 2}); defaultdict",
            defaultdict(int, {1: 2}),
            "defaultdict",
        ),
    ],
)
def test_states(text: str, value: Any, kind: str) -> None:
    found, named = parse_state(text)
    assert equal(found, value)
    assert named == kind


@pytest.mark.parametrize(
    "text",
    ["12", "12 int", "12, int", "int", "; int", "12; ", "12; 5", "12; a b", "abc; str", "x; y; z"],
)
def test_what_is_no_state(text: str) -> None:
    with pytest.raises(NotFaithful):
        parse_state(text)


@given(values)
def test_states_of_all_values(value: Any) -> None:
    text, kind = canonical(value), type_text(value)
    for answer in (f"{text}; {kind}", json.dumps({"value": text, "type": kind})):
        found, named = parse_state(answer)
        assert equal(found, value)
        assert named == kind


def test_short_names_of_types() -> None:
    assert same_type("deque", "collections.deque")
    assert same_type("int", "int")
    assert not same_type("collections.int", "int")
    assert not same_type("bool", "int")
    assert not same_type("collections", "collections.deque")


@pytest.mark.parametrize(
    ("reply", "answers"),
    [
        ('<answer>{"q1": "7", "q2": "12; int"}</answer>', ("7", "12; int")),
        ('<answer>\n```json\n{"q2": "12; int", "q1": 7}\n```\n</answer>', ("7", "12; int")),
        ("<answer>{'q1': 7, 'q2': '12; int'}</answer>", ("7", "12; int")),
        ('{"q1": [1, null], "q3": "?"}', ("[1, None]", None)),
        ('{"q2": {"value": "1", "type": "int"}}', (None, '{"value": "1", "type": "int"}')),
        ("<answer>7\n12; int</answer>", ("7", "12; int")),
        ("<answer>\n7\n\n\n12; int\n</answer>", ("7", "12; int")),
        ("<answer>1. 7\n2. 12; int</answer>", ("7", "12; int")),
        ("q2: 12; int\nq1: 7", ("7", "12; int")),
        ("q1: [1,\n 2]\nq2: {'a': 1}", ("[1,\n2]", "{'a': 1}")),
        ("q2: {'q1': 1}", (None, "{'q1': 1}")),
        ("7\n8\n9", (None, None)),
        ("7", (None, None)),
        ("", (None, None)),
        ('{"q1": 7', (None, None)),
    ],
)
def test_several_answers(reply: str, answers: tuple[str | None, ...]) -> None:
    assert split_answers(reply, ("q1", "q2")) == dict(zip(("q1", "q2"), answers, strict=True))


@given(st.lists(values.map(canonical), min_size=1, max_size=5), st.randoms(use_true_random=False))
def test_every_answer_keyed_by_id_is_found(texts: list[str], rng: Any) -> None:
    ids = [f"{place:04x}" for place in range(len(texts))]
    pairs = list(zip(ids, texts, strict=True))
    rng.shuffle(pairs)
    reply = f"<think>so</think>\n<answer>{json.dumps(dict(pairs))}</answer>"
    if "</think>" in "".join(texts) or "answer>" in "".join(texts).lower():
        return
    assert split_answers(reply, ids) == dict(zip(ids, texts, strict=True))


@given(st.text(max_size=80) | st.from_regex(r"<think>.{0,9}</think><answer>.{0,9}</answer>"))
def test_reading_never_raises(reply: str) -> None:
    for layout in ("any", "think", "think+answer"):
        reading = read_reply(reply, layout)  # type: ignore[arg-type]
        assert (reading.answer is None) is bool(reading.problem)
    split_answers(reply, ("a", "b"))
