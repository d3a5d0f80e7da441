"""What is kept of a stream of programs: the first of its kind, whatever comes after."""

from __future__ import annotations

import io
import json
from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from factory.drafting import Entry
from factory.merging import Merger
from factory.near_duplicates import find_signature
from factory.recipe_records import Recipe, Source
from factory.rows import ExampleRows

FORMS = (
    "def f(a):\n    return a + 1\n",
    "def f(a):\n    for k in a:\n        print(k)\n    return len(a)\n",
    "def f(a):\n    for k in a:\n        print(k, a)\n    return len(a)\n",
    "def f(a):\n    return sorted(a, key=lambda n: n * n)[::2]\n",
)
SIGNATURES = [find_signature(form) for form in FORMS]

entries = st.lists(
    st.tuples(st.integers(0, 5), st.none() | st.integers(0, 3), st.integers(0, 3)), max_size=12
)


def entry(number: int, form: int, behaviour: int | None, near: int) -> Entry:
    program = {
        "program_id": f"{number:016x}",
        "source": FORMS[near],
        "split": "train",
        "level": None,
        "constraint": None,
    }
    keys = {"duplicate_program": f"form {form}"}
    if behaviour is not None:
        keys["same_behaviour"] = f"behaviour {behaviour}"
    rows = ExampleRows(program, (), ())
    return Entry(f"rows.jsonl:{number}", rows, keys, SIGNATURES[near], (), ())


def keep(
    folder: Path, given: list[tuple[int, int | None, int]], near: float | None
) -> dict[int, str | None]:
    """Why each program was dropped; ``None`` where it was kept."""
    recipe = Recipe(Source("jsonl", path="rows.jsonl", shape="mbpp"), near_duplicates=near)
    drops = io.StringIO()
    with Merger(recipe, folder, drops) as merger:
        for number, each in enumerate(given):
            merger.add([entry(number, *each)])
        dropped = [json.loads(line) for line in drops.getvalue().splitlines()]
        assert merger.tally.total("programs") == len(given) - len(dropped)
    reasons = {int(each["where"].partition(":")[2]): each["reason"] for each in dropped}
    return {number: reasons.get(number) for number in range(len(given))}


@settings(
    max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None
)
@given(entries, entries, st.none() | st.just(0.9))
def test_what_follows_changes_nothing_of_what_was_kept(
    tmp_path: Path,
    first: list[tuple[int, int | None, int]],
    rest: list[tuple[int, int | None, int]],
    near: float | None,
) -> None:
    shorter, longer = keep(tmp_path, first, near), keep(tmp_path, [*first, *rest], near)
    assert {number: longer[number] for number in shorter} == shorter


def test_each_level_of_dedupe_has_its_reason(tmp_path: Path) -> None:
    given = [(0, 0, 0), (0, 1, 1), (1, 0, 1), (2, 2, 0), (3, None, 3)]
    reasons = (None, "duplicate_program", "same_behaviour", "near_duplicate", None)
    assert keep(tmp_path, given, 0.9) == dict(enumerate(reasons))


def test_a_dropped_program_shadows_nothing(tmp_path: Path) -> None:
    """The second is a duplicate of the first; the third shares a behaviour with the second only."""
    assert keep(tmp_path, [(0, 0, 0), (0, 1, 1), (1, 1, 1)], None)[2] is None
