from __future__ import annotations

import ast
import os
import random
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from types import FrameType
from typing import Any

import libcst  # noqa: TID253
import pytest
from constraint_oracle import claims_broken

from factory.constraints import check_dynamic, check_static
from factory.grid import Cell, cells
from factory.records import Constraint, Draft, Dropped
from factory.templates import TEMPLATES, draw_draft
from factory.templates.draft import draw
from factory.templates.themes import THEMES
from factory.templates.values import literal_text
from tracer.runner import Runner
from tracer.values import canonical, parse

PER_CELL = 1


def draft_for(cell: Cell, seed: int) -> Draft | Dropped:
    return draw_draft(cell, random.Random(f"{cell}:{seed}"))


def drafts_for(seeds: range) -> list[Draft]:
    drawn = [draft_for(cell, seed) for cell in cells() for seed in seeds]
    return [draft for draft in drawn if isinstance(draft, Draft)]


@pytest.fixture(scope="module")
def drafts() -> list[Draft]:
    return drafts_for(range(PER_CELL))


def constraint_of(draft: Draft) -> Constraint:
    assert draft.origin.constraint is not None
    return draft.origin.constraint


def plain_runs(draft: Draft, most_lines: int = 5_000) -> list[object]:
    """What each seed call returns, run in this process; the programs are our own."""
    left = most_lines

    def count(frame: FrameType, event: str, arg: object) -> Callable[..., Any]:
        nonlocal left
        left -= event == "line"
        if left < 0:
            raise TimeoutError(f"more than {most_lines} lines")
        return count

    namespace: dict[str, Any] = {"__name__": "program"}
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


def test_every_cell_is_filled(drafts: list[Draft]) -> None:
    filled = {(each.type, each.method, each.level) for each in map(constraint_of, drafts)}
    assert filled == {(cell.type, cell.method, cell.level) for cell in cells()}
    assert len(drafts) >= 0.99 * PER_CELL * len(cells())


def test_every_template_is_drawn_and_has_its_own_name(drafts: list[Draft]) -> None:
    drawn = {draft.origin.template for draft in drafts}
    assert drawn == {template.name for template in TEMPLATES}
    assert len(TEMPLATES) >= 12


def test_text_is_what_libcst_prints_and_python_compiles(drafts: list[Draft]) -> None:
    for draft in drafts[::8]:
        source = draft.program.source
        compile(source, "<template>", "exec")
        assert libcst.parse_module(source).code == source


def test_shape_of_the_programs(drafts: list[Draft]) -> None:
    for draft in drafts:
        source = draft.program.source
        assert 5 <= source.count("\n") <= 25
        functions = ast.parse(source).body
        assert all(isinstance(each, ast.FunctionDef) for each in functions)
        assert draft.program.entry_point in {each.name for each in functions}  # type: ignore[attr-defined]
        lines = [
            node.lineno
            for node in ast.walk(ast.parse(source))
            if isinstance(node, ast.stmt) and not isinstance(node, ast.FunctionDef)
        ]
        assert len(lines) == len(set(lines)), "one statement or header a line"
        for function in functions:
            assert isinstance(function, ast.FunctionDef)
            assert function.args.args
            assert all(arg.annotation for arg in function.args.args)
            assert function.returns


def test_no_parameter_and_no_variable_is_unused(drafts: list[Draft]) -> None:
    for draft in drafts:
        for function in ast.parse(draft.program.source).body:
            assert isinstance(function, ast.FunctionDef)
            names = [each for each in ast.walk(function) if isinstance(each, ast.Name)]
            bound = {each.arg for each in function.args.args}
            bound |= {each.id for each in names if isinstance(each.ctx, ast.Store)}
            read = {each.id for each in names if isinstance(each.ctx, ast.Load)}
            assert not bound - read, draft.program.source


def test_claims_hold_by_the_independent_reading(drafts: list[Draft]) -> None:
    for draft in drafts:
        entry = draft.program.entry_point
        assert entry is not None
        broken = claims_broken(draft.program.source, entry, constraint_of(draft))
        assert not broken, f"{constraint_of(draft)}\n{draft.program.source}"


@pytest.mark.slow
def test_claims_hold_by_the_independent_reading_for_two_thousand() -> None:
    many = drafts_for(range(100, 105))
    assert len(many) > 2_000
    for draft in many:
        entry = draft.program.entry_point
        assert entry is not None
        assert not claims_broken(draft.program.source, entry, constraint_of(draft))
        assert not check_static(draft.program, constraint_of(draft))


def test_false_claims_are_found_by_both_readings(drafts: list[Draft]) -> None:
    for draft in drafts[::9]:
        true = constraint_of(draft)
        flow = true.control_flow
        lies = {
            "target": replace(true, method="casefold" if true.type == "str" else "copy_of"),
            "nesting": replace(true, nested_depth=9),
            "others": replace(true, other_methods=("str.rindex",), level=max(true.level, 2)),
            "chain": replace(true, helper_chain=not true.helper_chain),
            "control": replace(true, control_flow=(*flow, "for")),
        }
        for name, lie in lies.items():
            entry = draft.program.entry_point
            assert entry is not None
            if lie.method == true.method:
                assert name in claims_broken(draft.program.source, entry, lie)
            if name != "chain" or lie.helper_chain:
                assert check_static(draft.program, lie), name


def test_programs_run_and_depend_on_their_arguments(drafts: list[Draft]) -> None:
    raised = constant = 0
    for draft in drafts[::2]:
        try:
            results = [canonical(result) for result in plain_runs(draft)]
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
        "text = ''.join(repr(draw_draft(c, random.Random(f'{c}:0'))) for c in cells()[::16])\n"
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


def test_themes_are_many_and_distinct() -> None:
    assert len(THEMES) >= 20
    assert len({theme.plural for theme in THEMES}) == len(THEMES)
    for theme in THEMES:
        assert len(set(theme.words)) == len(theme.words) >= 10
        names = (*theme.verbs, *theme.numbers, *theme.limits, *theme.texts, *theme.tables)
        assert all(name.isidentifier() for name in (*names, theme.noun, theme.plural, theme.role))


@pytest.fixture(scope="module")
def runner() -> Iterator[Runner]:
    with Runner() as runner:
        yield runner


def dynamic_share(runner: Runner, some: list[Draft]) -> float:
    broken = 0
    for draft in some:
        traces = [runner.run(draft.program, call) for call in draft.calls]
        assert all(trace.outcome.kind == "returned" for trace in traces), draft.program.source
        broken += bool(check_dynamic(traces, constraint_of(draft)))
    return broken / len(some)


def test_traces_of_the_seed_calls_keep_the_constraint(runner: Runner, drafts: list[Draft]) -> None:
    assert dynamic_share(runner, drafts[::64]) <= 0.15


@pytest.mark.slow
def test_traces_of_many_keep_the_constraint(runner: Runner) -> None:
    assert dynamic_share(runner, drafts_for(range(200, 201))[::2]) <= 0.08
