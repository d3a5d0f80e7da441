"""The tracer against the independent oracle, and proof that the oracle finds planted bugs."""

from __future__ import annotations

import ast
import sys
from pathlib import Path
from typing import Any

import oracle
import pytest
from interpreters import find_interpreters
from oracle_cases import Case, disagreements, generated, published, runnable, written
from seeded_bugs import BUGS, Bug, make_copy, trace_all

FEW, MANY = range(40), range(40, 2040)


@pytest.fixture(params=list(find_interpreters().items()), ids=lambda item: item[0])
def interpreter(request: pytest.FixtureRequest) -> tuple[str, str]:
    found: tuple[str, str] = request.param
    return found


def agree(cases: list[Case], python: str) -> None:
    found = disagreements(cases, python)
    assert not found, [(case.corpus, case.name, texts[:3]) for case, texts in found]


def test_written_and_published_programs(interpreter: tuple[str, str]) -> None:
    version, python = interpreter
    cases = runnable([*written(), *published()], version)
    assert len(cases) > 150
    agree(cases, python)


def test_a_few_generated_programs(interpreter: tuple[str, str]) -> None:
    agree(list(generated(FEW)), interpreter[1])


@pytest.mark.slow
@pytest.mark.timeout(1800)
def test_many_generated_programs(interpreter: tuple[str, str]) -> None:
    agree(list(generated(MANY)), interpreter[1])


def shape(trace: dict[str, Any] | None) -> dict[str, Any]:
    """What a copy's trace shares with the oracle's."""
    if trace is None:
        return {"outcome": {"kind": "crashed", "type": None}, "steps": [], "activations": []}
    return {key: trace[key] for key in trace if key not in ("args", "lazy_lines")}


@pytest.fixture(scope="module")
def expected() -> list[tuple[Case, dict[str, Any]]]:
    """The corpus with the oracle's traces."""
    cases = runnable(written(), f"3.{sys.version_info[1]}")
    traces = oracle.trace_many([case.job() for case in cases])
    return list(zip(cases, traces, strict=True))


def caught_by(
    folder: Path, bug: Bug | None, expected: list[tuple[Case, dict[str, Any]]]
) -> list[str]:
    """Names of the programs on which the copy of the tracer and the oracle differ."""
    traces = trace_all(make_copy(folder, bug), [case.job() for case, _ in expected])
    return [
        case.name
        for (case, wanted), trace in zip(expected, traces, strict=True)
        if oracle.compare(wanted, shape(trace))
    ]


def test_an_unchanged_copy_agrees(
    tmp_path: Path, expected: list[tuple[Case, dict[str, Any]]]
) -> None:
    assert caught_by(tmp_path, None, expected) == []


@pytest.mark.slow
@pytest.mark.timeout(300)
@pytest.mark.parametrize("bug", BUGS, ids=[bug.name for bug in BUGS])
def test_each_planted_bug_is_caught(
    bug: Bug, tmp_path: Path, expected: list[tuple[Case, dict[str, Any]]]
) -> None:
    caught = caught_by(tmp_path, bug, expected)
    assert caught, bug.rule
    assert len(caught) < len(expected), "the copy does not work at all"


def test_planted_bugs_are_programs(tmp_path: Path) -> None:
    assert len({bug.name for bug in BUGS}) == len(BUGS) >= 25
    for number, bug in enumerate(BUGS):
        folder = make_copy(tmp_path / str(number), bug)
        ast.parse((folder / "tracer/inside" / bug.module).read_text(encoding="utf-8"))
