# ruff: noqa: E501 - test programs read best on one line
from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from factory.constraints import CONSTRAINTS, Violation, check_dynamic, check_static
from factory.constraints.analysis import analyse
from factory.constraints.types import UNKNOWN, Type, join, parse_type
from factory.grid import FEATURES
from factory.records import Constraint
from tracer.records import Call, Program
from tracer.runner import Runner

REPLACE = Constraint("str", "replace", 2, (), (), False, 1)
GOOD = """
def measure(word: str) -> int:
    return len(word)

def rate(word: str, bonus: int) -> int:
    size = measure(word)
    return size + bonus

def score_words(words: list[str], bonus: int) -> int:
    total = 0
    for word in words:
        position = 0
        while position < len(word):
            if word.startswith('a', position):
                short = word.replace('a', 'b').replace('b', 'c')
                total += len(short.strip())
            else:
                total += rate(word, bonus)
            position += 1
    return total
"""
FULL = Constraint(
    "str", "replace", 2, ("str.strip", "str.startswith"), ("for", "while", "if"), True, 6
)


def static(source: str, constraint: Constraint, entry: str = "f") -> list[str]:
    return [each.constraint for each in check_static(Program(source, entry), constraint)]


def reasons(source: str, constraint: Constraint, entry: str = "f") -> str:
    return "; ".join(each.reason for each in check_static(Program(source, entry), constraint))


def test_a_program_that_keeps_everything() -> None:
    assert static(GOOD, FULL, "score_words") == []


def test_nothing_is_accepted_without_proof() -> None:
    claim = Constraint("dict", "popitem", 2, ("str.lower",), ("for", "if", "for"), True, 6)
    assert static("def f(x): return x\n", claim) == [
        check.name for check in CONSTRAINTS if check.name not in FEATURES.values()
    ]


PLANTED: dict[str, tuple[str, Constraint, str]] = {
    "only in a string": (
        "def f(s: str) -> str:\n    return \"s.replace('a', s.replace('b', 'c'))\" + s\n",
        REPLACE,
        "str.replace is never called",
    ),
    "only in a comment": (
        "def f(s: str) -> str:\n    # s.replace('a', 'b').replace('b', 'c')\n    return s\n",
        REPLACE,
        "str.replace is never called",
    ),
    "method of another type": (
        "def f(s: list[int]) -> int:\n    return abs(s.count(s.count(1)))\n",
        replace(REPLACE, method="count"),
        "count is only called on list",
    ),
    "receiver without a known type": (
        "def f(s):\n    return s.replace('a', s.replace('b', 'c'))\n",
        REPLACE,
        "the type of what replace is called on is not known",
    ),
    "receiver of two types": (
        "def f(n: int) -> str:\n    s = 'a'\n    s = n\n    return s.replace('a', 'b').replace('b', '')\n",
        REPLACE,
        "is not known",
    ),
    "in a function that is never called": (
        "def g(s: str) -> str:\n    return s.replace('a', 'b').replace('b', 'c')\n\n"
        "def f(s: str) -> str:\n    return s\n",
        REPLACE,
        "which the entry point never calls",
    ),
    "side by side, not nested": (
        "def f(s: str) -> str:\n    return s.replace('a', 'b') + s.replace('b', 'c')\n",
        REPLACE,
        "nested 1 deep, not 2",
    ),
    "nested in another call only": (
        "def f(s: str) -> int:\n    return len(s.replace('a', 'b'))\n",
        REPLACE,
        "nested 1 deep, not 2",
    ),
    "over two statements": (
        "def f(s: str) -> str:\n    t = s.replace('a', 'b')\n    return t.replace('b', 'c')\n",
        REPLACE,
        "nested 1 deep, not 2",
    ),
    "no other method": (
        "def f(s: str) -> str:\n    return s.replace('a', 'b').replace('b', 'c')\n",
        replace(REPLACE, level=2, other_methods=("str.lower",)),
        "str.lower is never called",
    ),
    "other method on another type": (
        "def f(s: str, x: list[int]) -> str:\n    x.count(1)\n"
        "    return s.replace('a', 'b').replace('b', 'c')\n",
        replace(REPLACE, level=2, other_methods=("str.count",)),
        "str.count is never called on an object known to be that type",
    ),
    "the target is no other method": (
        "def f(s: str) -> str:\n    return s.replace('a', 'b').replace('b', 'c')\n",
        replace(REPLACE, level=2, other_methods=("str.replace",)),
        "is the target",
    ),
    "comprehension is no loop": (
        "def f(s: str) -> list[str]:\n"
        "    return [c.replace('a', 'b').replace('b', 'c') for c in s]\n",
        replace(REPLACE, control_flow=("for",)),
        "the program has no control statement",
    ),
    "loop in a comment": (
        "def f(s: str) -> str:\n    # for c in s:\n"
        "    return s.replace('for ', 'b').replace('b', 'c')\n",
        replace(REPLACE, control_flow=("for",)),
        "no nesting for",
    ),
    "nested in the wrong order": (
        "def f(s: str) -> str:\n    if s:\n        for c in s:\n"
        "            s = s.replace('a', 'b').replace('b', c)\n    return s\n",
        replace(REPLACE, control_flow=("for", "if")),
        "no nesting for > if: the program has if > for",
    ),
    "side by side, not nested control": (
        "def f(s: str) -> str:\n    for c in s:\n        s = s + c\n    if s:\n"
        "        s = s.replace('a', 'b').replace('b', 'c')\n    return s\n",
        replace(REPLACE, control_flow=("for", "if")),
        "the program has for, if",
    ),
    "else: if is nested, elif is not": (
        "def f(s: str) -> str:\n    if s > 'm':\n        s = s + 'a'\n    elif s > 'c':\n"
        "        s = s.replace('a', 'b').replace('b', 'c')\n    return s\n",
        replace(REPLACE, control_flow=("if", "if")),
        "the program has if-elif",
    ),
    "deeper than promised": (
        "def f(s: str) -> str:\n    for c in s:\n        if c:\n"
        "            s = s.replace('a', 'b').replace('b', 'c')\n    return s\n",
        replace(REPLACE, control_flow=("for",)),
        "nested 2 deep (for > if), not 1",
    ),
    "control where none is promised": (
        "def f(s: str) -> str:\n    if s:\n        s = s.replace('a', 'b').replace('b', 'c')\n"
        "    return s\n",
        REPLACE,
        "nested 1 deep (if), not 0",
    ),
    "helper never called": (
        "def a(s: str) -> str:\n    return s\n\ndef b(s: str) -> str:\n    return a(s)\n\n"
        "def f(s: str) -> str:\n    return s.replace('a', 'b').replace('b', 'c')\n",
        replace(REPLACE, helper_chain=True),
        "the helper a is never called",
    ),
    "chain of one": (
        "def b(s: str) -> str:\n    return s\n\n"
        "def f(s: str) -> str:\n    return b(s).replace('a', 'b').replace('b', 'c')\n",
        replace(REPLACE, helper_chain=True),
        "no helper of the entry point calls another helper",
    ),
    "helper shadowed by a parameter": (
        "def a(s: str) -> str:\n    return s\n\ndef b(s: str) -> str:\n    return a(s)\n\n"
        "def f(s: str, b: str) -> str:\n    b(s)\n"
        "    return s.replace('a', 'b').replace('b', 'c')\n",
        replace(REPLACE, helper_chain=True),
        "is never called",
    ),
    "recursion is no chain": (
        "def b(s: str) -> str:\n    return b(s[1:]) if s else s\n\n"
        "def f(s: str) -> str:\n    return b(s).replace('a', 'b').replace('b', 'c')\n",
        replace(REPLACE, helper_chain=True),
        "no helper of the entry point calls another helper",
    ),
    "built-in shadowed by a parameter": (
        "def f(len: int, t: tuple[int, ...]) -> int:\n    return abs(len(t))\n",
        Constraint("tuple", "len()", 2, (), (), False, 1),
        "is not known",
    ),
    "built-in bound later in the function": (
        "def f(t: tuple[int, ...]) -> int:\n    n = abs(len(t))\n    len = n\n    return len\n",
        Constraint("tuple", "len()", 2, (), (), False, 1),
        "is not known",
    ),
    "bool is no int": (
        "def f(flag: bool) -> int:\n    return abs(abs(flag))\n",
        Constraint("int", "abs()", 3, (), (), False, 1),
        "nested 1 deep, not 3",
    ),
    "no such function": ("def g(): pass\n", REPLACE, "no function f in the program"),
    "not Python": ("def f(:\n", REPLACE, "refuses it"),
}


@pytest.mark.parametrize("planted", PLANTED)
def test_planted_violations_are_found(planted: str) -> None:
    source, constraint, reason = PLANTED[planted]
    assert reason in reasons(source, constraint)


TYPED = {
    "annotation": "def f(s: str) -> str:\n    return s.replace('a', s.replace('b', 'c'))\n",
    "quoted annotation": "def f(s: 'str') -> 'str':\n    return s.replace('a', '').replace('b', '')\n",
    "literal": "def f(n: int) -> str:\n    s = 'a'\n    return s.replace('a', str(n)).replace('b', '')\n",
    "known method": "def f(s: str) -> str:\n    t = s.split('-')\n    return t[0].replace('a', '').replace('b', '')\n",
    "loop variable": "def f(d: dict[int, str]) -> str:\n    r = ''.join([v.replace('a', '').replace('b', '') for k, v in d.items()])\n    return r\n",
    "unpacked": "def f(p: tuple[int, str]) -> str:\n    n, s = p\n    return s.replace('a', '').replace('b', '')\n",
    "own function": "def g(n: int) -> str:\n    return str(n)\n\ndef f(n: int) -> str:\n    return g(n).replace('1', '').replace('2', '')\n",
    "f-string": "def f(n: int) -> str:\n    return f'{n}'.replace('1', '').replace('2', '')\n",
    "conditional": "def f(s: str) -> str:\n    return (s if s else 'x').replace('1', '').replace('2', '')\n",
    "walrus": "def f(s: str) -> str:\n    return (t := s.strip()).replace('a', t.replace('b', ''))\n",
    "bound after use in the loop": (
        "def f(s: str) -> str:\n    t = s\n    while t != (t := t.replace('a', '').replace('b', '')):\n        pass\n    return t\n"
    ),
    "closure": (
        "def f(s: str) -> str:\n    def g() -> str:\n        return s.replace('a', '').replace('b', '')\n    return g()\n"
    ),
    "module constant": "S = 'abc'\n\ndef f(n: int) -> str:\n    return S.replace('a', '').replace('b', '')\n",
}


@pytest.mark.parametrize("how", TYPED)
def test_receivers_whose_type_is_known(how: str) -> None:
    deep = static(TYPED[how], REPLACE)
    assert deep == (["control_flow"] if "while" in TYPED[how] else [])


FOREIGN = {
    "lambda glued to else": (
        "def f(flag):\n    make = [1] if flag else(lambda k=2: [k])\n"
        "    return make() if callable(make) else make\n"
    ),
    "import alias over two lines": (
        "from math import (floor\n  as fl, ceil\n  as ce)\n\ndef f(x):\n    return fl(x), ce(x)\n"
    ),
    "nested empty parentheses": (
        'def f():\n    box = {"k": (())}\n    row = [((()),), ((7))]\n    return box, row, ((()))\n'
    ),
    "quoted annotation of a class": (
        'class Box:\n    pass\n\ndef f(b: "Box | None" = None) -> "Box":\n'
        "    if b is None:\n        b = Box()\n    return b\n"
    ),
    "f-string that reuses its quotes": (
        'def f(d):\n    return f"total: {", ".join(f"{k}={v}" for k, v in d.items())}"\n'
    ),
    "many additions": "def f():\n    return " + "+".join(["1"] * 30_000) + "\n",
    "many parentheses": "def f():\n    return " + "(" * 3_000 + "1" + ")" * 3_000 + "\n",
    "many signs": "def f():\n    return " + "-" * 5_000 + "1\n",
    "many elif": "def f(n):\n    if n:\n        n = 1\n" + "    elif n:\n        n = 2\n" * 4_000,
    "null byte": "def f():\n    return '\0'\n",
    "match, try, class, async": (
        "import a.b as c\nfrom d import *\n\n@c\nclass K(c):\n    def m(self, *args: int, **more: str):\n"
        "        try:\n            del self.x, args[0]\n        except* ValueError as e:\n            raise\n"
        "        match args:\n            case [x, *y] if x:\n                return y\n"
        "            case {'k': v, **w}:\n                global z\n                z: int\n"
        "async def f(n):\n    async for i in n:\n        async with i as j, i:\n            await j\n"
        "    return [k async for k in n if (lambda q=1, *r: q)(k)]\n"
    ),
}


@pytest.mark.parametrize("kind", FOREIGN)
def test_foreign_code_never_crashes_the_checker(kind: str) -> None:
    violations = check_static(Program(FOREIGN[kind], "f"), FULL)
    assert violations
    assert all(violation.reason for violation in violations)


def statement_kinds(source: str) -> tuple[str, ...]:
    found: list[str] = []

    def walk(node: ast.AST) -> None:
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.stmt | ast.ExceptHandler | ast.match_case):
                found.append(type(child).__name__)
            walk(child)

    walk(ast.parse(source))
    return tuple(found)


HERE = Path(__file__).parent


@pytest.mark.parametrize(
    "path", [*sorted((HERE.parent / "oracle_programs").glob("*.py")), Path(__file__)], ids=str
)
def test_statements_are_numbered_as_ast_numbers_them(path: Path) -> None:
    source = path.read_text()
    try:
        kinds = statement_kinds(source)
    except SyntaxError:
        pytest.skip("needs a newer Python")
    assert analyse(Program(source, None)).kinds == kinds


@pytest.fixture(scope="module")
def runner() -> Iterator[Runner]:
    with Runner() as runner:
        yield runner


def dynamic(
    runner: Runner, source: str, constraint: Constraint, calls: Sequence[str], entry: str = "f"
) -> tuple[Violation, ...]:
    program = Program(source, entry)
    assert check_static(program, constraint) == ()
    return check_dynamic([runner.run(program, Call(args)) for args in calls], constraint)


def test_traces_that_show_everything(runner: Runner) -> None:
    assert dynamic(runner, GOOD, FULL, ["['ab', 'xa'], 2"], "score_words") == ()


@pytest.mark.parametrize(
    ("calls", "missing"),
    [
        (["['b', 'xy'], 2"], "if is never entered"),
        (["['a', 'aa'], 2"], "if is never passed by"),
        (["['ab'], 2"], "body of a for never runs twice"),
        (["['a', 'b', ''], 2"], "body of a while never runs twice"),
        (["['aa'], 2"], "no call runs from the entry point through one helper into another"),
        (["['b'], 2"], "str.replace: no statement that calls it ran to its end"),
        (["['b'], 2"], "str.strip: no statement that calls it ran to its end"),
        (["['b'], 2"], "no statement with the nested calls ran to its end"),
    ],
)
def test_traces_that_leave_something_out(runner: Runner, calls: list[str], missing: str) -> None:
    found = dynamic(runner, GOOD, FULL, calls, "score_words")
    assert missing in "; ".join(violation.reason for violation in found)


def test_two_traces_together_may_show_it(runner: Runner) -> None:
    assert dynamic(runner, GOOD, FULL, ["['ab', 'a'], 2", "['xy'], 2"], "score_words") == ()


def test_the_receiver_held_the_type_when_it_ran(runner: Runner) -> None:
    source = "def f(s: tuple[int, ...]) -> int:\n    return s[s.count(1):].count(2)\n"
    claim = Constraint("tuple", "count", 2, (), (), False, 1)
    assert dynamic(runner, source, claim, ["(1, 2)"]) == ()
    found = dynamic(runner, source, claim, ["[1, 2]"])
    assert [each.constraint for each in found] == ["target_method"]
    assert "did not hold tuple" in found[0].reason


def test_a_statement_that_raised_does_not_count(runner: Runner) -> None:
    source = "def f(s: str, n: int) -> str:\n    return s.replace('a', '').replace('b', '') + str(1 // n)\n"
    assert dynamic(runner, source, REPLACE, ["'ab', 1"]) == ()
    found = dynamic(runner, source, REPLACE, ["'ab', 0"])
    assert {each.constraint for each in found} == {"target_method", "nested_calls"}


def test_every_elif_must_be_entered_and_passed(runner: Runner) -> None:
    source = (
        "def f(s: str) -> str:\n    t = s.replace('a', '').replace('b', '')\n"
        "    if t > 'x':\n        t = t + '!'\n    elif t > 'm':\n        t = t + '?'\n    return t\n"
    )
    claim = replace(REPLACE, control_flow=("if-elif",))
    assert dynamic(runner, source, claim, ["'y'", "'n'", "'c'"]) == ()
    assert "elif is never entered" in dynamic(runner, source, claim, ["'y'", "'c'"])[0].reason
    assert "elif is never passed" in dynamic(runner, source, claim, ["'y'", "'n'"])[0].reason


def test_a_branch_at_the_end_of_a_function_is_passed_by(runner: Runner) -> None:
    source = (
        "def g(s: str, out: list[str]) -> None:\n    if s:\n"
        "        out.append(s.replace('a', '').replace('b', ''))\n\n"
        "def f(s: str) -> list[str]:\n    out: list[str] = []\n    g(s, out)\n    return out\n"
    )
    claim = replace(REPLACE, control_flow=("if",))
    assert dynamic(runner, source, claim, ["'ab'", "''"]) == ()
    assert dynamic(runner, source, claim, ["'ab'"])[0].reason == "an if is never passed by"


def test_a_loop_that_is_always_left_at_once_does_not_iterate(runner: Runner) -> None:
    source = (
        "def f(s: str) -> str:\n    t = s.replace('a', '').replace('b', '')\n"
        "    for c in s:\n        for d in c + c:\n            t = t + d\n            break\n"
        "    return t\n"
    )
    claim = replace(REPLACE, control_flow=("for", "for"))
    found = dynamic(runner, source, claim, ["'abc'"])
    assert [each.reason for each in found] == ["the body of a for never runs twice in a row"]


def test_check_dynamic_wants_the_traces_of_one_program(runner: Runner) -> None:
    one = runner.run(Program("def f():\n    return 1\n", "f"), Call(""))
    two = runner.run(Program("def f():\n    return 2\n", "f"), Call(""))
    with pytest.raises(ValueError, match="one program"):
        check_dynamic([one, two], REPLACE)
    assert check_dynamic([], REPLACE)[0].constraint == "readable"
    assert check_dynamic([one], REPLACE) == check_static(one.program, REPLACE) != ()


types = st.recursive(
    st.sampled_from(["int", "str", "bool", "float"]).map(Type),
    lambda inner: st.one_of(
        inner.map(lambda one: Type("list", (one,))),
        inner.map(lambda one: Type("set", (one,))),
        inner.map(lambda one: Type("tuple", (one, Type("...")))),
        st.lists(inner, min_size=1, max_size=3).map(lambda some: Type("tuple", tuple(some))),
        st.tuples(inner, inner).map(lambda pair: Type("dict", pair)),
    ),
    max_leaves=6,
)


@given(types)
def test_a_type_reads_back_from_its_text(type_: Type) -> None:
    assert parse_type(str(type_)) == type_
    assert parse_type(f"'{type_}'") == type_
    assert parse_type(f"{type_} | None") == UNKNOWN


@given(types, types, types)
def test_join_is_a_join(one: Type, two: Type, three: Type) -> None:
    assert join(one, one) == one
    assert join(one, two).name == join(two, one).name
    assert join(join(one, two), three).name == join(one, join(two, three)).name
    assert join(one, two).name in (one.name, "?")


@given(st.text(max_size=40))
def test_any_annotation_text_gives_a_type(text: str) -> None:
    assert isinstance(parse_type(text), Type)
