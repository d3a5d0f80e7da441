"""The inputs that are kept: nothing lost of what the candidates show, few, the same every time."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from factory.audit import audit
from factory.constraints import check_dynamic
from factory.execute import Work, execute
from factory.grid import cells
from factory.inputs import mutate_calls
from factory.load import read_rows
from factory.pipeline import build
from factory.progress import SilentProgress
from factory.recipe_records import Fields, Inputs, Recipe, Source
from factory.records import Draft
from factory.selection import END, Coverage, read_coverage, select
from factory.templates import draw_draft
from tracer.records import Call, Limits, Program
from tracer.runner import Runner

BENCHMARK = Path(__file__).parents[2] / "benchmarks" / "inputs.py"

transitions = st.frozensets(st.tuples(st.integers(0, 3), st.integers(0, 2)), max_size=5)
coverages = st.lists(
    st.builds(
        Coverage, transitions, st.lists(st.integers(0, 2), max_size=2).map(tuple),
        st.tuples(st.sampled_from("abc")),
    ),
    max_size=7,
)  # fmt: skip


def shown(candidates: list[Coverage], chosen: tuple[int, ...]) -> tuple[int, int, int]:
    return (
        len({each for place in chosen for each in candidates[place].transitions}),
        len({candidates[place].path for place in chosen}),
        len({candidates[place].output for place in chosen}),
    )


@given(coverages)
def test_without_a_bound_everything_is_shown(candidates: list[Coverage]) -> None:
    chosen = select(candidates, 99)
    assert list(chosen) == sorted(set(chosen))
    assert shown(candidates, chosen) == shown(candidates, tuple(range(len(candidates))))


@given(coverages, st.integers(1, 4))
def test_a_bound_is_kept_and_no_set_of_its_size_is_much_better(
    candidates: list[Coverage], most: int
) -> None:
    chosen = select(candidates, most)
    assert len(chosen) <= most
    best = max(
        (shown(candidates, each)[0] for each in combinations(range(len(candidates)), len(chosen))),
        default=0,
    )
    assert shown(candidates, chosen)[0] >= 0.63 * best


@given(coverages)
def test_each_kept_input_adds_something(candidates: list[Coverage]) -> None:
    chosen = select(candidates, 99)
    for place in chosen:
        others = tuple(each for each in chosen if each != place)
        assert shown(candidates, others) < shown(candidates, chosen)


@given(coverages, st.integers(1, 4))
def test_copies_at_the_end_change_nothing(candidates: list[Coverage], most: int) -> None:
    assert select([*candidates, *candidates], most) == select(candidates, most)


def test_what_later_choices_cover_is_left_out() -> None:
    """The greedy first choice is superfluous once the two others are in."""
    first = Coverage(frozenset({(0, 1), (0, 2), (1, 1), (1, 2)}), (0,), ("x",))
    left = Coverage(frozenset({(0, 1), (1, 1), (2, 0)}), (0,), ("x",))
    right = Coverage(frozenset({(0, 2), (1, 2), (2, 1)}), (1,), ("x",))
    assert select([first, left, right], 3) == (1, 2)


def test_new_paths_and_outputs_fill_the_room() -> None:
    edge = frozenset({(0, 1)})
    candidates = [
        Coverage(edge, (0,), ("a",)),
        Coverage(edge, (0,), ("b",)),
        Coverage(edge, (1,), ("a",)),
        Coverage(edge, (2,), ("c",)),
        Coverage(edge, (0,), ("a",)),
    ]
    assert select(candidates, 1) == (0,)
    assert select(candidates, 2) == (0, 3)
    assert select(candidates, 3) == (0, 2, 3)
    assert select(candidates, 9) == (1, 2, 3), "the second gives all that the first gives"


@pytest.fixture(scope="module")
def runner() -> Iterator[Runner]:
    with Runner(Limits(max_steps=300)) as runner:
        yield runner


def test_transitions_are_those_of_the_same_activation(runner: Runner) -> None:
    source = "def g(n):\n    n += 1\n    return n\ndef f(a):\n    b = g(a)\n    return b\n"
    coverage = read_coverage(runner.run(Program(source, "f"), Call("1")))
    assert coverage.transitions == {(1, 2), (2, END), (4, 5), (5, END)}
    assert coverage.path == (4, 1, 2, 5)
    assert coverage.output == ("returned", "int", "2")


def test_few_selected_inputs_show_what_many_show(runner: Runner) -> None:
    source = (
        "def f(words, least):\n"
        "    kept = []\n"
        "    for word in words:\n"
        "        if len(word) < least:\n"
        "            continue\n"
        "        if word.isupper():\n"
        "            kept.append(word.lower())\n"
        "        elif word in kept:\n"
        "            return kept\n"
        "        else:\n"
        "            kept.append(word)\n"
        "    return kept\n"
    )
    program, seed = Program(source, "f"), Call("['tea', 'IT', 'a'], 2")
    calls = mutate_calls(program, [seed], 60, "s").calls
    candidates = [read_coverage(runner.run(program, call)) for call in (seed, *calls)]
    chosen = select(candidates, 4)
    everything = set().union(*(each.transitions for each in candidates))
    assert len(chosen) <= 4
    assert set().union(*(candidates[place].transitions for place in chosen)) == everything
    assert len(everything) == 14


def test_what_is_selected_shows_the_constraint(runner: Runner) -> None:
    recipe = Recipe(Source("templates"), inputs=Inputs(mutants=8, keep=1))
    grid = [cell for cell in cells() if cell.level in (4, 5)]
    kept = 0
    for number in range(2):
        draft = draw_draft(grid[number * 9], random.Random(number))
        assert isinstance(draft, Draft)
        (execution,) = execute([Work(draft, "0", "here")], runner, recipe)
        if execution.example is not None and draft.origin.constraint is not None:
            kept += 1
            traces = execution.example.traces
            assert not check_dynamic(traces, draft.origin.constraint)
            assert len(traces) < 9
    assert kept


def test_a_build_selects_dedupes_and_is_reproduced(tmp_path: Path) -> None:
    sources = (
        "def f(a):\n    return sum(a) * 3\n",
        "def f(xs):\n    total = 0\n    for x in xs:\n        total += 3 * x\n    return total\n",
        "def f(xs):\n    return sorted(xs)[::2] + [len(xs)]\n",
        "def f(ys):\n    return sorted(ys)[::3] + [len(ys)]\n",
    )
    rows = ({"code": source, "input": "[1, 2]"} for source in sources)
    path = tmp_path / "rows.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    recipe = Recipe(
        Source("jsonl", path=str(path), fields=Fields()),
        inputs=Inputs(mutants=6, keep=2),
        dedupe="behaviour",
        near_duplicates=0.9,
    )
    report = build(recipe, tmp_path / "out", progress=SilentProgress())
    programs = read_rows(tmp_path / "out", "programs")
    assert {row["source"] for row in programs} == {sources[0], sources[2]}
    assert report.manifest["drops"] == {
        "dedupe": {"near_duplicate": 1, "same_behaviour": 1},
        "inputs": {"not_selected": 4},
    }
    assert report.manifest["counts"]["traces"]["total"] == 4
    assert audit(tmp_path / "out").ok


@pytest.mark.slow
def test_ten_selected_inputs_reach_the_branches_of_a_hundred_random_ones() -> None:
    done = subprocess.run(
        [sys.executable, str(BENCHMARK), "--json"], capture_output=True, text=True, check=True
    )
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(rows) >= 6
    assert all(row["inputs"]["selected"] <= 10 for row in rows)
    assert all(row["branches"]["selected"] == row["branches"]["made"] for row in rows)
    reached = {name: sum(row["branches"][name] for row in rows) for name in ("selected", "random")}
    assert reached["selected"] >= reached["random"]
