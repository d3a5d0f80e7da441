"""One program has one trace, whichever Python runs it, as far as the language is the same."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import replace

import pytest
from corpora import Sample
from interpreters import find_interpreters
from oracle_cases import Case, generated, published, written
from versions import compare_all, compare_versions

from tracer.records import Call, Program, Trace
from tracer.runner import Runner


@pytest.fixture(scope="module")
def runners() -> Iterator[list[Runner]]:
    found = find_interpreters()
    if len(found) < 2:
        pytest.skip("one Python version on this machine: nothing to compare")
    with ExitStack() as stack:
        yield [stack.enter_context(Runner(python=path)) for path in found.values()]


def sample(case: Case) -> Sample:
    return Sample(case.corpus, case.name, Program(case.source, case.entry_point), Call(case.args))


def agree(cases: list[Case], runners: list[Runner]) -> None:
    found = list(compare_all([sample(case) for case in cases], runners))
    assert sum(each.compared for each in found) >= 0.9 * len(cases)
    assert not [(each.sample.name, each.statements) for each in found if each.statements]


def test_versions_agree_on_written_and_published_programs(runners: list[Runner]) -> None:
    same_language = [case for case in written() if case.needs == 11 and case.max_steps == 10_000]
    agree([*same_language, *list(published())[::4]], runners)


@pytest.mark.slow
@pytest.mark.timeout(1800)
def test_versions_agree_on_many_generated_programs(runners: list[Runner]) -> None:
    agree(list(generated(range(1_000))), runners)


def test_another_order_of_statements_is_found(runners: list[Runner]) -> None:
    program = Program("def f(a):\n    b = a + 1\n    return b\n", "f")
    traces: list[Trace] = [runner.run(program, Call("1")) for runner in runners]
    asked = Sample("", "", program, Call("1"))
    assert compare_versions(asked, traces) == compare_versions(asked, traces[:1] * 2)
    shorter = replace(traces[1], steps=traces[1].steps[:1])
    assert compare_versions(asked, [traces[0], shorter]).statements
    step = replace(traces[1].steps[0], changes=())
    other = replace(traces[1], steps=(step, *traces[1].steps[1:]))
    found = compare_versions(asked, [traces[0], other])
    assert found.values
    assert not found.statements
