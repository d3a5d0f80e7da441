"""Canonical text parses back to an equal value; equality is deep, strict and total."""

from __future__ import annotations

import copy
import math
from collections import Counter, OrderedDict, defaultdict, deque
from typing import Any

import pytest
from hypothesis import given
from strategies import hashables, values

from tracer.inside.encode import Encoder
from tracer.values import (
    NotFaithful,
    canonical,
    canonical_arguments,
    equal,
    is_faithful,
    parse,
    parse_arguments,
    type_text,
)

NAN = float("nan")


@given(values)
def test_text_parses_back_to_an_equal_value(value: Any) -> None:
    text = Encoder(10**9, 10**9).text(value)
    back = parse(text)
    assert equal(back, value)
    assert equal(value, back)
    assert canonical(back) == text
    assert type_text(back) == type_text(value)
    assert is_faithful(text)


@given(values)
def test_text_is_utf8(value: Any) -> None:
    canonical(value).encode("utf-8")


@given(values, values)
def test_equal_values_and_only_they_have_the_same_text(one: Any, other: Any) -> None:
    assert equal(one, copy.deepcopy(one))
    if canonical(one) == canonical(other):
        assert equal(one, other)
    if equal(one, other):
        assert equal(other, one)
        assert type(one) is type(other)
        if "nan" not in canonical(one):
            assert one == other


@given(hashables, hashables)
def test_equality_of_keys_agrees_with_equality_of_values(one: Any, other: Any) -> None:
    same = equal(one, other)
    assert equal({one}, {other}) is same
    assert equal({one: 1}, {other: 1}) is same
    assert equal(frozenset({(one,)}), frozenset({(other,)})) is same
    assert equal(OrderedDict([(one, 1)]), OrderedDict([(other, 1)])) is same


DIFFERENT = [
    (1, True),
    (1, 1.0),
    (0.0, -0.0),
    (1.0, NAN),
    (1, "1"),
    ("a", b"a"),
    (b"a", bytearray(b"a")),
    ([1], (1,)),
    ([1], [1, 1]),
    ([1.0], [1]),
    ([], [[]]),
    (None, 0),
    (None, ...),
    (complex(0.0, -1.0), complex(-0.0, -1.0)),
    (50000000000000000, 50000000000000001),
    ({1}, {True}),
    ({1}, {1.0}),
    ({0.0}, {-0.0}),
    ({1}, frozenset({1})),
    ({(1,)}, {(True,)}),
    ({1: 2}, {True: 2}),
    ({1: 2}, {1: 2.0}),
    ({1: 2}, {2: 2}),
    ({NAN: 1}, {NAN: 2}),
    ({1: 2}, Counter({1: 2})),
    (Counter(a=0), Counter()),
    (OrderedDict(a=1, b=2), OrderedDict(b=2, a=1)),
    (deque([1]), deque([1], 5)),
    (defaultdict(int), defaultdict(list)),
    (range(3), [0, 1, 2]),
    (range(3), range(4)),
    (object(), object()),
]
SAME = [
    (NAN, float("nan")),
    ([NAN], [float("nan")]),
    ({NAN}, {float("nan")}),
    ({NAN, float("nan")}, {float("nan"), float("nan")}),
    ({NAN: 1, float("nan"): 2}, {float("nan"): 2, float("nan"): 1}),
    (complex(NAN, 0.0), complex(float("nan"), 0.0)),
    ({1: 2, 3: 4}, {3: 4, 1: 2}),
    ({"a", "b"}, {"b", "a"}),
    (Counter("ab"), Counter("ba")),
    (range(0, 5, 2), range(0, 6, 2)),
    ([[1], {2: {3}}], [[1], {2: {3}}]),
    (int, int),
]


@pytest.mark.parametrize(("one", "other"), DIFFERENT, ids=range(len(DIFFERENT)))
def test_different_values(one: Any, other: Any) -> None:
    assert not equal(one, other)
    assert not equal(other, one)
    assert not equal([one], [other])


@pytest.mark.parametrize(("one", "other"), SAME, ids=range(len(SAME)))
def test_same_values(one: Any, other: Any) -> None:
    assert equal(one, other)
    assert equal({"k": (one,)}, {"k": (other,)})


def test_equality_is_total() -> None:
    def nest(depth: int) -> list[Any]:
        value: list[Any] = []
        for _ in range(depth):
            value = [value]
        return value

    assert equal(nest(100_000), nest(100_000))
    assert not equal(nest(100_000), nest(100_001))
    one: list[Any] = [1]
    one.append(one)
    other: list[Any] = [1]
    other.append(other)
    assert equal(one, other)
    shared: list[Any] = []
    also: list[Any] = []
    for _ in range(60):
        shared, also = [shared, shared], [also, also]
    assert equal(shared, also)


def test_deep_values_are_parsed() -> None:
    text = "[" * 150 + "]" * 150
    assert canonical(parse(text)) == text
    frozen = "frozenset({" * 90 + "1" + "})" * 90
    assert canonical(parse(frozen)) == frozen


def test_recursive_values_are_not_faithful() -> None:
    items: list[Any] = []
    items.append(items)
    assert not is_faithful(Encoder().text(items))
    assert not is_faithful(Encoder().text([1] * 1000))


@pytest.mark.parametrize(
    "text",
    [
        "",
        "too_large(12)",
        "<Node a=1>",
        "[<function>]",
        "<cycle>",
        "x",
        "int",
        "f(1)",
        "1 + 2",
        "1 if 2 else 3",
        "[x for x in [1]]",
        "(lambda: 0)()",
        "[].__class__",
        "__import__('os').getcwd()",
        "f'{1}'",
        "{**{}}",
        "[*[]]",
        "not 1",
        "-'a'",
        "-True",
        "{[1]: 2}",
        "{[1]}",
        "{{}}",
        "[1, 2",
        "1; 2",
        "x = 1",
        "set([1])",
        "frozenset([1])",
        "frozenset({1}, {2})",
        "range(5)",
        "range(0, 5, 0)",
        "range(0, 1.0)",
        "range(0, True)",
        "float('1.5')",
        "float(1)",
        "float(b'nan')",
        "complex('1j')",
        "complex(1, 2, 3)",
        "bytearray([1])",
        "bytearray('a')",
        "collections.deque([1], 3)",
        "collections.deque([1], maxlen=-1)",
        "collections.deque((1,))",
        "collections.Counter([1])",
        "collections.OrderedDict([1])",
        "collections.OrderedDict({})",
        "collections.defaultdict(len, {})",
        "collections.defaultdict({})",
        "collections.namedtuple('P', 'x')",
        "deque([1])",
        "nan",
        "list()",
        "dict()",
        "9" * 5000,
        "[" * 5000,
        "(" * 300 + ")" * 300,
        "-" * 100_000 + "1",
        "1" + "+1" * 50_000,
        "'\ud800'",
        "'a\x00'",
    ],
    ids=lambda text: text[:20].encode("ascii", "replace").decode(),
)
def test_what_is_no_literal(text: str) -> None:
    assert not is_faithful(text)
    with pytest.raises(NotFaithful):
        parse(text)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("0x10", 16),
        ("-0x10", -16),
        ("-0.0", -0.0),
        ("1e999", math.inf),
        ("(1+2j)", 1 + 2j),
        ("(-1.5-2j)", -1.5 - 2j),
        ("2j", 2j),
        ("complex(0.0, -0.0)", complex(0.0, -0.0)),
        ("...", ...),
        ("Ellipsis", ...),
        ("b'\\xff'", b"\xff"),
        ("'\\udfff'", "\udfff"),
        ("[1,\n 2]", [1, 2]),
        ("  ('a' 'b')  ", "ab"),
        ("collections.Counter()", Counter()),
        ("collections.defaultdict(None, {})", defaultdict(None)),
    ],
)
def test_exact_values(text: str, value: Any) -> None:
    assert equal(parse(text), value)


def test_odd_escapes_do_not_warn() -> None:
    assert parse(r"'\d'") == "\\d"


@pytest.mark.parametrize(
    ("text", "positional", "keyword"),
    [
        ("", (), {}),
        ("1, [2]", (1, [2]), {}),
        ("(1, 2)", ((1, 2),), {}),
        ("1, k={2}", (1,), {"k": {2}}),
        ("[1,\n 2], # two\n 3", ([1, 2], 3), {}),
    ],
)
def test_arguments(text: str, positional: tuple[Any, ...], keyword: dict[str, Any]) -> None:
    found = parse_arguments(text)
    assert equal(found, (positional, keyword))
    assert equal(parse_arguments(canonical_arguments(*found)), found)


@pytest.mark.parametrize(
    "text", ["1) + f(2", "1)(2", "), f(", "*[1]", "**{}", "x", "k=1, k=2", "x for x in []", "f(1)"]
)
def test_what_is_no_argument_list(text: str) -> None:
    with pytest.raises(NotFaithful):
        parse_arguments(text)
