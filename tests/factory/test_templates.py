from __future__ import annotations

import ast
import os
import random
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from types import FrameType, ModuleType
from typing import Any

import libcst  # noqa: TID253
import pytest
from dead_stores import find_dead_stores
from feature_oracle import features_seen

from factory.constraints import check_dynamic
from factory.grid import FEATURES, LEVELS, Cell, cells
from factory.records import Constraint, Draft, Dropped
from factory.templates import TEMPLATES, draw_draft
from factory.templates.draft import draw
from factory.templates.taste import find_oddity
from factory.templates.themes import THEMES
from factory.templates.values import literal_text
from tracer.runner import Runner
from tracer.values import canonical, parse

SAMPLED = 312
"""Cells of the grid that the tests draw from; all of them are a slow test."""


def draft_for(cell: Cell, seed: int) -> Draft | Dropped:
    return draw_draft(cell, random.Random(f"{cell}:{seed}"))


def sampled() -> list[Cell]:
    """About :data:`SAMPLED` cells, of all types and levels."""
    every = cells()
    return [every[len(every) * place // SAMPLED] for place in range(SAMPLED)]


def drafts_for(chosen: Sequence[Cell], seeds: range) -> list[Draft]:
    drawn = [draft_for(cell, seed) for cell in chosen for seed in seeds]
    return [draft for draft in drawn if isinstance(draft, Draft)]


@pytest.fixture(scope="module")
def drafts() -> list[Draft]:
    return drafts_for(sampled(), range(1))


def constraint_of(draft: Draft) -> Constraint:
    assert draft.origin.constraint is not None
    return draft.origin.constraint


def plain_runs(
    draft: Draft, monkeypatch: pytest.MonkeyPatch, most_lines: int = 5_000
) -> list[object]:
    """What each seed call returns, run in this process; the programs are our own."""
    left = most_lines

    def count(frame: FrameType, event: str, arg: object) -> Callable[..., Any]:
        nonlocal left
        left -= event == "line"
        if left < 0:
            raise TimeoutError(f"more than {most_lines} lines")
        return count

    module = ModuleType("program")
    namespace = module.__dict__
    monkeypatch.setitem(sys.modules, "program", module)
    exec(compile(draft.program.source, "<template>", "exec"), namespace)
    results = []
    for call in draft.calls:
        left = most_lines
        sys.settrace(count)
        try:
            results.append(eval(f"{draft.program.entry_point}({call.args})", namespace))
        finally:
            sys.settrace(None)
    return results


def test_almost_every_draw_gives_a_program(drafts: list[Draft]) -> None:
    assert len(drafts) >= 0.99 * SAMPLED


@pytest.mark.slow
def test_every_cell_is_filled() -> None:
    missing = []
    for cell in cells():
        if not any(isinstance(draft_for(cell, seed), Draft) for seed in range(4)):
            missing.append(cell)
    assert not missing


def test_every_template_writes_programs_of_each_of_its_levels() -> None:
    assert len(TEMPLATES) >= 60
    assert len({template.name for template in TEMPLATES}) == len(TEMPLATES)
    assert {level for template in TEMPLATES for level in template.levels} == set(LEVELS)
    every = {level: [cell for cell in cells() if cell.level == level] for level in LEVELS}
    for template in TEMPLATES:
        for level in template.levels:
            drawn = [
                draw(every[level][place * 7], (template,), random.Random(f"{template.name}{place}"))
                for place in range(2)
            ]
            written = [draft for draft in drawn if isinstance(draft, Draft)]
            assert written, (template.name, level)
            assert all(draft.origin.template == template.name for draft in written)


def test_text_is_what_libcst_prints_and_python_compiles(drafts: list[Draft]) -> None:
    for draft in drafts[::8]:
        source = draft.program.source
        compile(source, "<template>", "exec")
        assert libcst.parse_module(source).code == source


def functions_of(source: str) -> list[ast.FunctionDef]:
    return [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.FunctionDef)]


def test_shape_of_the_programs(drafts: list[Draft]) -> None:
    for draft in drafts:
        source = draft.program.source
        assert 3 <= sum(1 for line in source.splitlines() if line) <= 28
        lines = [
            node.lineno
            for node in ast.walk(ast.parse(source))
            if isinstance(node, ast.stmt) and not isinstance(node, ast.FunctionDef | ast.ClassDef)
        ]
        assert len(lines) == len(set(lines)), "one statement or header a line"
        entry = ast.parse(source).body[-1]
        assert isinstance(entry, ast.FunctionDef)
        assert entry.name == draft.program.entry_point
        assert entry.args.args
        for function in functions_of(source):
            given = [arg for arg in function.args.args if arg.arg != "self"]
            assert all(arg.annotation for arg in given)
            assert function.returns


def test_no_parameter_and_no_variable_is_unused(drafts: list[Draft]) -> None:
    for draft in drafts:
        for function in functions_of(draft.program.source):
            inner = [each for each in ast.walk(function) if isinstance(each, ast.FunctionDef)]
            names = [each for each in ast.walk(function) if isinstance(each, ast.Name)]
            bound = {each.arg for part in inner for each in part.args.args}
            bound |= {each.id for each in names if isinstance(each.ctx, ast.Store)}
            bound |= {
                each.name
                for each in ast.walk(function)
                if isinstance(each, ast.ExceptHandler) and each.name
            }
            read = {each.id for each in names if isinstance(each.ctx, ast.Load)}
            shared = {
                name
                for each in ast.walk(function)
                if isinstance(each, ast.Nonlocal)
                for name in each.names
            }
            assert not bound - read - shared - {"self"}, draft.program.source


STORES = {
    "    a = n\n    a = 1\n    return a\n": [(2, "a")],
    "    a = 1\n    for each in n:\n        b = a\n        a = each\n    return n\n": [(4, "b")],
    "    a = 1\n    while n:\n        n -= a\n        a = n\n    return 0\n": [],
    "    a = 1\n    if n:\n        n, a = a, n\n    return n\n": [(4, "a")],
    "    a = 1\n    try:\n        a = n.pop()\n    except KeyError:\n        n\n    return a\n": [],
    "    a = 0\n    def inner():\n        return a\n    a = n\n    return inner\n": [],
    "    for each in n:\n        a = each\n        if a:\n            break\n    return a\n": [],
}


def test_dead_stores_are_told_from_others() -> None:
    for body, dead in STORES.items():
        assert find_dead_stores(f"def f(n):\n{body}") == dead, body


def test_no_value_is_stored_that_nothing_reads(drafts: list[Draft]) -> None:
    for draft in drafts:
        source = draft.program.source
        assert not find_dead_stores(source), source


def seen_in(draft: Draft) -> set[str]:
    assert draft.program.entry_point is not None
    calls = tuple(call.args for call in draft.calls)
    return features_seen(draft.program.source, draft.program.entry_point, calls)


def test_programs_of_a_feature_show_it_when_they_run(drafts: list[Draft]) -> None:
    featured = [draft for draft in drafts if constraint_of(draft).feature]
    assert {constraint_of(draft).feature for draft in featured} == set(FEATURES.values())
    shown = [draft for draft in featured if constraint_of(draft).feature in seen_in(draft)]
    assert len(shown) >= 0.97 * len(featured)


def test_programs_run_and_depend_on_their_arguments(
    drafts: list[Draft], monkeypatch: pytest.MonkeyPatch
) -> None:
    raised = constant = 0
    for draft in drafts[::2]:
        try:
            results = [canonical(result) for result in plain_runs(draft, monkeypatch)]
        except Exception:
            raised += 1
        else:
            constant += len(set(results)) == 1
    assert raised <= 0.02 * len(drafts[::2])
    assert constant <= 0.08 * len(drafts[::2])


def test_three_seed_calls_in_canonical_text(drafts: list[Draft]) -> None:
    for draft in drafts[::3]:
        assert 1 < len(draft.calls) <= 3
        for call in draft.calls:
            values = eval(f"({call.args},)")
            assert ", ".join(map(canonical, values)) == call.args
    assert literal_text(set()) == "set()"
    assert parse(literal_text({"b", "a"})) == {"a", "b"}


def test_origin_says_where_a_program_comes_from(drafts: list[Draft]) -> None:
    for draft in drafts[::50]:
        assert draft.origin.generator == "template"
        assert draft.origin.licence == "Apache-2.0"
        assert draft.origin.file is None


def _fingerprint(hash_seed: str) -> str:
    code = (
        "import random, hashlib\n"
        "from factory.grid import cells\n"
        "from factory.templates import draw_draft\n"
        "text = ''.join(repr(draw_draft(c, random.Random(f'{c}:0'))) for c in cells()[::80])\n"
        "print(hashlib.sha256(text.encode()).hexdigest())"
    )
    environment = {**os.environ, "PYTHONHASHSEED": hash_seed}
    done = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True
    )
    return done.stdout


def test_same_seed_same_text_in_other_processes() -> None:
    assert _fingerprint("1") == _fingerprint("4242")


def test_other_seeds_give_other_programs(drafts: list[Draft]) -> None:
    def shape(node: ast.AST) -> tuple[Any, ...]:
        children = ast.iter_child_nodes(node)
        return (type(node).__name__, *(shape(each) for each in children))

    shapes = Counter(shape(ast.parse(draft.program.source)) for draft in drafts)
    assert len(shapes) >= 0.95 * len(drafts)
    assert max(shapes.values()) <= 5


def test_a_cell_that_nothing_can_fill_is_dropped_with_a_reason() -> None:
    none = draw(cells()[0], (), random.Random(0))
    assert none == Dropped(
        "constraint", "unwritable", str(cells()[0]), "no template writes this level"
    )


ODD = (
    "if n:\n    n += 1\nelse:\n    n += 1\n",
    "if n:\n    n += 1\nelif m:\n    n += 1\n",
    "a = n if m else n\n",
    "a = n - n\n",
    "a = max(n, n) + 1\n",
    "a = text.replace('e', 'e')\n",
    "a = n > 2 and n > 2\n",
    "a = len(n) < len(n)\n",
)
EVEN = (
    "if n:\n    n += 1\nelif m:\n    n += 2\nelse:\n    n += 1\n",
    "a = n + n\nb = max(n, m, n)\nc = text.replace('e', 'a')\nd = 1 < n < 9\n",
)


def test_what_no_person_would_write_is_found(drafts: list[Draft]) -> None:
    for source in ODD:
        assert find_oddity(source), source
    for source in EVEN:
        assert find_oddity(source) is None, source
    for draft in drafts:
        assert find_oddity(draft.program.source) is None


def test_themes_are_many_and_distinct() -> None:
    assert len(THEMES) >= 40
    assert len({theme.plural for theme in THEMES}) == len(THEMES)
    for theme in THEMES:
        assert len(set(theme.words)) == len(theme.words) >= 10
        names = (*theme.verbs, *theme.numbers, *theme.limits, *theme.texts, *theme.tables)
        assert all(name.isidentifier() for name in (*names, theme.noun, theme.plural, theme.role))


@pytest.fixture(scope="module")
def runner() -> Iterator[Runner]:
    with Runner() as runner:
        yield runner


def broken_by_traces(runner: Runner, some: list[Draft]) -> list[Draft]:
    """Drafts whose constraint the traces do not show; with one, the second opinion agrees."""
    found = []
    for draft in some:
        traces = [runner.run(draft.program, call) for call in draft.calls]
        assert all(trace.outcome.kind == "returned" for trace in traces), draft.program.source
        feature = constraint_of(draft).feature
        if check_dynamic(traces, constraint_of(draft)):
            found.append(draft)
        elif feature is not None:
            assert feature in seen_in(draft), draft.program.source
    return found


def test_traces_of_the_seed_calls_keep_the_constraint(runner: Runner, drafts: list[Draft]) -> None:
    some = drafts[::10]
    assert len(broken_by_traces(runner, some)) <= 0.15 * len(some)


@pytest.mark.slow
def test_traces_of_many_keep_the_constraint(runner: Runner) -> None:
    many = drafts_for(sampled(), range(200, 202))
    assert len(broken_by_traces(runner, many)) <= 0.08 * len(many)
