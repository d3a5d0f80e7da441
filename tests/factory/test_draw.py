"""Draws depend on their arguments alone: PITFALLS of hidden state, each with its control."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import hypothesis
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.internal.conjecture.providers import HypothesisProvider

from factory.draw import HYPOTHESIS_VERSION, PlainProvider, draw_values, strategies, texts

DISTINCTIVE = 48_611
GOLDEN_INTS = (0, 30, 7, -99, -98, -81)
GOLDEN_TEXTS = ("", "aab", "bba", "cac", "b", "caa")
SCRIPT = """
import json, sys
{before}
from factory.draw import draw_values, strategies, texts
wanted = [strategies.integers(), strategies.floats(-9, 9), texts("abcxyz", 5),
          strategies.lists(strategies.integers(-5, 5), max_size=4)]
print(json.dumps([draw_values(each, 30, 11) for each in wanted]))
"""


def run(script: str, cwd: Path, **environment: str) -> list[list[object]]:
    variables = {k: v for k, v in os.environ.items() if k not in {"CI", "PYTHONHASHSEED"}}
    done = subprocess.run(
        [sys.executable, "-c", script],
        cwd=cwd,
        env=variables | environment,
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode == 0, done.stderr
    result: list[list[object]] = json.loads(done.stdout.splitlines()[-1])
    return result


def test_the_draws_of_this_version_are_these() -> None:
    assert HYPOTHESIS_VERSION == hypothesis.__version__
    assert HYPOTHESIS_VERSION.startswith("6.170."), "a new version means new data: say so in rows"
    assert draw_values(strategies.integers(-99, 99), 6, 7) == GOLDEN_INTS
    assert draw_values(texts("abc", 3), 6, 7) == GOLDEN_TEXTS


def test_another_seed_gives_other_values_and_the_same_seed_the_same() -> None:
    lists = strategies.lists(strategies.integers(0, 9), max_size=5)
    assert draw_values(lists, 20, 1) == draw_values(lists, 20, 1) != draw_values(lists, 20, 2)


def test_a_small_type_is_drawn_completely() -> None:
    assert set(draw_values(strategies.booleans(), 50, 1)) == {False, True}
    assert set(draw_values(strategies.sampled_from("abc"), 50, 1)) == {"a", "b", "c"}


def test_the_private_hook_still_exists_and_is_used(monkeypatch: pytest.MonkeyPatch) -> None:
    assert "_maybe_draw_constant" in vars(HypothesisProvider)
    asked = []

    def count(_self: PlainProvider, kind: str, *_args: object, **_options: object) -> None:
        asked.append(kind)

    monkeypatch.setattr(PlainProvider, "_maybe_draw_constant", count)
    draw_values(strategies.tuples(strategies.integers(), strategies.floats()), 5, 1)
    assert set(asked) == {"integer", "float"}


def test_other_processes_agree_whatever_they_imported_before(tmp_path: Path) -> None:
    (tmp_path / "neighbour.py").write_text(
        f"LIMITS = [{DISTINCTIVE}, {-DISTINCTIVE}, 7.4375]\nNAME = 'cab'\n"
    )
    imported = "sys.path.insert(0, '.')\nimport neighbour"
    plain = run(SCRIPT.format(before=""), tmp_path, PYTHONHASHSEED="1")
    assert run(SCRIPT.format(before=imported), tmp_path, PYTHONHASHSEED="2") == plain
    used_before = imported + (
        "\nfrom hypothesis import given, settings, strategies as st"
        "\n@settings(database=None, max_examples=300)\n@given(st.integers(), st.floats(-9, 9))"
        "\ndef use(a, b): pass\nuse()"
    )
    assert run(SCRIPT.format(before=used_before), tmp_path, CI="true") == plain


def test_control_hypothesis_alone_does_draw_literals_of_imported_modules(tmp_path: Path) -> None:
    (tmp_path / "neighbour.py").write_text(f"LIMITS = [{DISTINCTIVE}]\n")
    script = """
import json, sys
sys.path.insert(0, '.')
import neighbour
from hypothesis import given, seed, settings, strategies as st
drawn = []
@seed(1)
@settings(database=None, max_examples=600)
@given(st.integers())
def use(value): drawn.append(value)
use()
print(json.dumps(drawn))
"""
    assert DISTINCTIVE in run(script, tmp_path)


def test_drawing_leaves_no_folder_behind(tmp_path: Path) -> None:
    run(SCRIPT.format(before=""), tmp_path)
    assert list(tmp_path.iterdir()) == []


@settings(max_examples=5, suppress_health_check=[HealthCheck.nested_given], deadline=None)
@given(st.integers(0, 3))
def test_draws_inside_a_property_test_are_the_same(number: int) -> None:
    assert draw_values(strategies.integers(-99, 99), 6, 7) == GOLDEN_INTS, number
