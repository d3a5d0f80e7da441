"""Mutated calls: types kept deeply, seeds respected, nothing hidden, nothing run."""

from __future__ import annotations

import ast
import json
import math
import os
import subprocess
import sys
import textwrap
import types
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from factory.inputs import INPUT_FAMILIES, MutationResult, fresh_calls, mutate_calls
from factory.inputs.definitions import Definitions
from factory.inputs.reading import Unreadable, read_value
from factory.inputs.rendering import identity, render
from tracer.records import Call, Program
from tracer.values import equal

MENU = """
from typing import Union

Menu = dict[str, Union[int, "Menu"]]

def total(m: Menu) -> int:
    out = 0
    for v in m.values():
        out += v if isinstance(v, int) else total(v)
    return out
"""
SPAN = """
from __future__ import annotations
from dataclasses import dataclass

@dataclass
class Point:
    x: int
    y: int

def span(ps: list[Point], factor: "int" = 1) -> int:
    xs = [p.x for p in ps]
    return factor * (max(xs) - min(xs)) if xs else 0
"""
GRADE = """
def grade(score: float) -> str:
    assert 0.0 <= score <= 100.0
    return "pass" if score >= 50.0 else "fail"
"""
PICK = """
from typing import TypeVar

T = TypeVar("T", int, str)

def pick(first: T, rest: list[T]) -> list[T]:
    out = [first]
    for r in rest:
        if r > out[-1]:
            out.append(r)
    return out
"""
SPREAD = """
def spread(readings):
    low = high = readings[0]
    for r in readings[1:]:
        low = min(low, r)
        high = max(high, r)
    return high - low
"""
HEADER = """
import collections
import enum
import typing as t
from collections import Counter, defaultdict, deque, namedtuple
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import *

T = TypeVar("T")
Pair = tuple[T, T]
Grid = t.List[t.List[int]]
Id = NewType("Id", int)

class Color(enum.Enum):
    RED = 1
    BLUE = 2

class Movie(TypedDict):
    name: str
    year: NotRequired[int]

class Spot(NamedTuple):
    x: int
    y: float = 0.0

Size = namedtuple("Size", "width height")

@dataclass
class Node:
    value: int
    next: Optional["Node"] = None
    tags: list[str] = field(default_factory=list)

@dataclass
class Sub(Node):
    extra: bool = False

class Stack:
    def __init__(self, items: list[int], *, cap=3):
        self.items, self.cap = items, cap
"""


def mutate(
    source: str, entry: str, *seeds: str, count: int = 50, seed: str = "s"
) -> MutationResult:
    return mutate_calls(Program(source, entry), [Call(args) for args in seeds], count, seed)


def namespace(source: str) -> dict[str, Any]:
    """Run a harmless program of this file as the module ``program``."""
    module = types.ModuleType("program")
    sys.modules["program"] = module
    try:
        exec(compile(source, "program", "exec", dont_inherit=True), vars(module))
    finally:
        del sys.modules["program"]
    return vars(module)


def arguments(source: str, calls: Sequence[Call]) -> list[tuple[tuple[Any, ...], dict[str, Any]]]:
    """Evaluate argument texts after the program's own code."""
    space = namespace(source) | {"collect": lambda *args, **words: (args, words)}
    return [eval(f"collect({call.args})", space) for call in calls]


def outcome(source: str, entry: str, args: str) -> Any:
    return eval(f"{entry}({args})", namespace(source))


def one_argument(annotation: str, *seeds: str, count: int = 60) -> list[Any]:
    source = f"{HEADER}\ndef f(x: {annotation}):\n    return x\n"
    result = mutate(source, "f", *seeds, count=count)
    assert result.refused is None
    assert result.calls
    return [positional[0] for positional, _ in arguments(source, result.calls)]


# --- reported faults of other generators ------------------------------------------------------


def is_menu(value: object) -> bool:
    return type(value) is dict and all(
        type(key) is str and (type(each) is int or is_menu(each)) for key, each in value.items()
    )


def test_alias_that_refers_to_itself() -> None:
    """HypothesisWorks/hypothesis#4542."""
    seed = '{"soup": 4, "set": {"tea": 2, "more": {"jam": 1}}}'
    assert outcome(MENU, "total", seed) == 7
    result = mutate(MENU, "total", seed)
    assert result.refused is None
    assert len(result.calls) == 50
    for (menu,), _ in arguments(MENU, result.calls):
        assert is_menu(menu)
    for call in result.calls:
        assert type(outcome(MENU, "total", call.args)) is int


def test_annotations_given_as_text_and_program_classes() -> None:
    """HypothesisWorks/hypothesis#2565."""
    assert outcome(SPAN, "span", "[Point(1, 2), Point(5, 0)], 3") == 12
    result = mutate(SPAN, "span", "[Point(1, 2), Point(5, 0)], 3")
    assert result.refused is None
    assert len(result.calls) == 50
    assert any("Point(x=" in call.args for call in result.calls)
    for (points, factor), words in arguments(SPAN, result.calls):
        assert type(points) is list
        assert words == {}
        assert all(type(each).__name__ == "Point" for each in points)
        assert all(type(each.x) is int and type(each.y) is int for each in points)
        assert type(factor) is int
    [same] = arguments(SPAN, [Call("[Point(x=1, y=2)], 3")])
    assert repr(same) == "(([Point(x=1, y=2)], 3), {})"


def test_floats_stay_in_the_range_the_program_asserts() -> None:
    """HypothesisWorks/hypothesis#2608."""
    assert outcome(GRADE, "grade", "50.0") == "pass"
    assert outcome(GRADE, "grade", "49.99999999999999") == "fail"
    assert outcome(GRADE, "grade", "-0.0") == "fail"
    for bad in ("float('nan')", "float('inf')"):
        with pytest.raises(AssertionError):
            outcome(GRADE, "grade", bad)
    result = mutate(GRADE, "grade", "50.0", count=200)
    values = [positional[0] for positional, _ in arguments(GRADE, result.calls)]
    assert len(values) == 200
    assert all(type(each) is float and 0.0 <= each <= 100.0 for each in values)
    assert all(json.loads(json.dumps(each, allow_nan=False)) == each for each in values)
    assert {outcome(GRADE, "grade", call.args) for call in result.calls} == {"pass", "fail"}


@pytest.mark.parametrize(
    ("seed", "kind", "value"),
    [("1, [0, 3, 2, 9]", int, [1, 3, 9]), ("'b', ['a', 'c']", str, ["b", "c"])],
)
def test_one_type_variable_is_one_type_in_a_call(seed: str, kind: type, value: object) -> None:
    """HypothesisWorks/hypothesis#2536."""
    assert outcome(PICK, "pick", seed) == value
    with pytest.raises(TypeError):
        outcome(PICK, "pick", "1, ['a']")
    for seeds in ([seed], [seed, "1, [0, 3]", "'x', []"]):
        result = mutate(PICK, "pick", *seeds, count=200)
        assert len(result.calls) == 200
        for (first, rest), _ in arguments(PICK, result.calls):
            assert {type(first), *map(type, rest)} in ({int}, {str})
            if len(seeds) == 1:
                assert type(first) is kind


def test_parameter_without_annotation_keeps_the_shape_of_its_seeds() -> None:
    """se2p/pynguin#91."""
    assert outcome(SPREAD, "spread", "[3, 1, 9, 7]") == 8
    assert outcome(SPREAD, "spread", "[0, -4, 8]") == 12
    with pytest.raises(TypeError):
        outcome(SPREAD, "spread", "True")
    result = mutate(SPREAD, "spread", "[3, 1, 9, 7]", "[0, -4, 8]", count=100)
    values = [positional[0] for positional, _ in arguments(SPREAD, result.calls)]
    assert len(values) == 100
    assert all(type(each) is list and all(type(n) is int for n in each) for each in values)
    assert sum(not each for each in values) <= 1
    for call in result.calls:
        if call.args != "[]":
            outcome(SPREAD, "spread", call.args)


# --- types kept, deep inside ------------------------------------------------------------------

scalars = st.one_of(
    st.integers(-(10**6), 10**6),
    st.text("abcXYZ019 -é", max_size=6),
    st.booleans(),
    st.none(),
    st.floats(-1e6, 1e6),
    st.binary(max_size=4),
)
hashables = st.one_of(
    st.integers(-99, 99), st.text("abc", max_size=3), st.tuples(st.integers(0, 9), st.booleans())
)
nested = st.recursive(
    scalars,
    lambda inner: st.one_of(
        st.lists(inner, max_size=4),
        st.tuples(inner, inner),
        st.dictionaries(hashables, inner, max_size=3),
        st.sets(hashables, max_size=3),
        st.frozensets(hashables, max_size=3),
    ),
    max_leaves=12,
)


def fits(value: Any, examples: list[Any]) -> bool:
    """Whether a value has a type that its examples have, with elements pooled over all of them."""
    same = [each for each in examples if type(each) is type(value)]
    if not same:
        return False
    if isinstance(value, list | set | frozenset):
        pool = [element for each in same for element in each]
        return all(fits(element, pool) for element in value)
    if isinstance(value, tuple):
        same = [each for each in same if len(each) == len(value)]
        return bool(same) and all(
            fits(element, [each[place] for each in same]) for place, element in enumerate(value)
        )
    if isinstance(value, dict):
        keys = [key for each in same for key in each]
        values = [element for each in same for element in each.values()]
        return all(fits(key, keys) for key in value) and all(
            fits(element, values) for element in value.values()
        )
    return True


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.nested_given])
@example([[1], ["a"], []], {"k": (1, 2.0)})
@example({"name": "x", "age": 3}, [{"n": 1, "v": "a"}, {"n": 2, "v": "b"}])
@example([True, 1, 1.0, None], ((), [], {}, set()))
@given(nested, nested)
def test_mutants_have_the_types_of_their_seed(first: Any, second: Any) -> None:
    seed = f"{render(first)}, key={render(second)}"
    result = mutate("def f(first, key):\n    pass\n", "f", seed, count=12)
    texts = [call.args for call in result.calls]
    assert len(set(texts)) == len(texts)
    for call in result.calls:
        [((one,), words)] = arguments("", [call])
        assert list(words) == ["key"]
        assert fits(one, [first])
        assert fits(words["key"], [second])
        assert not (equal(one, first) and equal(words["key"], second))
        assert call.args == f"{render(one)}, key={render(words['key'])}"


@given(nested)
def test_rendered_values_read_back_as_they_were(value: Any) -> None:
    text = render(value)
    assert equal(ast.literal_eval(text.replace("frozenset", "")), value) or "frozenset" in text
    node = ast.parse(text, mode="eval").body
    again = read_value(node, Definitions(ast.parse("")))
    assert equal(again, value)
    assert identity(again) == identity(value)


def test_control_the_type_checker_sees_what_is_wrong() -> None:
    assert not fits(True, [1])
    assert not fits([1.0], [[1]])
    assert not fits({"a": "x"}, [{"a": 1}])
    assert not fits((1, 2, 3), [(1, 2)])
    assert not fits([[None]], [[[1]], [["a"]]])
    assert fits([[1, "a"], []], [[[1]], [["a"]]])


def test_annotations_decide_where_there_is_no_seed() -> None:
    checks: dict[str, Any] = {
        "list[int]": lambda v: type(v) is list and all(type(n) is int for n in v),
        "t.Dict[str, List[Tuple[int, str]]]": lambda v: all(
            type(k) is str and all((type(a), type(b)) == (int, str) for a, b in e)
            for k, e in v.items()
        ),
        "Optional[int]": lambda v: v is None or type(v) is int,
        "int | str": lambda v: type(v) in (int, str),
        "Literal['a', 3, None]": lambda v: v in ("a", 3, None),
        "Sequence[float]": lambda v: type(v) is list and all(type(n) is float for n in v),
        "Mapping[str, bool]": lambda v: all(type(e) is bool for e in v.values()),
        "tuple[int, ...]": lambda v: type(v) is tuple and all(type(n) is int for n in v),
        "set[str]": lambda v: type(v) is set and all(type(n) is str for n in v),
        "frozenset[tuple[int, int]]": lambda v: all(len(n) == 2 for n in v),
        "Grid": lambda v: all(type(n) is int for row in v for n in row),
        "Pair[str]": lambda v: [type(n) for n in v] == [str, str],
        "Id": lambda v: type(v) is int,
        "'Color'": lambda v: type(v).__name__ == "Color",
        "Spot": lambda v: type(v).__name__ == "Spot" and type(v.x) is int and type(v.y) is float,
        "Movie": lambda v: {"name"} <= set(v) <= {"name", "year"} and type(v["name"]) is str,
        "Node": lambda v: type(v.value) is int and type(v.next).__name__ in ("Node", "NoneType"),
        "Stack": lambda v: all(type(n) is int for n in v.items),
        "deque[int]": lambda v: type(v).__name__ == "deque" and all(type(n) is int for n in v),
        "Counter[str]": lambda v: all(type(n) is int for n in v.values()),
        "defaultdict[str, list[int]]": lambda v: v.default_factory is list,
        "Annotated[bytes, 'raw']": lambda v: type(v) is bytes,
        "Iterable[complex]": lambda v: all(type(n) is complex for n in v),
    }
    for annotation, check in checks.items():
        for value in one_argument(annotation):
            assert check(value), (annotation, value)


def test_annotation_and_seed_refine_each_other() -> None:
    cases: list[tuple[str, str, Any]] = [
        ("list", "[1, 2]", lambda v: all(type(n) is int for n in v)),
        ("dict", "{'a': (1, 'x')}", lambda v: all(type(b) is str for _, b in v.values())),
        ("Sequence[int]", "(1, 2)", lambda v: type(v) is tuple),
        ("Any", "[True]", lambda v: all(type(n) is bool for n in v)),
        ("float", "3", lambda v: type(v) is int),
        ("list[float]", "[3, 2.5]", lambda v: all(type(n) in (int, float) for n in v)),
        ("list[int]", "[]", lambda v: all(type(n) is int for n in v)),
        ("Node", "Sub(1, Node(2), extra=True)", lambda v: type(v).__name__ == "Sub"),
        ("Movie", "{'name': 'Up', 'year': 3}", lambda v: type(v.get("year", 1)) is int),
        ("Mapping[str, Sequence[int]]", "{'a': (1,)}", lambda v: type(v) is dict),
        ("dict[list[int], int]", "{}", lambda v: v == {}),
    ]
    for annotation, seed, check in cases:
        source = f"{HEADER}\ndef f(x: {annotation}, k=0):\n    return x\n"
        calls = mutate(source, "f", f"{seed}, 1", count=80).calls
        assert len(calls) >= 40
        for (value, _), _ in arguments(source, calls):
            assert check(value), (annotation, value)


def test_empty_seed_takes_its_element_type_from_another_seed() -> None:
    result = mutate("def f(x): pass", "f", "[]", "['a']", count=40)
    values = [positional[0] for positional, _ in arguments("", result.calls)]
    assert all(type(each) is str for value in values for each in value)
    assert result.refused is None
    alone = mutate("def f(x): pass", "f", "[]", count=40)
    assert alone.calls == ()
    assert alone.refused is not None
    assert "parameter 'x': element type not known" in alone.refused


def test_records_and_grids_keep_their_form() -> None:
    source = "def f(rows, grid): pass"
    seed = "[{'n': 'a', 'v': 1}, {'n': 'b', 'v': 2}], [[1, 2, 3], [4, 5, 6]]"
    result = mutate(source, "f", seed, count=100)
    ragged = 0
    for (rows, grid), _ in arguments(source, result.calls):
        assert all(list(row) == ["n", "v"] for row in rows)
        assert all((type(row["n"]), type(row["v"])) == (str, int) for row in rows)
        ragged += len({len(row) for row in grid}) > 1
    assert ragged <= 15


@pytest.mark.skipif(sys.version_info < (3, 12), reason="the syntax is that of Python 3.12")
def test_type_parameters_and_type_statements() -> None:
    source = textwrap.dedent("""
        type Tree = list[int | Tree]
        def f[T: (int, str)](first: T, rest: list[T], tree: Tree): pass
    """)
    result = mutate(source, "f", "1, [2], [3, [4]]", count=100)
    for (first, rest, tree), _ in arguments(source, result.calls):
        assert {type(first), *map(type, rest)} == {int}
        assert all(type(each) in (int, list) for each in tree)


# --- numbers ----------------------------------------------------------------------------------


def test_ints_stay_within_reach_and_visit_boundaries() -> None:
    source = "def f(n):\n    return n > 37\n"
    values = [a[0] for a, _ in arguments(source, mutate(source, "f", "12", count=100).calls)]
    assert all(abs(each) <= 120 for each in values)
    assert {0, 1, 2, 13, 24, 37, 38} <= set(values)
    large = [a[0] for a, _ in arguments(source, mutate(source, "f", "5000", count=100).calls)]
    assert all(abs(each) <= 50_000 for each in large)


def test_no_nan_and_no_infinity_unless_the_seed_holds_them() -> None:
    finite = mutate("def f(x: list[float], y: complex): pass", "f", "[1e308, -0.5], 1j", count=200)
    for (floats, number), _ in arguments("", finite.calls):
        assert all(math.isfinite(each) for each in (*floats, number.real, number.imag))
    held = mutate("def f(x): pass", "f", "[float('inf'), 2.0]", count=100)
    assert any("float('inf')" in call.args for call in held.calls)
    assert not any("nan" in call.args for call in held.calls)


@pytest.mark.parametrize(
    ("lines", "seed", "low", "high"),
    [
        ("assert n > 0", "3", 1, math.inf),
        ("if n < 2 or n >= 9:\n        raise ValueError(n)", "5", 2, 8),
        ("if not (0 <= n <= 4):\n        raise ValueError", "2", 0, 4),
        ("'''Text.'''\n    assert -3 <= n and n < 3, 'no'", "1", -3, 2),
    ],
)
def test_demands_of_the_first_statements_are_met(
    lines: str, seed: str, low: float, high: float
) -> None:
    source = f"def f(n: int):\n    {lines}\n    return n\n"
    calls = mutate(source, "f", seed, count=40).calls
    values = [positional[0] for positional, _ in arguments(source, calls)]
    assert values
    assert all(low <= each <= high for each in values)
    assert all(outcome(source, "f", call.args) is not None for call in calls)


def test_demands_on_length_keep_empty_inputs_out() -> None:
    for lines in ("assert xs", "if not xs:\n        raise ValueError", "assert len(xs) >= 2"):
        source = f"def f(xs):\n    {lines}\n    return xs[0]\n"
        for call in mutate(source, "f", "[1, 2]", count=60).calls:
            outcome(source, "f", call.args)


def test_a_seed_outside_the_demands_is_varied_freely() -> None:
    source = "def f(n):\n    assert n > 0\n"
    calls = mutate(source, "f", "-5", count=40).calls
    assert any(call.args.startswith("-") for call in calls)


# --- what is asked for, and what is refused ---------------------------------------------------


def test_the_form_of_the_seed_is_kept() -> None:
    source = "def f(a, /, b, *rest: int, c=None, **words: str): pass"
    result = mutate(source, "f", "1, 'x', 5, 6, c=[2], other='y'", count=60)
    for positional, words in arguments(source, result.calls):
        assert [type(each) for each in positional] == [int, str, int, int]
        assert list(words) == ["c", "other"]
        assert type(words["other"]) is str


def test_standard_input_is_that_of_the_seed() -> None:
    seeds = [Call("1", stdin="a\n"), Call("1", stdin="b\n")]
    result = mutate_calls(Program("def f(n): pass", "f"), seeds, 30, "s")
    assert {call.stdin for call in result.calls} == {"a\n", "b\n"}
    assert len({(call.args, call.stdin) for call in result.calls}) == 30


def test_seeds_and_their_other_spellings_are_never_returned() -> None:
    seeds = ["{'a': 1,  'b':2}, {2,1}", "{ 'b': 2, 'a' : 1 }, { 1, 3 }"]
    result = mutate("def f(d, s): pass", "f", *seeds, count=200)
    for (d, s), _ in arguments("", result.calls):
        assert not (equal(d, {"a": 1, "b": 2}) and s in ({1, 2}, {1, 3}))


def test_few_values_give_few_calls() -> None:
    assert [call.args for call in mutate("def f(b): pass", "f", "True").calls] == ["False"]
    assert mutate("def f(b): pass", "f", "True", "False").calls == ()
    assert mutate("def f(b): pass", "f", "None").refused is not None
    assert mutate("def f(n): pass", "f", "1", count=0) == MutationResult((), None)


@pytest.mark.parametrize(
    ("source", "entry", "seed", "reason"),
    [
        ("def f(m: socket, k): pass", "f", "make()", "parameter 'm': type not supported: socket"),
        (
            "def f(key: Callable[[int], int]): pass",
            "f",
            "lambda n: n",
            "parameter 'key': type not supported: Callable",
        ),
        ("def f(key): pass", "f", "lambda n: n", "parameter 'key': kept as it is, not a literal"),
        ("def f(x): pass", "f", "x)(3", "seed 1: the arguments are not an argument list"),
        ("def f(x): pass", "f", "1 +", "seed 1: the arguments do not parse"),
        ("def f(x): pass", "f", "1 # note", None),
        ("def f(x): pass", "f", "*[1], **{'a': 2}", "kept as it is"),
        ("def f(): pass", "f", "", "the call has no arguments"),
        ("def f(x): pass", "g", "1", "entry point 'g' not found"),
        ("def f(x: pass", "f", "1", "the program does not parse: invalid syntax, line 1"),
        ("def f(x): pass\0", "f", "1", "the program does not parse"),
        ("def f(x): pass", "f", "[" * 500 + "]" * 500, "seed 1: the arguments do not parse"),
        ("def f(x): pass", "f", "[" * 90 + "]" * 90, "kept as it is"),
        ("def f(x): pass", "f", "1" + "+1" * 5000, None),
    ],
)
def test_what_cannot_be_varied_is_said_by_name(
    source: str, entry: str, seed: str, reason: str | None
) -> None:
    result = mutate(source, entry, seed, count=5)
    if reason is None:
        return
    assert result.calls == ()
    assert result.refused is not None
    assert reason in result.refused


def test_an_argument_that_is_no_literal_stays_while_others_change() -> None:
    result = mutate("def f(m: socket, k): pass", "f", "open_it(1,  2), 3", count=10)
    assert len(result.calls) == 10
    assert all(call.args.startswith("open_it(1, 2), ") for call in result.calls)
    assert result.refused == "parameter 'm': type not supported: socket"


def test_without_seeds_a_missing_type_is_refused() -> None:
    assert mutate("def f(x): pass", "f").refused == "parameter 'x': no annotation and no seed"
    socket = mutate("def f(x: list[socket.socket]): pass", "f")
    assert socket.refused is None
    assert [call.args for call in socket.calls] == ["[]"]
    assert mutate("def f(x: socket): pass", "f").refused == (
        "parameter 'x': type not supported: socket"
    )


def test_a_program_without_entry_point_is_refused() -> None:
    result = mutate_calls(Program("print(1)", None), [Call("1")], 3, "s")
    assert result == MutationResult((), "the program has no entry point to call")


def test_the_program_is_never_run() -> None:
    source = "raise SystemExit('ran')\ndef f(x: exit()): pass\n"
    assert mutate(source, "f", "3, exit()", count=3).calls
    assert mutate(source, "f", "[__import__('os')._exit(3)]", count=3).calls == ()


def test_conversions_of_sets_are_not_read_because_their_order_is_not_fixed() -> None:
    definitions = Definitions(ast.parse(""))
    for text in ("list({'a', 'b'})", "tuple({'a'})", "str({'a'})", "dict([{'a', 'b'}])"):
        with pytest.raises(Unreadable):
            read_value(ast.parse(text, mode="eval").body, definitions)


# --- no hidden state --------------------------------------------------------------------------

REQUESTS = [
    (MENU, "total", ['{"soup": 4, "set": {"tea": 2}}']),
    (SPAN, "span", ["[Point(1, 2), Point(5, 0)], 3"]),
    (GRADE, "grade", ["50.0"]),
    (PICK, "pick", ["'b', ['a', 'c']"]),
    (SPREAD, "spread", ["[3, 1, 9, 7]", "[0, -4, 8]"]),
    ("def f(s, d): pass", "f", ["{'x', 'y', 'z', 1, (1, 'q')}, {'k': frozenset({'a', 'b'})}"]),
    ("def f(s: set[str], g: set[int | str]): pass", "f", []),
    ("def f(x): pass", "f", ["{float('nan'), 1.0, 2.5}, 48611"]),
]
DETERMINISM = """
import json, sys
{before}
from tracer.records import Call, Program
from factory.inputs import mutate_calls
requests = json.load(sys.stdin)
order = {order}
answers = {{}}
for index in order:
    source, entry, seeds = requests[index]
    result = mutate_calls(Program(source, entry), [Call(each) for each in seeds], 25, "seed")
    answers[index] = [[call.args for call in result.calls], result.refused]
print(json.dumps([answers[index] for index in range(len(requests))]))
"""


def ask(before: str, order: str, cwd: str, **environment: str) -> str:
    variables = {k: v for k, v in os.environ.items() if k not in {"CI", "PYTHONHASHSEED"}}
    done = subprocess.run(
        [sys.executable, "-c", DETERMINISM.format(before=before, order=order)],
        input=json.dumps(REQUESTS),
        cwd=cwd,
        env=variables | environment,
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_other_processes_orders_hash_seeds_and_imports_give_the_same_calls(tmp_path: Any) -> None:
    neighbour = tmp_path / "neighbour.py"
    neighbour.write_text("A = [48611, -48611, 7.4375, 'zebra', 'cab', b'zebra']\n")
    forwards, backwards = "range(len(requests))", "reversed(range(len(requests)))"
    first = ask("", forwards, str(tmp_path), PYTHONHASHSEED="0")
    imported = "sys.path.insert(0, '.')\nimport neighbour"
    assert ask(imported, backwards, str(tmp_path), PYTHONHASHSEED="1", CI="true") == first
    assert ask("import random; random.seed(5)", forwards, str(tmp_path)) == first
    assert {path.name for path in tmp_path.iterdir()} <= {"neighbour.py", "__pycache__"}
    here = [mutate(s, e, *seeds, count=25, seed="seed") for s, e, seeds in REQUESTS]
    assert json.loads(first) == [[[c.args for c in r.calls], r.refused] for r in here]


def test_a_smaller_request_is_a_prefix_and_another_seed_differs() -> None:
    for source, entry, seeds in REQUESTS:
        many = mutate(source, entry, *seeds, count=40).calls
        assert mutate(source, entry, *seeds, count=7).calls == many[:7]
        assert mutate(source, entry, *seeds, count=40, seed="t").calls != many


def test_each_family_is_described_and_owns_its_shapes_alone() -> None:
    tags = [tag for family in INPUT_FAMILIES for tag in family.tags]
    assert len(set(tags)) == len(tags)
    for family in INPUT_FAMILIES:
        module = sys.modules[family.vary.__module__]
        assert module.__name__ == f"factory.inputs.{family.name}"
        assert module.__doc__ is not None
        assert "Source:" in module.__doc__


# --- types from use ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("source", "check"),
    [
        ("def f(n):\n    return n % 7 == 0", lambda n: type(n) is int),
        ("def f(t):\n    return sum(c in 'aeiou' for c in t)", lambda t: type(t) is str),
        ("def f(t):\n    return t.upper()", lambda t: type(t) is str),
        (
            "def f(lines):\n    return [line.strip() for line in lines]",
            lambda v: type(v) in (list, str) and all(type(each) is str for each in v),
        ),
        (
            "def f(a):\n    a.append(1)\n    return a",
            lambda a: type(a) is list and all(type(each) is int for each in a),
        ),
        (
            "def f(m):\n    return [x for row in m for x in row if x > 0.5]",
            lambda m: all(type(x) is float for row in m for x in row),
        ),
        (
            "def f(d):\n    return [k.upper() for k, v in d.items() if v > 3]",
            lambda d: all((type(k), type(v)) == (str, int) for k, v in d.items()),
        ),
        ("def f(p):\n    a, b = p\n    return a - b", lambda p: len(p) == 2 and type(p) is tuple),
        ("def f(s):\n    s.add(3)\n    return len(s)", lambda s: type(s) is set),
        ("def f(k=2.5):\n    return k", lambda k: type(k) is float),
        ("def g(w: str): pass\ndef f(x):\n    return g(x)", lambda x: type(x) is str),
        ("def f(flag):\n    return flag == True", lambda v: type(v) is bool),
        ("def f(xs):\n    return sorted(xs)[-1] - len(xs)", lambda v: type(v) is list),
    ],
)
def test_use_decides_where_nothing_else_does(source: str, check: Any) -> None:
    calls = mutate(source, "f", count=12).calls
    assert len({call.args for call in calls}) == len(calls) > (1 if "flag" in source else 5)
    for positional, words in arguments(source, calls):
        assert all(check(each) for each in (*positional, *words.values()))


def test_use_tells_the_elements_of_an_empty_seed() -> None:
    source = "def f(names):\n    return [name.title() for name in names]\n"
    for (names,), _ in arguments(source, mutate(source, "f", "[]", count=30).calls):
        assert type(names) is list
        assert all(type(each) is str for each in names)


def test_a_seed_knows_better_than_the_use() -> None:
    source = "def f(n):\n    return n % 2\n"
    for (value,), _ in arguments(source, mutate(source, "f", "'%s'", count=20).calls):
        assert type(value) is str


def test_negative_numbers_come_where_signs_matter() -> None:
    source = "def f(n):\n    return 'low' if n < 0 else 'high'\n"
    values = [a[0] for a, _ in arguments(source, mutate(source, "f", "3", count=20).calls)]
    assert 3 <= sum(value < 0 for value in values) <= 15


def test_operations_that_are_asked_for_occur() -> None:
    """Grow, shrink, swap, boundary, duplicate, unicode, negative, empty."""
    source = "def f(x): pass"
    lists, texts = (
        [a[0] for a, _ in arguments("", mutate(source, "f", seed, count=400).calls)]
        for seed in ("[5, -8, 13]", "'Tea 4 two'")
    )
    for values, size in ((lists, 3), (texts, 9)):
        assert any(len(each) > size for each in values)
        assert any(0 < len(each) < size for each in values)
        assert any(not each for each in values)
        assert any(len(each) == size + 1 and len(set(each)) < len(each) for each in values)
    assert [-8, 5, 13] in lists
    assert any({0, 1, -1} & set(each) for each in lists)
    assert any(number < 0 for each in lists for number in each)
    assert any(not each.isascii() for each in texts)


# --- calls drawn from the types alone ----------------------------------------------------------


def test_one_signature_gets_the_same_calls() -> None:
    one = Program("def f(a, b):\n    return a[0] + 17\n", "f")
    other = Program("def g(x, y):\n    return y\n", "g")
    first = fresh_calls(one, [Call("[1, 2], 'x'")], 12, "s")
    second = fresh_calls(other, [Call("[904], 'long text'"), Call("[], ''")], 12, "s")
    assert first is not None
    assert first == second
    assert len(first.calls) == 12
    for (numbers, text), _ in arguments("", first.calls):
        assert all(type(each) is int for each in numbers)
        assert type(text) is str
    assert fresh_calls(one, [Call("[1, 2], 'x'")], 12, "t") != first
    assert fresh_calls(one, [Call("[1, 2], b='x'")], 12, "s") != first
    assert fresh_calls(one, [Call("[1.5], 'x'")], 12, "s") != first


def test_some_signatures_have_no_calls() -> None:
    for source, seeds in (
        ("def f(g): pass", ["lambda n: n"]),
        ("def f(): pass", [""]),
        ("def f(x): pass", []),
        ("def f(x: pass", ["1"]),
    ):
        calls = [Call(args) for args in seeds]
        assert fresh_calls(Program(source, "f"), calls, 3, "s") is None
