from __future__ import annotations

import builtins
import collections
import dataclasses
import functools
import inspect
import itertools
import math
import random
import re
import string
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import Any
from xml.etree import ElementTree

import pytest
from constraint_oracle import claims_broken
from interpreters import find_interpreters

from cards.grid_map import draw_grid
from factory.constraints import check_dynamic, check_static
from factory.constraints.catalogue import (
    BUILTIN_TYPES,
    TYPES,
    impossible_targets,
    nest_reason,
    target_methods,
    targets,
)
from factory.coverage import coverage_line, describe_coverage
from factory.grid import LEVELS, Cell, cells, impossible_cells
from factory.inputs import mutate_calls
from factory.records import Constraint, Draft
from factory.templates import draw_draft
from tracer.records import Program, Trace
from tracer.runner import Runner

ROOT = Path(__file__).parents[2]
Pair = collections.namedtuple("Pair", ["name", "size"])
SAMPLES: dict[str, tuple[Any, ...]] = {
    "str": ("ab", "7"),
    "bytes": (b"ab", b"7"),
    "int": (3,),
    "float": (2.5,),
    "complex": (1 + 2j,),
    "bool": (True,),
    "list": ([1, 2], ["a"], [(1, 2)]),
    "tuple": ((1, 2), ("a",)),
    "dict": ({"a": 1}, {1: 2}),
    "set": ({1, 2},),
    "frozenset": (frozenset({1}),),
    "range": (range(3),),
    "enumerate": (enumerate("ab"),),
    "zip": (zip("ab", [1, 2], strict=True),),
    "map": (map(abs, [1, 2]),),
    "filter": (filter(None, [1, 2]),),
    "reversed": (reversed((1, 2)),),
}
LIBRARY_TYPES: dict[str, type] = {
    "Counter": collections.Counter,
    "deque": collections.deque,
    "defaultdict": collections.defaultdict,
    "OrderedDict": collections.OrderedDict,
    "Pattern": re.Pattern,
    "Match": re.Match,
    "Template": string.Template,
}
MODULES: dict[str, ModuleType] = {
    "itertools": itertools,
    "functools": functools,
    "math": math,
    "re": re,
    "string": string,
    "dataclasses": dataclasses,
}
OPERATORS = {
    "__add__": "+", "__sub__": "-", "__mul__": "*", "__truediv__": "/", "__floordiv__": "//",
    "__mod__": "%", "__pow__": "**", "__lshift__": "<<", "__rshift__": ">>", "__and__": "&",
    "__or__": "|", "__xor__": "^", "__neg__": "-x", "__pos__": "+x", "__invert__": "~x",
    "__iadd__": "+=", "__isub__": "-=", "__imul__": "*=", "__iand__": "&=", "__ior__": "|=",
    "__ixor__": "^=", "__eq__": "==", "__ne__": "!=", "__lt__": "<", "__le__": "<=",
    "__gt__": ">", "__ge__": ">=", "__getitem__": "[]", "__setitem__": "[]=",
    "__delitem__": "del []", "__contains__": "in", "__len__": "len()", "__iter__": "iter()",
    "__reversed__": "reversed()", "__abs__": "abs()", "__bool__": "bool()", "__int__": "int()",
    "__float__": "float()", "__complex__": "complex()", "__divmod__": "divmod()",
    "__round__": "round()", "__bytes__": "bytes()", "__next__": "next()", "__str__": "str()",
    "__repr__": "repr()", "__format__": "format()",
}  # fmt: skip
NO_OPERATORS = {
    f"__{name}__"
    for name in (
        "class delattr dir doc getattribute getattr getstate hash init init_subclass new reduce "
        "reduce_ex setattr sizeof subclasshook getnewargs getformat setformat class_getitem copy "
        "dict module weakref missing setstate length_hint ceil floor trunc index buffer "
        "release_buffer static_attributes firstlineno radd rsub rmul rtruediv rfloordiv rmod rpow "
        "rlshift rrshift rand ror rxor rdivmod orig_bases annotations slots match_args"
    ).split()
}
"""Methods behind no operator of their own: reflected ones, pickling, the object itself."""


def known_labels(type_: str) -> set[str]:
    impossible = {label for row, label, _ in impossible_targets() if row == type_}
    return set(target_methods(type_)) | impossible


def check_names(type_: str, names: list[str]) -> None:
    known = known_labels(type_)
    missing = [name for name in names if name not in known and f".{name}" not in known]
    assert not missing, f"{type_}: {missing} neither in the catalogue nor impossible"


@pytest.mark.parametrize("type_", [*SAMPLES, *LIBRARY_TYPES])
def test_every_method_and_operator_of_a_type_is_a_target_or_impossible(type_: str) -> None:
    cls = LIBRARY_TYPES.get(type_) or getattr(builtins, type_)
    check_names(type_, [name for name in dir(cls) if not name.startswith("_")])
    if type_ in ("Pattern", "Match", "Template"):
        return
    special = [name for name in dir(cls) if name.startswith("__") and name not in NO_OPERATORS]
    assert not [name for name in special if name not in OPERATORS]
    own = [name for name in special if type_ in SAMPLES or name not in dir(object)]
    labels = [OPERATORS[name] for name in own]
    if type_ in LIBRARY_TYPES:
        labels = [label for label in labels if not label.endswith("()")]
    if "__getitem__" in special and type_ in ("str", "bytes", "list", "tuple", "range", "deque"):
        labels.append("[:]")
    if type_ == "list":
        labels += ["[:]=", "del [:]"]
    if "__contains__" in special:
        labels.append("not in")
    check_names(type_, labels)


@pytest.mark.parametrize("type_", SAMPLES)
def test_every_builtin_function_that_takes_the_type_is_a_target_or_impossible(type_: str) -> None:
    known = known_labels(type_)
    for name in sorted(vars(builtins)):
        function = getattr(builtins, name)
        if not callable(function) or not name[0].islower() or f"{name}()" in known:
            continue
        for value in SAMPLES[type_]:
            with pytest.raises((TypeError, ValueError)):
                function(value)


@pytest.mark.parametrize("name", MODULES)
def test_every_function_of_a_module_is_a_target_or_impossible(name: str) -> None:
    module = MODULES[name]
    public = getattr(module, "__all__", None) or [n for n in dir(module) if not n.startswith("_")]
    check_names(name, [each for each in public if each not in ("Pattern", "Match")])


def test_named_tuples_and_sorted() -> None:
    own = [name for name in dir(Pair) if not name.startswith("__") and name not in Pair._fields]
    check_names("namedtuple", own)
    keywords = [
        f"{each.name}="
        for each in inspect.signature(sorted).parameters.values()
        if each.kind is inspect.Parameter.KEYWORD_ONLY
    ]
    check_names("sorted", keywords)
    assert keywords


def test_every_target_exists_in_this_python() -> None:
    for type_ in (*SAMPLES, *LIBRARY_TYPES):
        cls = LIBRARY_TYPES.get(type_) or getattr(builtins, type_)
        for label in target_methods(type_):
            if label.strip(".").isidentifier() and label != "in":
                assert hasattr(cls, label.strip(".")) or label == ".template", (type_, label)
    for name, module in MODULES.items():
        assert all(hasattr(module, label.strip(".")) for label in target_methods(name))


def test_the_rows_are_those_asked_for() -> None:
    assert BUILTIN_TYPES == (*SAMPLES, "sorted")
    assert set(TYPES) == {*SAMPLES, "sorted", "namedtuple", *LIBRARY_TYPES, *MODULES}


def test_cells_are_every_target_at_every_level_that_can_be() -> None:
    assert len(set(cells())) == len(cells())
    for type_ in TYPES:
        for method in target_methods(type_):
            levels = {
                cell.level for cell in cells() if cell.type == type_ and cell.method == method
            }
            least = 1 if nest_reason(type_, method) is None else 2
            assert {level for level in LEVELS if level >= least} >= levels >= set(range(2, 7))


def test_impossible_cells_give_a_reason_and_are_not_possible() -> None:
    impossible = dict(impossible_cells())
    assert "hash seed" in impossible[Cell("set", "pop", 1)]
    assert "returns None" in impossible[Cell("list", "append", 1)]
    assert Cell("list", "append", 2) in cells()
    assert not set(cells()) & set(impossible)
    assert all(len(reason) > 12 for reason in impossible.values())


def test_every_prefix_mixes_types_and_levels() -> None:
    first = cells()[:60]
    assert {cell.level for cell in first} >= set(range(1, 7))
    assert len({cell.type for cell in first}) >= 20
    assert len({cell.method for cell in first}) >= 40


def test_the_grid_needs_no_libcst() -> None:
    code = (
        "import sys, factory.grid, factory.constraints; factory.grid.cells();"
        "sys.exit('libcst' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


@pytest.mark.parametrize("python", find_interpreters().values())
def test_every_python_has_the_same_grid(python: str) -> None:
    code = "from factory.grid import cells; print(*cells(), sep='\\n')"
    done = subprocess.run(
        [python, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert done.stdout.splitlines() == list(map(str, cells()))


def drafts_of(some: tuple[Cell, ...], seed: str) -> Iterator[Draft]:
    for number, cell in enumerate(some):
        draft = draw_draft(cell, random.Random(f"{seed}:{number}:{cell}"))
        if isinstance(draft, Draft):
            yield draft


def claim_of(draft: Draft) -> Constraint:
    assert draft.origin.constraint is not None
    return draft.origin.constraint


@pytest.fixture(scope="module")
def runner() -> Iterator[Runner]:
    with Runner() as runner:
        yield runner


def accepted(draft: Draft, runner: Runner) -> list[Trace]:
    """Traces of the seed calls and of mutated ones, if together they show the claim."""
    calls = [*draft.calls, *mutate_calls(draft.program, draft.calls, 2, "claims").calls]
    traces = [runner.run(draft.program, call) for call in calls]
    traces = [trace for trace in traces if trace.outcome.kind == "returned" and trace.complete]
    return [] if check_dynamic(traces, claim_of(draft)) else traces


def broken(draft: Draft, claim: Constraint, args: list[str]) -> list[str]:
    entry = draft.program.entry_point
    assert entry is not None
    return claims_broken(draft.program.source, entry, claim, args, shown=True)


def check_claims(drafts: list[Draft], runner: Runner) -> None:
    refused = 0
    for draft in drafts:
        traces = accepted(draft, runner)
        refused += not traces
        if traces:
            args = [trace.args for trace in traces]
            assert not broken(draft, claim_of(draft), args), (
                f"{claim_of(draft)}\n{draft.program.source}"
            )
    assert refused <= 0.1 * len(drafts)


@pytest.mark.timeout(600)
def test_both_readings_agree_on_the_claims(runner: Runner) -> None:
    drafts = list(drafts_of(cells()[:: len(cells()) // 50], "default"))
    assert len(drafts) >= 48
    check_claims(drafts, runner)


@pytest.mark.slow
@pytest.mark.timeout(1800)
def test_both_readings_agree_on_two_thousand_programs(runner: Runner) -> None:
    drafts = list(drafts_of(cells()[:: len(cells()) // 2100], "many"))
    assert len(drafts) >= 2_000
    check_claims(drafts, runner)


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_every_target_can_be_written_nested_and_typed() -> None:
    some = tuple(
        Cell(type_, method, 2 if target.nest_reason else 1)
        for type_ in TYPES
        for method, target in targets(type_).items()
    )
    drafts = list(drafts_of(some, "every target"))
    assert len(drafts) >= 0.99 * len(some)


BASE = """
import math
from collections import Counter, deque


def measure(word: str) -> int:
    return len(word) + 1


def rate(word: str, bonus: int) -> int:
    size = measure(word)
    return size + bonus


def score(words: list[str], bonus: int) -> int:
    total = 0
    votes = Counter(words) & Counter(words + ['ab']) & Counter(words)
    recent = deque(words)
    for word in words:
        position = 0
        while position < len(word):
            if word.startswith('a', position):
                recent.append(word[:2])
                total += math.gcd(math.gcd(bonus, 12), 8) + len(word.strip())
            else:
                total += rate(word, bonus)
            position += 1
    return total + len(votes) + len(recent) + bonus.bit_length()
"""
CALLS = ["['ab', 'xay', 'b'], 4", "['xyz', 'aa'], 3"]
TRUE = Constraint("math", "gcd", 2, ("str.strip", "deque.append"), ("for", "while", "if"), True, 6)
FALSE = {
    "a function that is not called": replace(TRUE, method="lcm"),
    "the same method of another type": replace(TRUE, type="list", method="append", nested_depth=1),
    "an operator of another type": replace(TRUE, type="set", method="&"),
    "a built-in function of another type": replace(TRUE, type="bytes", method="len()"),
    "deeper than it is nested": replace(TRUE, nested_depth=3),
    "side by side, not nested": replace(TRUE, type="str", method="strip"),
    "another method that is missing": replace(TRUE, other_methods=("str.lstrip",)),
    "another method on another type": replace(TRUE, other_methods=("list.append",)),
    "nested in another order": replace(TRUE, control_flow=("while", "for", "if")),
    "one control statement less": replace(TRUE, control_flow=("for", "while")),
}


def test_a_true_claim_is_confirmed_by_both(runner: Runner) -> None:
    program = Program(BASE, "score")
    assert check_static(program, TRUE) == ()
    assert claims_broken(BASE, "score", TRUE, CALLS, shown=True) == []
    counted = replace(TRUE, type="Counter", method="&")
    assert check_static(program, counted) == ()
    assert claims_broken(BASE, "score", counted, CALLS, shown=True) == []


@pytest.mark.parametrize("lie", FALSE)
def test_ten_false_claims_are_caught_by_both(lie: str) -> None:
    assert len(FALSE) == 10
    assert check_static(Program(BASE, "score"), FALSE[lie])
    assert claims_broken(BASE, "score", FALSE[lie], CALLS, shown=True)


def test_a_chain_that_is_not_there_is_caught_by_both() -> None:
    alone = BASE.replace("size = measure(word)", "size = len(word) + 1")
    assert check_static(Program(alone, "score"), TRUE)
    assert claims_broken(alone, "score", TRUE, CALLS, shown=True) == ["chain"]


def test_a_branch_that_no_call_enters_is_caught_by_the_second_reading() -> None:
    assert claims_broken(BASE, "score", TRUE, ["['xyz', 'bb'], 3"], shown=True)
    once = claims_broken(BASE, "score", TRUE, ["['ab'], 3"], shown=True)
    assert once == ["shown"]


def coverage() -> dict[str, Any]:
    possible = [Cell("list", "pop", 1), Cell("list", "pop", 2), Cell("int", "+", 3)]
    programs = Counter({("list", "pop", 1): 2, ("int", "+", 3): 1})
    return describe_coverage(possible, programs, [Cell("list", "append", 1)])


def test_coverage_counts_cells() -> None:
    grid = coverage()
    assert (grid["possible"], grid["filled"], grid["fewest"], grid["most"]) == (3, 2, 0, 2)
    assert grid["by_type"]["list"] == {"possible": 2, "filled": 1, "programs": 2}
    assert grid["cells"]["list"]["pop"].startswith("2 0 .")
    assert grid["impossible"][0]["targets"] == ["list.append"]
    assert grid["impossible"][0]["levels"] == [1]
    line = coverage_line(grid)
    assert "2 of 3 possible cells filled (66.7 %)" in line
    assert line.endswith("emptiest: list 50 %")
    assert "none" in coverage_line(describe_coverage((), {}, ()))


def test_the_plot_has_a_square_for_every_cell() -> None:
    grid = describe_coverage(cells(), {}, [cell for cell, _ in impossible_cells()])
    drawn = ElementTree.fromstring(draw_grid(grid))
    paths = [each.get("d", "") for each in drawn if each.tag.endswith("path")]
    listed = [
        word for row in grid["cells"].values() for one in row.values() for word in one.split()
    ]
    assert sum(path.count("M") for path in paths) == len(listed)
    assert draw_grid(grid) == draw_grid(grid)
    assert listed.count("0") == len(cells())
