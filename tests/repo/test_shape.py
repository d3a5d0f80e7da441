"""The shape of the repository: small modules, light imports, sources named."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PACKAGES = ("tracer", "factory", "trainer", "cards")
MODULES = sorted(p for package in PACKAGES for p in (ROOT / package).rglob("*.py"))
LONGEST = 300
HEAVY = {
    "datasets",
    "datasketch",
    "duckdb",
    "huggingface_hub",
    "hypothesis",
    "jinja2",
    "libcst",
    "numpy",
    "pandas",
    "pyarrow",
    "pydantic",
    "torch",
}


def name_of(path: Path) -> str:
    return str(path.relative_to(ROOT))


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_module_can_be_read_in_one_sitting(path: Path) -> None:
    assert len(path.read_text().splitlines()) <= LONGEST


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_module_says_what_it_is(path: Path) -> None:
    assert ast.get_docstring(ast.parse(path.read_text()))


@pytest.mark.parametrize("path", [p for p in MODULES if "tracer" in p.parts], ids=name_of)
def test_tracer_is_standard_library_only(path: Path) -> None:
    allowed = {*sys.stdlib_module_names, "tracer"}
    inside = "inside" in path.parts
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "imports are absolute"
            names = [node.module or ""]
        else:
            continue
        for name in names:
            assert name.split(".")[0] in allowed
            if inside and name.startswith("tracer"):
                assert name.startswith("tracer.inside")


def test_command_line_starts_without_heavy_libraries() -> None:
    code = "import factory.cli, sys; print(*{m.split('.')[0] for m in sys.modules})"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert not HEAVY & set(done.stdout.split())


def test_tracer_loads_nothing_but_itself_and_the_standard_library() -> None:
    code = (
        "import sys; before = set(sys.modules); import tracer.runner; "
        "print(*{m.split('.')[0] for m in set(sys.modules) - before})"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert set(done.stdout.split()) <= {*sys.stdlib_module_names, "tracer"}


def test_nothing_names_the_place_it_was_written_in() -> None:
    listed = subprocess.run(
        ["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    paths = [ROOT / name for name in listed.stdout.split("\0") if name]
    here = "/wo" + "rk/"
    for path in paths:
        if path.suffix in {".py", ".md", ".toml", ".yaml", ".sql", ".jinja"} and path.exists():
            assert here not in path.read_text(), path
