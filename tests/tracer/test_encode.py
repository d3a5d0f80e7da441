"""Canonical text: exact forms, limits of size, and no code of the program ever run."""

from __future__ import annotations

import builtins
import dis
import enum
import functools
import sys
import time
import types
from collections import Counter, OrderedDict, defaultdict, deque
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from strategies import scalars, values

from tracer.inside import containers, encode, objects
from tracer.inside import scalars as scalar_module
from tracer.inside.encode import Encoder, is_hidden

PROGRAM = """
import collections, dataclasses, enum, typing

class Stack(list):
    def __init__(self, *items):
        super().__init__(*items)
        self.a = 1

class Node:
    def __init__(self, v):
        self.v = v
        self.next = None

class Color(enum.Enum):
    RED = 1

class Level(enum.IntEnum):
    LOW = 3

class Perm(enum.Flag):
    R = 1
    W = 2

@dataclasses.dataclass
class Point:
    x: int
    y: list

@dataclasses.dataclass(slots=True)
class Person:
    name: str
    age: int

Pair = collections.namedtuple("Pair", "left right")

class Base:
    __slots__ = ("z", "__private", "unset")
    def __init__(self):
        self.z = 1
        self.__private = 2

class Derived(Base):
    __slots__ = ("a", "__dict__")

class Number(int): pass
class Text(str): pass
class Real(float): pass
class Frozen(frozenset): pass
class Ordered(collections.OrderedDict): pass
class Tally(collections.Counter): pass
class Lazy(collections.defaultdict): pass
class Problem(ValueError): pass
class Empty: pass

def outer():
    class Local: pass
    return Local()
"""


@pytest.fixture(scope="module")
def program() -> Iterator[Any]:
    module = types.ModuleType("program")
    sys.modules["program"] = module
    exec(PROGRAM, module.__dict__)
    yield module
    del sys.modules["program"]


@pytest.mark.parametrize(
    ("value", "type_text", "text"),
    [
        (5, "int", "5"),
        (True, "bool", "True"),
        (None, "NoneType", "None"),
        (..., "ellipsis", "Ellipsis"),
        (1e22, "float", "1e+22"),
        (-0.0, "float", "-0.0"),
        (float("nan"), "float", "float('nan')"),
        (float("-inf"), "float", "float('-inf')"),
        (1 + 2j, "complex", "(1+2j)"),
        (complex(0.0, 2.0), "complex", "2j"),
        (complex(0.0, -2.0), "complex", "complex(0.0, -2.0)"),
        (complex(-0.0, 1.0), "complex", "complex(-0.0, 1.0)"),
        (complex(1.0, -0.0), "complex", "complex(1.0, -0.0)"),
        (complex(float("nan"), 1.0), "complex", "complex(float('nan'), 1.0)"),
        ("it's \ud800", "str", '"it\'s \\ud800"'),
        (b"\xff", "bytes", "b'\\xff'"),
        (bytearray(b"a"), "bytearray", "bytearray(b'a')"),
        (range(5), "range", "range(0, 5)"),
        (range(5, 0, -2), "range", "range(5, 0, -2)"),
        ([1, "a"], "list", "[1, 'a']"),
        ((), "tuple", "()"),
        ((1,), "tuple", "(1,)"),
        ((1, None), "tuple", "(1, None)"),
        ({}, "dict", "{}"),
        ({"b": 1, "a": [2]}, "dict", "{'b': 1, 'a': [2]}"),
        (set(), "set", "set()"),
        ({10, 9, -1}, "set", "{-1, 9, 10}"),
        ({"b", "a"}, "set", "{'a', 'b'}"),
        ({2.5, -1.0}, "set", "{-1.0, 2.5}"),
        ({10, 9.5, "a", None}, "set", "{None, 9.5, 10, 'a'}"),
        ({True, 0}, "set", "{True, 0}"),
        (frozenset(), "frozenset", "frozenset()"),
        (frozenset({2, 1}), "frozenset", "frozenset({1, 2})"),
        (deque([1]), "collections.deque", "collections.deque([1])"),
        (deque([1], 3), "collections.deque", "collections.deque([1], maxlen=3)"),
        (Counter("aab"), "collections.Counter", "collections.Counter({'a': 2, 'b': 1})"),
        (OrderedDict(), "collections.OrderedDict", "collections.OrderedDict([])"),
        (
            OrderedDict(a=1, b=2),
            "collections.OrderedDict",
            "collections.OrderedDict([('a', 1), ('b', 2)])",
        ),
        (
            defaultdict(list, {1: [2]}),
            "collections.defaultdict",
            "collections.defaultdict(list, {1: [2]})",
        ),
        (defaultdict(None), "collections.defaultdict", "collections.defaultdict(None, {})"),
        (defaultdict(lambda: 1), "collections.defaultdict", "<collections.defaultdict>"),
        ([int, len], "list", "[<type>, <builtin_function_or_method>]"),
        (object(), "object", "<object>"),
        (ValueError("x"), "ValueError", "<ValueError>"),
        ({1: 2}.items(), "dict_items", "<dict_items>"),
        (functools.partial(int), "functools.partial", "<functools.partial>"),
        (enum.Enum, "enum.EnumType", "<type>"),
    ],
)
def test_exact_texts(value: object, type_text: str, text: str) -> None:
    assert Encoder().describe(value) == (type_text, text)


@pytest.mark.parametrize(
    ("expression", "type_text", "text"),
    [
        ("Stack([4])", "Stack", "<Stack [4] a=1>"),
        ("Stack()", "Stack", "<Stack [] a=1>"),
        ("Node([1])", "Node", "<Node v=[1], next=None>"),
        ("[Empty()]", "list", "[<Empty>]"),
        ("Color.RED", "Color", "<Color.RED>"),
        ("Level.LOW", "Level", "<Level.LOW>"),
        ("Perm.R | Perm.W", "Perm", "<Perm.R|W>"),
        ("Perm(0)", "Perm", "<Perm.0>"),
        ("Point(1, [2])", "Point", "<Point x=1, y=[2]>"),
        ("Person('a', 3)", "Person", "<Person name='a', age=3>"),
        ("Pair(1, 2)", "Pair", "<Pair (1, 2)>"),
        ("Base()", "Base", "<Base z=1, _Base__private=2>"),
        ("Number(4)", "Number", "<Number 4>"),
        ("Text('a')", "Text", "<Text 'a'>"),
        ("Real(-0.0)", "Real", "<Real -0.0>"),
        ("Frozen([2, 1])", "Frozen", "<Frozen frozenset({1, 2})>"),
        ("Ordered(a=1)", "Ordered", "<Ordered collections.OrderedDict([('a', 1)])>"),
        ("Tally('aa')", "Tally", "<Tally collections.Counter({'a': 2})>"),
        ("Lazy(outer)", "Lazy", "<Lazy <collections.defaultdict>>"),
        ("Problem('x')", "Problem", "<Problem>"),
        ("outer()", "outer.Local", "<outer.Local>"),
        ("{Color.RED: Node(1)}", "dict", "{<Color.RED>: <Node v=1, next=None>}"),
        ("typing.List[int]", "typing._GenericAlias", "<typing._GenericAlias>"),
    ],
)
def test_instances_of_the_program(program: Any, expression: str, type_text: str, text: str) -> None:
    value = eval(expression, program.__dict__)
    assert Encoder().describe(value) == (type_text, text)


def test_fields_come_in_order_dict_first_then_slots(program: Any) -> None:
    value = program.Derived()
    value.a, value.q, value.__dict__["not a name"] = 3, 4, 5
    assert Encoder().text(value) == "<Derived q=4, 'not a name'=5, z=1, _Base__private=2, a=3>"


def test_a_container_inside_itself_is_a_cycle(program: Any) -> None:
    items: list[Any] = [1]
    items.append((items, {"again": items}))
    node = program.Node(1)
    node.next = [node]
    again = [2]
    assert Encoder().text(items) == "[1, (<cycle>, {'again': <cycle>})]"
    assert Encoder().text(node) == "<Node v=1, next=[<cycle>]>"
    assert Encoder().text([again, again]) == "[[2], [2]]"


def test_an_ordered_dict_keeps_its_own_order() -> None:
    value = OrderedDict([("a", 1), ("b", 2)])
    value.move_to_end("a")
    assert next(iter(dict.items(value))) == ("a", 1)
    assert Encoder().text(value) == "collections.OrderedDict([('b', 2), ('a', 1)])"


def test_huge_ints_are_hexadecimal_whatever_the_digit_limit() -> None:
    limit = sys.get_int_max_str_digits()
    decimal, hexadecimal = 10**4300 - 1, 10**4300
    try:
        sys.set_int_max_str_digits(640)
        assert Encoder().text(decimal) == "9" * 4300
        assert Encoder().text(-decimal) == "-" + "9" * 4300
        assert Encoder().text(hexadecimal) == hex(hexadecimal)
        assert Encoder().text(10**1200 + 7) == "1" + "0" * 1199 + "7"
        assert sys.get_int_max_str_digits() == 640
    finally:
        sys.set_int_max_str_digits(limit)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (16**39_998 - 1, None),
        (16**39_998, "too_large(39999)"),
        ([10**2000], "too_large(1)"),
        ("a" * 998, None),
        ("a" * 999, "too_large(999)"),
        ("\x00" * 600, "too_large(600)"),
        (b"a" * 2000, "too_large(2000)"),
        (list(range(10**6)), "too_large(1000000)"),
        (dict.fromkeys(range(400)), "too_large(400)"),
        (set(range(400)), "too_large(400)"),
        (["a" * 600, "a" * 600], "too_large(2)"),
        (range(10**999), "too_large(831)"),
    ],
    ids=range(12),
)
def test_what_is_too_large(value: Any, text: str | None) -> None:
    found = Encoder().text(value)
    assert found == text if text else not found.startswith("too_large")


def test_a_large_instance_counts_its_fields(program: Any) -> None:
    value = program.Node("a" * 2000)
    assert Encoder().text(value) == "too_large(2)"
    assert Encoder().text(program.Stack(range(500))) == "too_large(500)"


def test_text_of_exactly_the_limit_is_kept() -> None:
    assert Encoder(max_chars=9).text([1, 2, 3]) == "[1, 2, 3]"
    assert Encoder(max_chars=8).text([1, 2, 3]) == "too_large(3)"
    assert Encoder(max_chars=9).text({1: [], 2: 3}) == "too_large(2)"


@pytest.mark.parametrize("make", [list, lambda x: (*x,), lambda x: {1: x[0]} if x else {}])
def test_nesting_is_limited(make: Any) -> None:
    value: Any = make([])
    for _ in range(99):
        value = make([value])
    assert not Encoder().text(value).startswith("too_large")
    assert Encoder().text([value]).startswith("too_large")


def test_a_deep_program_stack_does_no_harm() -> None:
    value: list[Any] = []
    for _ in range(99):
        value = [value]

    def descend(left: int) -> str:
        return Encoder().text(value) if left == 0 else descend(left - 1)

    depth = 0
    frame = sys._getframe()
    while frame.f_back:
        depth, frame = depth + 1, frame.f_back
    assert descend(sys.getrecursionlimit() - depth - 30) == "[" * 100 + "]" * 100


def test_size_is_checked_before_anything_is_written() -> None:
    nest: list[Any] = []
    for _ in range(40):
        nest = [nest, nest]
    big = list(range(10**6))
    hidden = [[big] * 100, {"a": "b" * 10**7}]
    values = (nest, big, set(big), dict.fromkeys(big), "a" * 10**7, hidden, 7**10**6)
    start = time.perf_counter()
    for value in values:
        assert Encoder().text(value).startswith("too_large(")
    assert time.perf_counter() - start < 1


class _Meta(type):
    def _called(cls, *args: Any, **kwargs: Any) -> Any:
        raise AssertionError("code of the program was run")

    __hash__ = __eq__ = __getattribute__ = __instancecheck__ = _called  # type: ignore[assignment]
    __subclasscheck__ = __repr__ = __str__ = __len__ = __iter__ = __bool__ = _called  # type: ignore


def _hostile(*bases: type, **more: Any) -> type:
    def called(*args: Any, **kwargs: Any) -> Any:
        raise AssertionError("code of the program was run")

    names = (
        "repr str eq ne hash len iter getattribute getattr bool int index float complex bytes "
        "format sizeof dir reduce reduce_ex contains getitem missing next lt instancecheck "
        "length_hint reversed copy deepcopy"
    )
    space = {f"__{name}__": called for name in names.split()}
    space |= dict.fromkeys(("items", "keys", "values", "copy", "_name_", "_value_"), called)
    space |= {"__dict__": property(called), "__class__": property(called), "__module__": "program"}
    return _Meta("Hostile", bases, space | more)


@pytest.mark.parametrize(
    ("base", "arguments", "text"),
    [
        (object, (), "<Hostile>"),
        (list, ([1, 2],), "<Hostile [1, 2]>"),
        (tuple, ([1],), "<Hostile (1,)>"),
        (dict, ([(1, 2)],), "<Hostile {1: 2}>"),
        (set, ([1],), "<Hostile {1}>"),
        (frozenset, ([1],), "<Hostile frozenset({1})>"),
        (str, ("a",), "<Hostile 'a'>"),
        (bytes, (b"a",), "<Hostile b'a'>"),
        (bytearray, (b"a",), "<Hostile bytearray(b'a')>"),
        (int, (7,), "<Hostile 7>"),
        (float, (0.5,), "<Hostile 0.5>"),
        (complex, (1, 2), "<Hostile (1+2j)>"),
        (deque, ([1], 2), "<Hostile collections.deque([1], maxlen=2)>"),
        (defaultdict, (int, [(1, 2)]), "<Hostile collections.defaultdict(int, {1: 2})>"),
        (OrderedDict, (), "<Hostile collections.OrderedDict([])>"),
    ],
)
def test_no_code_of_the_program_is_run(base: type, arguments: tuple[Any, ...], text: str) -> None:
    kind = _hostile(base)
    value = type.__call__(kind, *arguments)
    encoder = Encoder()
    assert encoder.describe(value) == ("Hostile", text)
    assert encoder.text([value]) == f"[{text}]"
    assert encoder.text({1: value}) == f"{{1: {text}}}"
    assert encoder.text((value, kind)) == f"({text}, <type>)"
    assert encoder.text(deque([value])) == f"collections.deque([{text}])"
    assert is_hidden(value) is False
    assert is_hidden(kind) is True


def test_keys_of_the_program_are_neither_hashed_nor_compared() -> None:
    calls: list[str] = []

    class Key:
        def __hash__(self) -> int:
            calls.append("hash")
            return 1

        def __eq__(self, other: object) -> bool:
            calls.append("eq")
            return self is other

    Key.__module__ = "program"
    Key.__qualname__ = "Key"
    first, second = Key(), Key()
    made: list[Any] = [
        {first: 1, second: 2},
        {first, second},
        frozenset((first, second)),
        OrderedDict([(first, 1), ((second,), 2)]),
        Counter([first, second]),
        defaultdict(int, {first: 1}),
    ]
    calls.clear()
    texts = [Encoder().text(value) for value in made]
    assert not calls
    assert texts == [
        "{<Key>: 1, <Key>: 2}",
        "{<Key>, <Key>}",
        "frozenset({<Key>, <Key>})",
        "collections.OrderedDict([(<Key>, 1), ((<Key>,), 2)])",
        "collections.Counter({<Key>: 1, <Key>: 1})",
        "collections.defaultdict(int, {<Key>: 1})",
    ]


def test_iterators_are_not_consumed() -> None:
    generator = (number for number in (1, 2))
    iterator = iter([1, 2])
    assert Encoder().text([generator, iterator, map(str, [1])]) == (
        "[<generator>, <list_iterator>, <map>]"
    )
    assert list(generator) == list(iterator) == [1, 2]


@pytest.mark.parametrize("module", [encode, containers, objects, scalar_module])
def test_builtins_are_bound_at_import(module: types.ModuleType) -> None:
    """A program that replaces ``builtins.len`` must not be called by us."""

    def names(code: types.CodeType) -> Iterator[str]:
        for instruction in dis.get_instructions(code):
            if instruction.opname in ("LOAD_GLOBAL", "LOAD_NAME"):
                yield instruction.argval
        for constant in code.co_consts:
            if isinstance(constant, types.CodeType):
                yield from names(constant)

    assert module.__file__
    with open(module.__file__, encoding="utf-8") as file:
        code = compile(file.read(), module.__file__, "exec")
    assert not {n for n in names(code) if n not in module.__dict__ and hasattr(builtins, n)}


@pytest.mark.parametrize(
    ("value", "hidden"),
    [
        (len, True),
        ([].append, True),
        (str.upper, True),
        (dict.fromkeys, True),
        ("".__len__, True),
        (int.__add__, True),
        (test_exact_texts, True),
        (lambda: 0, True),
        (Encoder().text, True),
        (int, True),
        (enum.Enum, True),
        (sys, True),
        (5, False),
        (None, False),
        ([len], False),
        (functools.partial(int), False),
        (iter([]), False),
    ],
)
def test_what_is_hidden(value: object, hidden: bool) -> None:
    assert is_hidden(value) is hidden


@given(values)
def test_text_keeps_to_the_limits(value: Any) -> None:
    full = Encoder(10**9, 10**9).text(value)
    limit = 40_000 if type(value) is int else 60
    text = Encoder(max_chars=60).text(value)
    assert text == full if len(full) <= limit else text.startswith("too_large(")


@given(scalars)
def test_scalars_are_written_alike_alone_and_inside(value: Any) -> None:
    encoder = Encoder(10**6)
    assert encoder.text([value]) == f"[{encoder.text(value)}]"
    assert encoder.text([value, "x", 1.5]) == f"[{encoder.text(value)}, 'x', 1.5]"
