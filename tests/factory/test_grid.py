from __future__ import annotations

import subprocess
import sys
from collections import Counter

from factory.grid import LEVELS, Cell, cells, impossible_cells
from factory.templates.targets import BUILDERS


def test_every_type_has_at_least_six_targets_at_every_level() -> None:
    targets: dict[str, set[str]] = {}
    for cell in cells():
        targets.setdefault(cell.type, set()).add(cell.method)
    assert set(targets) == {"str", "list", "dict", "set", "tuple", "int"}
    assert all(len(methods) >= 6 for methods in targets.values())
    levels = Counter((cell.type, cell.method) for cell in cells())
    assert set(levels.values()) == {len(LEVELS)}
    assert len(set(cells())) == len(cells())


def test_every_target_has_a_builder_and_no_builder_is_left_over() -> None:
    by_builder = {(type_, method) for type_, methods in BUILDERS.items() for method in methods}
    assert by_builder == {(cell.type, cell.method) for cell in cells()}


def test_impossible_cells_give_a_reason_and_are_not_possible() -> None:
    assert Cell("set", "pop", 1) in dict(impossible_cells())
    assert not set(cells()) & set(dict(impossible_cells()))
    assert all(len(reason) > 20 for _, reason in impossible_cells())
    assert len(impossible_cells()) % len(LEVELS) == 0


def test_every_prefix_mixes_types_and_levels() -> None:
    first = cells()[:36]
    assert {cell.level for cell in first} == set(LEVELS)
    assert max(Counter(cell.type for cell in first).values()) <= 7


def test_the_grid_needs_no_libcst() -> None:
    code = (
        "import sys, factory.grid, factory.constraints; factory.grid.cells();"
        "sys.exit('libcst' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
