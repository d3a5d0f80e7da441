"""The examples in the tracer's docstrings and in the docs do what they show."""

from __future__ import annotations

import doctest
import importlib
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
MODULES = sorted(
    ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
    for path in (ROOT / "tracer").rglob("*.py")
    if ">>> " in path.read_text()
)
PAGES = sorted(path.name for path in (ROOT / "docs").glob("*.md") if ">>> " in path.read_text())
BLOCK = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def run_example(test: doctest.DocTest) -> None:
    report: list[str] = []
    runner = doctest.DocTestRunner(verbose=False)
    runner.run(test, out=report.append, clear_globs=False)
    assert not runner.failures, "".join(report)


def test_there_are_examples() -> None:
    assert {"tracer", "tracer.runner"} <= set(MODULES)
    assert "tracer-api.md" in PAGES


@pytest.mark.parametrize("name", MODULES)
def test_docstrings(name: str) -> None:
    module = importlib.import_module(name)
    tests = [test for test in doctest.DocTestFinder().find(module) if test.examples]
    assert tests
    for test in tests:
        run_example(test)


@pytest.mark.parametrize("name", PAGES)
def test_pages(name: str) -> None:
    """The blocks of a page are one session; every example stands in a block that is run."""
    text = (ROOT / "docs" / name).read_text()
    parser = doctest.DocTestParser()
    known: dict[str, object] = {}
    count = 0
    for block in BLOCK.finditer(text):
        line = text[: block.start(1)].count("\n")
        test = parser.get_doctest(block[1], known, name, name, line)
        run_example(test)
        known = test.globs
        count += len(test.examples)
    assert count == len(re.findall(r"^>>> ", text, re.MULTILINE)) > 0
