from __future__ import annotations

import ast
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from factory.dedupe import SeenKeys, dedupe_key, find_family
from factory.identity import content_id
from factory.metrics import Metrics, measure
from factory.normal_form import normal_form
from factory.recipe_records import Recipe, Source
from factory.records import Constraint, Draft, Origin
from factory.scopes import find_scopes
from factory.sources import read_draft
from factory.sources.records import read_raw
from tracer.records import Program

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


def test_rules_of_dedupe() -> None:
    one, other = draft("def f(a):\n    return a"), draft("def f(b):\n    return b")
    assert dedupe_key(one, "none") is None
    assert dedupe_key(one, "exact") != dedupe_key(other, "exact")
    assert dedupe_key(one, "exact") == dedupe_key(replace(one, tests="x"), "exact")
    assert dedupe_key(one, "normalised") == dedupe_key(other, "normalised")


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


def test_the_first_of_equal_keys_is_new() -> None:
    seen = SeenKeys()
    assert [seen.add(key) for key in ("a", "b", "a", None, None)] == [True, True, False, True, True]


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
