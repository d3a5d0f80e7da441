"""Problems of code generation: statements, mutants, hidden tests, and those of public data sets."""

from __future__ import annotations

import ast
import json
import random
import re
from pathlib import Path
from typing import Any

import pytest
from built_dataset import drawn_recipe

from factory.audit import audit
from factory.load import read_rows
from factory.manifest import read_manifest
from factory.pipeline import build
from factory.problems.edges import edge_calls
from factory.problems.kinds import kind_words
from factory.problems.making import Problemsmith
from factory.problems.mutants import make_mutants
from factory.problems.phrases import Phrasing
from factory.problems.results import suite_of
from factory.problems.scope import Scope, is_short, scope_of
from factory.problems.statement import state_problem
from factory.problems.trials import Case, find_trials, passes
from factory.progress import SilentProgress
from factory.recipe_records import Recipe, Source
from factory.rows import trace_id
from factory.training_records import Problems
from tracer import Call, Program, Runner
from tracer.problems import find_code, problem_of
from tracer.unit_tests import UnitTester

Row = dict[str, Any]
DATA = Path(__file__).parent.parent / "data"

SOURCE = '''\
import math


def share(total: int, parts: int) -> int:
    return total // max(parts, 1)


def f(prices: list[int], limit: int = 4) -> tuple[int, str]:
    """Ignored."""
    kept: list[int] = []
    for price in prices:
        if price > limit and price % 2 == 1:
            kept.append(price)
        elif not kept:
            limit += 1
        else:
            limit -= share(price, len(kept))
    while len(kept) > 3:
        kept.pop()
    return (sum(kept), str(math.floor(limit)))
'''


def words(code: str) -> str:
    """An expression in words, and what its letters stand for."""
    says = Phrasing(scope_of(ast.parse(code)))
    told = says.phrase(ast.parse(code, mode="eval").body)
    return ", where ".join([told, *says.explained])


@pytest.mark.parametrize(
    ("code", "told"),
    [
        ("x", "`x`"),
        ("len(xs) % 3", "(the length of `xs`) modulo `3`"),
        ("(a + b) * 2", "(`a` plus `b`) times `2`"),
        ("a if b < 2 else -1", "`a` if `b` is less than `2`, and `-1` otherwise"),
        ("sorted(xs)[0]", "the element of the sorted list of the elements of `xs` at `0`"),
        ("sorted(d.keys())", "the sorted list of the keys of `d`"),
        ("list(range(n))", "a list of the integers from `0` to before `n`"),
        ("', '.join(sorted(xs))", "the sorted elements of `xs` joined by `', '`"),
        ("[n * 2 for n in xs if n]", "the list of (`n` times `2`) for each `n` in `xs` "
         "for which `n` is truthy"),
        ("f(g(h(x)))", "the result of `f` for the result of `g` for `h(x)`"),
        ("s.replace('a', 'b')", "`s` with every `'a'` replaced by `'b'`"),
        ("range(1, n)", "the range of integers from `1` to before `n`"),
        ("x.y(z=1)", "the value of `x.y(z=1)`"),
        ("xs[2:]", "`xs` without its first 2 elements"),
        ("xs[-2:]", "the last 2 elements of `xs`"),
        ("xs[:1]", "the part `xs[:1]`"),
        ("xs[::-1]", "`xs` in reverse order"),
        ("xs[n:]", "the elements of `xs` from position `n` on"),
        ("set(a) <= set(b)", "whether the set of the elements of `a` is a subset of the set of the "
         "elements of `b`"),
        ("filter(None, xs)", "the elements of `xs` that are truthy"),
        ("str(a if b else c) + d", "(`A` as a string) plus `d`, where `A` stands for `a` if `b` is "
         "truthy, and `c` otherwise"),
        ("[[len(xs[a + b * c - d:])]]", "`[[A]]`, where `A` stands for the length of the elements "
         "of `xs` from position `B` on, where `B` stands for (`a` plus `b * c`) minus `d`"),
    ],
)  # fmt: skip
def test_expressions_in_words(code: str, told: str) -> None:
    assert words(code) == told


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("len(str(x))", "str(len(x))"),
        ("min(a, b) + c", "min(a, b + c)"),
        ("xs[i] % (i % 3)", "xs[i % (i % 3)]"),
        ("s.replace('a', 'b').replace('c', 'd')", "s.replace('a', 'b'.replace('c', 'd'))"),
        ("(sorted(a), b)", "sorted((a, b))"),
        ("f(a)[b]", "f(a[b])"),
        ("-(a + b)", "-a + b"),
        ("len(a) + b", "len(a + b)"),
        ("not (a and b)", "(not a) and b"),
        ("a and (b or c)", "(a and b) or c"),
        ("xs[:1]", "xs[0]"),
    ],
)
def test_different_expressions_have_different_words(one: str, other: str) -> None:
    assert words(one) != words(other)


def test_conditions_in_words() -> None:
    tree = ast.parse("not xs and n >= 2", mode="eval").body
    assert Phrasing(Scope()).condition(tree) == "`xs` is falsy and `n` is at least `2`"


@pytest.mark.parametrize(
    ("annotation", "told"),
    [
        ("dict[str, list[int]]", "a dictionary from strings to lists of integers"),
        ("tuple[int, ...]", "a tuple of integers"),
        ("tuple[str, str]", "a tuple of two strings"),
        ("tuple[int, str, bool]", "a tuple of an integer, a string and a Boolean"),
        ("int | None", "an integer or None"),
        ("'list[str]'", "a list of strings"),
        ("set[Card]", "a set of values of the type `Card`"),
    ],
)
def test_annotations_in_words(annotation: str, told: str) -> None:
    assert kind_words(ast.parse(annotation, mode="eval").body) == told


def test_a_statement_tells_every_statement_of_the_program() -> None:
    told = state_problem(ast.parse(SOURCE), "f")
    assert told is not None
    assert told.splitlines() == [
        "Write a Python function `f` that takes two arguments: `prices`, a list of integers; and "
        "`limit`, an integer. It returns a tuple of an integer and a string.",
        "",
        "The helper `share` of `total` (an integer) and `parts` (an integer):",
        "- Return `total` divided (rounding down) by (the greatest of `parts` and `1`).",
        "",
        "`f` works like this:",
        "- Set `kept` to an empty list.",
        "- For each `price` in `prices`:",
        "  - If `price` is greater than `limit` and `price` modulo `2` equals `1`:",
        "    - Append `price` to `kept`.",
        "  - Otherwise, if `kept` is falsy:",
        "    - Add `1` to `limit`.",
        "  - Otherwise:",
        "    - Subtract the result of `share` for `price` and the length of `kept` from `limit`.",
        "- As long as the length of `kept` is greater than `3`:",
        "  - Call `kept.pop()`.",
        "- Return the tuple of the sum of `kept` and (`math.floor(limit)` as a string).",
    ]


def test_mutants_are_other_programs_and_leave_loops_alone() -> None:
    tree = ast.parse(SOURCE)
    lines = frozenset(range(1, 30))
    mutants = make_mutants(tree, lines, 40, random.Random(1))
    assert len({mutant.source for mutant in mutants}) == len(mutants) > 12
    assert len({mutant.kind for mutant in mutants}) > 4
    for mutant in mutants:
        assert ast.dump(ast.parse(mutant.source)) != ast.dump(tree)
        assert "while len(kept) > 3:\n        kept.pop()" in mutant.source
        assert '"""Ignored."""' in mutant.source
    assert ast.unparse(tree) == ast.unparse(ast.parse(SOURCE))
    few = make_mutants(tree, frozenset({13}), 40, random.Random(1))
    assert few
    assert all("limit += 1" in each.source for each in few)


def test_edges_are_near_what_the_program_names() -> None:
    calls = edge_calls(ast.parse(SOURCE), "[5, 9], 4", random.Random(0), 90)
    assert "[5, 9], 3" in calls
    assert all(call.startswith("[5, 9], ") for call in calls)
    assert edge_calls(ast.parse(SOURCE), "open('x')", random.Random(0), 9) == ()


@pytest.fixture(scope="module")
def runner() -> Any:
    with Runner() as opened:
        yield opened


def test_every_mutant_that_counts_as_killed_fails_the_unit_tests(runner: Runner) -> None:
    """The many runs in few processes say what the runner of unit tests says, mutant by mutant."""
    program = Program(SOURCE, "f")
    calls = ("[5, 9, 2], 4", "[1], 0", "[7, 7, 7, 7, 11], 2", "[2, 5, 3]")
    traces = [runner.run(program, Call(args)) for args in calls]
    cases = [Case(t.args, t.outcome.value or "") for t in traces]
    lines = frozenset(step.line for trace in traces for step in trace.steps)
    trials = find_trials(program, cases, lines, Problems(mutants=16), runner, "s")
    assert not isinstance(trials, str)
    assert len(trials.tests) >= 6
    assert {case.args for case in trials.examples}.isdisjoint(case.args for case in trials.tests)
    shape = {"test_list": [f"assert f({case.args}) == {case.value}" for case in trials.tests]}
    suite = suite_of(shape, "f", "")
    mutants = make_mutants(ast.parse(SOURCE), lines, 16, random.Random(3))
    with UnitTester() as tester:
        assert tester.run(SOURCE, suite).status == "passed"
        for mutant in mutants:
            outcomes = runner.run_many(
                [(Program(mutant.source, "f"), Call(case.args)) for case in trials.tests]
            )
            ours = [passes(o, c.value) for o, c in zip(outcomes, trials.tests, strict=True)]
            report = tester.run(mutant.source, suite)
            assert ours == [result.status == "passed" for result in report.results]


def test_a_program_that_tells_nothing_apart_is_refused(runner: Runner) -> None:
    program = Program("def f(n):\n    n = n + 1\n    return 0\n", "f")
    plan = Problems()
    cases = [Case("1", "0"), Case("2", "0"), Case("3", "0")]
    assert find_trials(program, cases, frozenset({2}), plan, runner, "s") == "one_result"
    assert find_trials(program, [], frozenset({2}), plan, runner, "s") == "no_example"


# What a build publishes.


@pytest.fixture(scope="module")
def problems(drawn_dataset: Path) -> list[Row]:
    return list(read_rows(drawn_dataset, "problems"))


def test_most_programs_give_a_problem_that_hides_its_tests(
    drawn_dataset: Path, problems: list[Row]
) -> None:
    programs = {row["program_id"]: row for row in read_rows(drawn_dataset, "programs")}
    assert len(problems) > len(programs) * 0.6
    for row in problems:
        program = programs[row["program_id"]]
        assert row["reference"] == program["source"]
        assert row["split"] == program["split"]
        prompt = row["prompt"][-1]["content"]
        tests = json.loads(row["tests"])["test_list"]
        assert len(tests) == row["n_tests"]
        for test in tests:
            call = test.removeprefix("assert ").rpartition(" == ")[0]
            assert f"`{call}`" not in prompt
        assert row["starter"].rstrip() in prompt
        assert row["mutants"] - row["mutants_killed"] <= 1
    counts = read_manifest(drawn_dataset)["counts"]["problems"]
    assert counts["mutants"]["killed"] >= counts["mutants"]["made"] * 0.9


def test_statements_quote_no_long_code(problems: list[Row]) -> None:
    """Code between backticks is short, whatever the program; letters stand for its parts."""
    quoted = 0
    for row in problems:
        statement = row["prompt"][-1]["content"].partition("\n\nExamples:")[0]
        for text in re.findall(r"`([^`\n]+)`", statement):
            node = ast.parse(text if len(text) > 1 else "a").body[0]
            if isinstance(node, ast.Expr) and not any(map(_is_whole, ast.walk(node))):
                quoted += 1
                assert is_short(node.value) or _depth(node.value) <= 3, text
    assert quoted > 20 * len(problems)


_WHOLE = (ast.Lambda, ast.JoinedStr, ast.comprehension)


def _is_whole(node: ast.AST) -> bool:
    """Whether code is quoted whole, or is a container that is written down."""
    return isinstance(node, _WHOLE) or (
        isinstance(node, ast.expr) and _depth(node) > 1 and isinstance(node, ast.List | ast.Dict)
    )


def _depth(node: ast.AST) -> int:
    """How many calls, operations and subscripts stand in one another."""
    kinds = (ast.Call, ast.BinOp, ast.Subscript, ast.Compare, ast.IfExp)
    return isinstance(node, kinds) + max(map(_depth, ast.iter_child_nodes(node)), default=0)


def test_the_reference_passes_as_a_reply_and_continues_the_starter(problems: list[Row]) -> None:
    with UnitTester() as tester:
        for row in problems[:6]:
            record = {**json.loads(row["tests"]), "entry_point": row["entry_point"]}
            problem = problem_of({**record, "prompt": row["starter"]})
            reply = f"<think>\nSo.\n</think>\n<answer>\n```python\n{row['reference']}```\n</answer>"
            code = find_code(problem, reply, "think+answer")
            assert isinstance(code, str)
            assert tester.run(code, problem.suite).status == "passed"
            ast.parse(row["starter"])


def test_a_problem_follows_from_its_program_and_its_runs(
    drawn_dataset: Path, problems: list[Row], runner: Runner
) -> None:
    row = problems[0]
    program = next(
        p for p in read_rows(drawn_dataset, "programs") if p["program_id"] == row["program_id"]
    )
    traces = [
        runner.run(Program(program["source"], program["entry_point"]), Call(trace["args"]))
        for trace in read_rows(drawn_dataset, "traces")
        if trace["program_id"] == row["program_id"]
    ]
    with UnitTester() as tester:
        made = Problemsmith(runner, tester, drawn_recipe()).make(program, traces)
    assert made.rows == (row,)
    assert all(trace_id(row["program_id"], Call(t.args)) for t in made.examples)


# Public data sets.

SHAPES = {
    "apps": ("problems/apps.jsonl", 2, {"bad_field": 1, "no_reference": 1}),
    "eurus": ("problems/eurus.jsonl", 2, {"no_code": 1, "no_reference": 1, "reference_fails": 1}),
    "humaneval": ("humaneval/sample.jsonl.gz", 8, {}),
    "kodcode": ("problems/kodcode.jsonl", 1, {"reference_fails": 1, "several_entry_points": 1}),
    "mbpp": ("mbpp/sample.json", 6, {}),
}


@pytest.mark.parametrize("shape", sorted(SHAPES))
def test_a_public_set_is_taken_in_where_its_own_solution_passes(shape: str, tmp_path: Path) -> None:
    file, kept, dropped = SHAPES[shape]
    source = Source("problems", path=str(DATA / file), shape=shape)  # type: ignore[arg-type]
    build(Recipe(source, licence="MIT"), tmp_path / "out", progress=SilentProgress())
    rows = list(read_rows(tmp_path / "out", "problems"))
    assert len(rows) == kept
    assert read_manifest(tmp_path / "out")["drops"].get("problems", {}) == dropped
    assert all(row["program_id"] is None and row["source"] == shape for row in rows)
    assert all(suite_of(json.loads(r["tests"]), r["entry_point"], r["starter"]) for r in rows)
    if shape == "apps":
        assert [row["entry_point"] for row in rows].count(None) == 1
        assert audit(tmp_path / "out").ok


def test_a_changed_reference_of_a_public_problem_is_found(tmp_path: Path) -> None:
    from factory.problems.public import Publisher

    source = Source("problems", path=str(DATA / "mbpp/sample.json"), shape="mbpp")
    record = json.loads((DATA / "mbpp/sample.json").read_text())[0]
    with UnitTester() as tester:
        publisher = Publisher(tester, Recipe(source))
        (row,) = publisher.take(record).rows
        assert publisher.recheck(row) == ""
        assert publisher.recheck({**row, "reference": "def nothing():\n    pass\n"})
        assert publisher.recheck({**row, "tests": "{}"})


def test_sources_that_mean_nothing_are_refused() -> None:
    with pytest.raises(ValueError, match="needs a shape"):
        Source("problems", path="x.jsonl")
    with pytest.raises(ValueError, match="has no shape 'cruxeval'"):
        Source("problems", path="x.jsonl", shape="cruxeval")
    with pytest.raises(ValueError, match="has no shape 'apps'"):
        Source("jsonl", path="x.jsonl", shape="apps")
    with pytest.raises(ValueError, match=r"prompt: needs \$statement"):
        Problems(prompt="$examples")
    with pytest.raises(ValueError, match="published: unknown placeholder"):
        Problems(published="$statement $examples")
