from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

from factory.errors import InfrastructureError
from factory.execute import Execution, Work, execute
from factory.recipe_records import Filters, Inputs, Recipe, Source
from factory.records import Draft, Origin
from tracer.records import Call, Limits, Program
from tracer.runner import Runner

RECIPE = Recipe(Source("jsonl", path="rows.jsonl", shape="cruxeval"))


@pytest.fixture(scope="module")
def runner() -> Iterator[Runner]:
    with Runner(Limits(max_steps=200, max_value_chars=100)) as runner:
        yield runner


def run(
    runner: Runner,
    source: str,
    *args: str,
    expected: tuple[str | None, ...] = (),
    tests: str | None = None,
    mutants: int = 0,
    keep: int | None = None,
    filters: Filters | None = None,
) -> Execution:
    draft = Draft(
        Program(source, "f"),
        Origin("jsonl", file="rows.jsonl", row=3),
        calls=tuple(Call(each) for each in args),
        expected=expected,
        tests=tests,
    )
    recipe = replace(RECIPE, inputs=Inputs(mutants, keep), filters=filters or Filters())
    return execute([Work(draft, "0", "rows.jsonl:3")], runner, recipe)[0]


def reasons(execution: Execution) -> list[str]:
    assert all(drop.where == "rows.jsonl:3" for drop in execution.dropped)
    return [f"{drop.stage}/{drop.reason}" for drop in execution.dropped]


def values(execution: Execution) -> list[str | None]:
    assert execution.example is not None, execution.dropped
    return [trace.outcome.value for trace in execution.example.traces]


def test_an_accepted_program_has_traces_and_questions(runner: Runner) -> None:
    execution = run(runner, "def f(a):\n    b = a + 1\n    return b", "1", "2")
    assert values(execution) == ["2", "3"]
    assert execution.dropped == ()
    assert execution.example is not None
    for trace, questions in zip(execution.example.traces, execution.example.questions, strict=True):
        assert trace.complete
        assert {"output", "input"} <= {question.kind for question in questions}


@pytest.mark.parametrize(
    ("source", "reason"),
    [
        ("def f(a):\n    return a / 0", "execution/raised"),
        ("def f(a):\n    while True:\n        a += 1", "execution/step_limit"),
        ("def f(a):\n    return id(a)", "execution/nondeterministic"),
        ("def f(a):\n    return object()", "execution/unfaithful_output"),
        ("def f(a):\n    return 'x' * 101", "execution/output_too_large"),
        ("async def f(a):\n    return a", "execution/unsupported"),
        ("1 / 0\ndef f(a):\n    return a", "execution/bad_program"),
        ("def f(a, b):\n    return a", "execution/raised"),
    ],
)
def test_a_call_that_gives_no_row_is_named(runner: Runner, source: str, reason: str) -> None:
    execution = run(runner, source, "1")
    assert execution.example is None
    assert reasons(execution) == [reason, "execution/no_trace"]


def test_one_bad_call_does_not_drop_the_others(runner: Runner) -> None:
    execution = run(runner, "def f(a):\n    return 1 // a", "0", "1", "1", "2 - 1", "2")
    assert values(execution) == ["1", "0"]
    assert reasons(execution) == ["execution/raised", "inputs/duplicate", "inputs/duplicate"]
    assert execution.dropped[0].detail.startswith("(0): ZeroDivisionError")


def test_details_of_chance_do_not_reach_the_file_of_drops(runner: Runner) -> None:
    one, other = (run(runner, "def f(a):\n    return id(a)", "[]") for _ in range(2))
    assert one.dropped == other.dropped


def test_promised_results_are_compared_as_values(runner: Runner) -> None:
    source = "def f(a):\n    return {'k': a, 'l': {1, 2}}"
    assert values(run(runner, source, "3", expected=("{'l': {2,1}, 'k': 3}",)))
    wrong = run(runner, source, "3", expected=("{'l': {2, 1}, 'k': 3.0}",))
    assert reasons(wrong) == ["execution/output_differs", "execution/no_trace"]
    assert "promised" in wrong.dropped[0].detail
    unreadable = run(runner, source, "3", expected=("f(3)",))
    assert reasons(unreadable) == ["execution/bad_output", "execution/no_trace"]


def test_a_program_that_fails_its_tests_is_dropped(runner: Runner) -> None:
    source = "def f(a):\n    return a + 1"
    assert values(run(runner, source, "1", tests="assert f(1) == 2"))
    failing = run(runner, source, "1", tests="assert f(1) == 3")
    assert reasons(failing) == ["execution/tests_failed"]
    assert failing.dropped[0].detail == "raised AssertionError"
    endless = run(runner, source, "1", tests="raise SystemExit(0)")
    assert reasons(endless) == ["execution/tests_failed"], "leaving early is not passing"


def test_tests_get_more_time_than_a_call() -> None:
    with Runner(Limits(cpu_s=0.2)) as runner:
        spin = "\nimport time\nwhile time.process_time() < 0.6: pass\n"
        assert values(run(runner, "def f(a):\n    return a", "1", tests=spin)) == ["1"]
        assert runner.limits.cpu_s == 0.2


def test_rows_hold_arguments_that_run_again(runner: Runner) -> None:
    """Shared objects are gone in the canonical text, and so the row shows the run without them."""
    source = "K = 2\ndef f(rows):\n    rows[0].append(1)\n    return rows"
    execution = run(runner, source, "[[0]] * K")
    assert execution.example is not None
    (trace,) = execution.example.traces
    assert trace.args == "[[0], [0]]"
    assert trace.outcome.value == "[[0, 1], [0]]"


def test_mutants_are_run_too(runner: Runner) -> None:
    execution = run(runner, "def f(a):\n    return a * 2", "3", mutants=4)
    assert len(values(execution)) == 5
    assert execution == run(runner, "def f(a):\n    return a * 2", "3", mutants=4)


def test_a_program_without_any_input_is_named(runner: Runner) -> None:
    assert reasons(run(runner, "def f(a):\n    return a")) == ["inputs/no_input"]


def test_printed_surrogates_do_not_reach_a_file(runner: Runner) -> None:
    execution = run(runner, "def f(a):\n    print(chr(0xd800))\n    return a", "1")
    for trace in execution.example.traces if execution.example else ():
        trace.stdout.encode("utf-8")


def test_a_sandbox_that_does_not_start_is_never_the_programs_fault() -> None:
    with Runner(python="/bin/false") as broken:
        with pytest.raises(InfrastructureError, match="the sandbox failed 3 times"):
            run(broken, "def f(a):\n    return a", "1")
        with pytest.raises(InfrastructureError):
            run(broken, "def f(a):\n    return a", "1", tests="assert f(1)")


GRADE = (
    "def f(n):\n    if n < 0:\n        n = -n\n    if n % 2:\n        return 'odd'\n"
    "    return 'even'\n"
)


def test_the_fewest_inputs_with_all_branches_are_kept(runner: Runner) -> None:
    many = run(runner, GRADE, "1", mutants=40)
    few = run(runner, GRADE, "1", mutants=40, keep=4)
    assert len(values(many)) == 41
    assert few.example is not None
    assert len(few.example.traces) == 4
    paths = {tuple(step.line for step in trace.steps) for trace in few.example.traces}
    assert paths == {(2, 4, 5), (2, 4, 6), (2, 3, 4, 5), (2, 3, 4, 6)}
    assert reasons(few) == ["inputs/not_selected"]
    assert few.dropped[0].detail.startswith("37 of 41 inputs")


def test_programs_with_one_output_are_left_out(runner: Runner) -> None:
    filters = Filters(constant_output=True)
    source = "def f(n):\n    n += 1\n    return n > n - 1\n"
    assert reasons(run(runner, source, "1", "2", "3", filters=filters)) == [
        "filter/constant_output"
    ]
    assert values(run(runner, source, "1", "2", filters=filters)) == ["True", "True"]
    assert values(run(runner, source, "1", "2", "3")) == ["True"] * 3, "files keep what they hold"
    assert len(values(run(runner, GRADE, "1", "2", "3", filters=filters))) == 3


def test_traces_with_few_steps_are_left_out(runner: Runner) -> None:
    filters = Filters(min_steps=3)
    source = "def f(n):\n    if not n:\n        return 0\n    n += 1\n    return n\n"
    execution = run(runner, source, "0", "5", filters=filters)
    assert values(execution) == ["6"]
    assert reasons(execution) == ["filter/trivial_trace"]
    assert reasons(run(runner, source, "0", filters=filters)) == [
        "filter/trivial_trace",
        "execution/no_trace",
    ]


def test_templates_are_filtered_unless_the_recipe_says_otherwise() -> None:
    drawn = Recipe(Source("templates"))
    assert drawn.filters_rule == Filters(constant_output=True, min_steps=3)
    assert RECIPE.filters_rule == Filters(constant_output=False, min_steps=0)
    lenient = replace(drawn, filters=Filters(constant_output=False))
    assert lenient.filters_rule == Filters(constant_output=False, min_steps=3)
    assert lenient.hash != drawn.hash


def test_drafts_are_executed_together_as_alone(runner: Runner) -> None:
    sources = [
        "def f(a):\n    b = a + 1\n    return b",
        "def f(a):\n    while True:\n        a += 1",
        "import os\ndef f(a):\n    os._exit(0)",
        "def f(a):\n    return id(a)",
        "def f(a):\n    return sorted({a, 3})",
        "async def f(a):\n    return a",
    ]
    works = [
        Work(
            Draft(
                Program(source, "f"),
                Origin("jsonl", file="rows.jsonl", row=row),
                calls=(Call(" 1"), Call("{2 }")),
            ),
            str(row),
            f"rows.jsonl:{row}",
        )
        for row, source in enumerate(sources)
    ]
    recipe = replace(RECIPE, inputs=Inputs(2))
    together = execute(works, runner, recipe)
    assert together == tuple(execute([work], runner, recipe)[0] for work in works)
    assert [each.example is not None for each in together] == [True, *[False] * 3, True, False]
