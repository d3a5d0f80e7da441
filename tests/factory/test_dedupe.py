from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from factory.dedupe import BEHAVIOUR, DUPLICATE, SeenKeys, dedupe_keys, find_family
from factory.identity import content_id
from factory.metrics import Metrics, measure
from factory.normal_form import normal_form
from factory.recipe_records import Recipe, Source
from factory.records import Constraint, Draft, Origin
from factory.scopes import find_scopes
from factory.sources import read_draft
from factory.sources.records import read_raw
from tracer.records import Call, Limits, Program
from tracer.runner import Runner

DATA = Path(__file__).parent.parent / "data"


def form(source: str, literals: bool = True, entry: str = "f") -> str:
    return normal_form(source, entry, literals=literals)


SAME = [
    ("names", "def f(a, b):\n    return a + b", "def f(x, y):\n    return x + y"),
    ("layout", "def f(a):\n    return a", "def f( a ) :  # same\n\n  return (a)"),
    ("docstring", "def f(a):\n    'Says.'\n    return a", "def f(a):\n    return a"),
    (
        "one name in two scopes",
        "def f(a):\n    return [a for a in a]",
        "def f(a):\n    return [b for b in a]",
    ),
    (
        "helper",
        "def g(n):\n    return n\ndef f(a):\n    return g(a)",
        "def helper(n):\n    return n\ndef f(a):\n    return helper(a)",
    ),
    (
        "import",
        "import math\ndef f(a):\n    return math.pi",
        "import math as m\ndef f(a):\n    return m.pi",
    ),
    ("global", "K = 1\ndef f():\n    return K", "LIMIT = 1\ndef f():\n    return LIMIT"),
    (
        "except",
        "def f():\n    try:\n        pass\n    except E as e:\n        print(e)",
        "def f():\n    try:\n        pass\n    except E as error:\n        print(error)",
    ),
    (
        "nonlocal",
        "def f():\n    n = 0\n    def g():\n        nonlocal n\n        n += 1\n    g()",
        "def f():\n    k = 0\n    def h():\n        nonlocal k\n        k += 1\n    h()",
    ),
    (
        "match",
        "def f(x):\n    match x:\n        case [a, *b]:\n            return a",
        "def f(x):\n    match x:\n        case [c, *d]:\n            return c",
    ),
    (
        "walrus",
        "def f(x):\n    return [(y := i) for i in x]",
        "def f(x):\n    return [(z := j) for j in x]",
    ),
    ("lambda", "def f(x):\n    return lambda n: n + x", "def f(y):\n    return lambda m: m + y"),
]
DIFFERENT = [
    ("order of use", "def f(a, b):\n    return a - b", "def f(a, b):\n    return b - a"),
    ("literal", "def f(a):\n    return a + 1", "def f(a):\n    return a + 2"),
    ("type of literal", "def f():\n    return 1", "def f():\n    return True"),
    ("sign", "def f():\n    return 0.0", "def f():\n    return -0.0"),
    ("builtin", "def f(a):\n    return len(a)", "def f(a):\n    return sum(a)"),
    ("method", "def f(a):\n    return a.pop()", "def f(a):\n    return a.copy()"),
    ("shadowed", "def f(sum):\n    return sum(sum)", "def f(a):\n    return sum(a)"),
    ("class name", "class A: pass\ndef f(): return A()", "class B: pass\ndef f(): return B()"),
    (
        "class attribute",
        "class A:\n    x = 1\ndef f(): return A",
        "class A:\n    y = 1\ndef f(): return A",
    ),
    ("looks at names", "def f(a):\n    return locals()", "def f(b):\n    return locals()"),
    (
        "function name",
        "def g(): pass\ndef f(): return g.__name__",
        "def h(): pass\ndef f(): return h.__name__",
    ),
    (
        "keywords",
        "def g(a, b):\n    return a - b\ndef f():\n    return g(a=1, b=2)",
        "def g(b, a):\n    return b - a\ndef f():\n    return g(a=1, b=2)",
    ),
    (
        "inner or outer",
        "def f(a):\n    def g():\n        b = 1\n        return b\n    b = 2\n    return g() + b",
        "def f(a):\n    def g():\n        b = 1\n        return b\n    c = 2\n    return g() + a",
    ),
    (
        "global or local",
        "n = 0\ndef f():\n    global n\n    n = 1\n    return n",
        "n = 0\ndef f():\n    m = 1\n    return m",
    ),
    ("import of another module", "import math as m", "import cmath as m"),
    ("import of a package's module", "import os.path", "import os.path as os"),
]  # fmt: skip


@pytest.mark.parametrize(("what", "one", "other"), SAME, ids=[case[0] for case in SAME])
def test_programs_that_differ_in_names_only(what: str, one: str, other: str) -> None:
    assert form(one) == form(other)
    assert form(one, literals=False) == form(other, literals=False)


@pytest.mark.parametrize(("what", "one", "other"), DIFFERENT, ids=[case[0] for case in DIFFERENT])
def test_programs_that_do_other_things(what: str, one: str, other: str) -> None:
    assert form(one) != form(other)


def test_the_entry_point_is_part_of_the_form() -> None:
    source = "def f(a):\n    return a\ndef g(a):\n    return a"
    assert form(source, entry="f") != form(source, entry="g")


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("def f():\n    return 1", "def f():\n    return -7"),
        ("def f():\n    return [1, (2, 'a')]", "def f():\n    return []"),
        ("def f(a):\n    return a + 'x'", "def f(b):\n    return b + 'yy'"),
        ("def f(a=1.5):\n    return a", "def f(a=2.5):\n    return a"),
    ],
)
def test_a_family_ignores_literals(one: str, other: str) -> None:
    assert form(one, literals=False) == form(other, literals=False)
    assert form(one) != form(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("def f():\n    return 1", "def f():\n    return 'a'"),
        ("def f(a):\n    return [1]", "def f(a):\n    return [a]"),
        ("def f(a):\n    return -a", "def f(a):\n    return a"),
    ],
)
def test_a_family_keeps_what_is_no_literal(one: str, other: str) -> None:
    assert form(one, literals=False) != form(other, literals=False)


def test_deep_programs_have_a_form() -> None:
    chain = " + ".join(["a"] * 900)
    one = form(f"def f(a):\n    return {chain}")
    other = form(f"def f(b):\n    return {chain.replace('a', 'b')}")
    assert one == other
    assert one != form(f"def f(a):\n    return {chain} + a")


class Renamer(ast.NodeTransformer):
    """Renames every local name of a tree in one and the same way."""

    def __init__(self, tree: ast.Module, prefix: str) -> None:
        self.prefix = prefix
        self.scopes = find_scopes(tree)

    def local(self, node: ast.AST, name: str) -> bool:
        home = self.scopes[node].resolve(name)
        return home is not None and home.kind in ("function", "comprehension")

    def visit_Name(self, node: ast.Name) -> ast.AST:
        if self.local(node, node.id):
            node.id = self.prefix + node.id
        return node

    def visit_arg(self, node: ast.arg) -> ast.AST:
        node.arg = self.prefix + node.arg
        return self.generic_visit(node)

    def visit_ExceptHandler(self, node: ast.ExceptHandler) -> ast.AST:
        if node.name and self.local(node, node.name):
            node.name = self.prefix + node.name
        return self.generic_visit(node)


def sample_sources() -> list[str]:
    path = DATA / "cruxeval" / "sample.jsonl"
    recipe = Recipe(Source("jsonl", path=str(path), shape="cruxeval"))
    drafts = [read_draft(raw, recipe).draft for raw in read_raw(path)]
    return [draft.program.source for draft in drafts if draft]


@given(st.sampled_from(sample_sources()), st.from_regex(r"[a-z]{1,5}", fullmatch=True))
def test_renamed_real_programs_keep_their_form(source: str, prefix: str) -> None:
    tree = ast.parse(source)
    renamed = ast.unparse(Renamer(tree, f"{prefix}q_").visit(tree))
    assert form(source) == form(renamed)


def test_known_families_keep_their_ids() -> None:
    """On every Python: a change here would move published programs to other splits."""
    families = [content_id(form(source, literals=False)) for source in sample_sources()]
    assert content_id(families) == "b2a1ae690474ca0b"


def draft(source: str, constraint: Constraint | None = None, template: str | None = None) -> Draft:
    return Draft(Program(source, "f"), Origin("template", template, constraint), calls=())


CONSTRAINT = Constraint("str", "strip", 2, (), (), False, 1)


@pytest.fixture(scope="module")
def runner() -> Iterator[Runner]:
    with Runner(Limits(cpu_s=0.2)) as runner:
        yield runner


def test_rules_of_dedupe(runner: Runner) -> None:
    one, other = draft("def f(a):\n    return a"), draft("def f(b):\n    return b")
    assert dedupe_keys(one, "none", runner) == {}
    assert dedupe_keys(one, "exact", runner) != dedupe_keys(other, "exact", runner)
    same = replace(one, tests="x")
    assert dedupe_keys(one, "exact", runner) == dedupe_keys(same, "exact", runner)
    assert dedupe_keys(one, "normalised", runner) == dedupe_keys(other, "normalised", runner)


def behaviour(runner: Runner, source: str, *seeds: str) -> str | None:
    calls = tuple(Call(args) for args in seeds)
    found = Draft(Program(source, "f"), Origin("template"), calls=calls)
    keys = dedupe_keys(found, "behaviour", runner)
    assert keys[DUPLICATE] == dedupe_keys(found, "normalised", runner)[DUPLICATE]
    return keys.get(BEHAVIOUR)


SUM = "def f(a):\n    return sum(a) * 3\n"
LOOP = "def f(xs):\n    total = 0\n    for x in xs:\n        total += 3 * x\n    return total\n"


def test_programs_that_do_the_same_share_a_behaviour(runner: Runner) -> None:
    found = behaviour(runner, SUM, "[1, 2]")
    assert found is not None
    assert found == behaviour(runner, LOOP, "[4]"), "whatever their own seeds"
    assert found != behaviour(runner, SUM.replace("3", "4"), "[1, 2]")
    assert found != behaviour(runner, SUM, "(1, 2)"), "another signature"
    assert found != behaviour(runner, "def f(a):\n    return sum(a) * 3.0\n", "[1, 2]")


def test_exceptions_are_part_of_what_a_program_does(runner: Runner) -> None:
    strict = "def f(n):\n    if n < 0:\n        raise ValueError(n)\n    return n * 2\n"
    found = behaviour(runner, strict, "1")
    assert found is not None
    assert found == behaviour(runner, strict.replace("n * 2", "n + n"), "1")
    assert found != behaviour(runner, strict.replace("ValueError", "KeyError"), "1")
    assert found != behaviour(runner, "def f(n):\n    return n * 2\n", "1")


@pytest.mark.parametrize(
    ("source", "seed"),
    [
        ("def f(n):\n    return n > 3\n", "1"),
        ("def f(n):\n    return id(n)\n", "1"),
        ("def f(n):\n    while True:\n        n += 1\n", "1"),
        ("def f(n):\n    return (k for k in range(n))\n", "1"),
        ("def f(n):\n    raise KeyError\n", "1"),
        ("def f(g):\n    return g(2)\n", "lambda n: n"),
        ("def f():\n    return 1\n", ""),
    ],
)
def test_some_programs_have_no_behaviour_to_compare(runner: Runner, source: str, seed: str) -> None:
    assert behaviour(runner, source, seed) is None


def test_a_template_family_holds_template_and_cell() -> None:
    source = "def f(a):\n    return a"
    families = {
        find_family(draft(source)),
        find_family(draft(source, CONSTRAINT, "chain")),
        find_family(draft(source, CONSTRAINT, "other")),
        find_family(draft(source, replace(CONSTRAINT, level=2), "chain")),
        find_family(draft(source, replace(CONSTRAINT, method="lower"), "chain")),
    }
    assert len(families) == 5
    assert find_family(draft(source, CONSTRAINT, "chain")) == find_family(
        draft("def f(k):\n    return k", CONSTRAINT, "chain")
    )


def test_one_shared_key_makes_a_duplicate() -> None:
    with SeenKeys() as seen:
        seen.add({DUPLICATE: "a", BEHAVIOUR: "b"})
        seen.add({DUPLICATE: "a", BEHAVIOUR: "c"})
        assert seen.find({DUPLICATE: "a"}) == DUPLICATE
        assert seen.find({DUPLICATE: "x", BEHAVIOUR: "b"}) == BEHAVIOUR
        assert seen.find({DUPLICATE: "x", BEHAVIOUR: "c"}) == BEHAVIOUR
        assert seen.find({DUPLICATE: "b", BEHAVIOUR: "a"}) is None, "keys of one kind are compared"
        assert seen.find({}) is None


def test_real_duplicates_are_found() -> None:
    """Records 39 and 588 of CRUXEval."""
    one = (
        "def f(array, elem):\n"
        "    if elem in array:\n        return array.index(elem)\n    return -1"
    )
    other = (
        "def f(items, target):\n"
        "    if target in items:\n        return items.index(target)\n    return -1"
    )
    assert one in sample_sources()
    assert form(one) == form(other)
    assert len({form(source) for source in sample_sources()}) == 10


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("def f(a):\n\n    return a\n", Metrics(2, 2, 0, 0)),
        (
            "def f(a):\n    for x in a:\n        if x:\n            print(len(x))",
            Metrics(4, 4, 2, 2),
        ),
        ("def f(a):\n    if a: pass\n    elif f(a): pass\n    else: pass", Metrics(4, 6, 1, 1)),
        ("def f(a):\n    if a: pass\n    else:\n        if a: pass", Metrics(4, 5, 2, 0)),
        ("x = 1; y = 2", Metrics(1, 2, 0, 0)),
    ],
)
def test_metrics(source: str, expected: Metrics) -> None:
    assert measure(source) == expected
