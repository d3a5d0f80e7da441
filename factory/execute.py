"""Draft -> Example: the tests pass, the calls run, the results are as promised.

A call is kept when it returned, its trace is complete and its result can be written down so that
it reads back equal.  Everything else is a named drop.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from factory.constraints import check_dynamic, check_static
from factory.errors import InfrastructureError
from factory.filters import filter_traces, find_constant, select_traces
from factory.questions import choose_questions
from factory.recipe_records import Recipe
from factory.records import Draft, Dropped, Example
from tracer.records import Call, Outcome, Program, Trace
from tracer.runner import Runner
from tracer.values import NotFaithful, equal, is_faithful, parse

Result: TypeAlias = Trace | Dropped

MAX_TRIES = 3
"""Runs of a call or test before a failing sandbox ends the build."""
TESTS_TIME = 8
"""How many times a call's time limits a whole test suite may take."""
_DETAILED = frozenset({"raised", "bad_program", "unsupported"})
"""Outcomes whose message is the same in every run, and so may stand in a file of drops."""


@dataclass(frozen=True, slots=True)
class Execution:
    """What became of a draft."""

    example: Example | None
    dropped: tuple[Dropped, ...]
    """Of the calls; and of the program, when there is no example."""


@dataclass(frozen=True, slots=True)
class Work:
    """A draft to be executed."""

    draft: Draft
    seed: str
    """Decides mutants and the choice of questions."""
    where: str
    """How drops name the draft: ``file:line``, or the draw."""


@dataclass(frozen=True, slots=True)
class _Wanted:
    """A call to be traced, and what it is to return, if that is known."""

    work: Work
    call: Call
    expected: str | None


def execute(works: Sequence[Work], runner: Runner, recipe: Recipe) -> tuple[Execution, ...]:
    """Run the tests and calls of drafts, many in a process, and derive the questions.

    Args:
        works: What to run.
        runner: Sandbox of this worker, with the recipe's limits.
        recipe: Says how many mutants and which questions.

    Returns:
        What became of each draft, whoever the others are.

    Raises:
        InfrastructureError: The sandbox itself failed again and again.
    """
    refused = [
        _check_text(work.draft, work.where) or _check_tests(work.draft, runner, work.where)
        for work in works
    ]
    plans = [
        tuple(_plan(work, recipe)) if drop is None else ()
        for work, drop in zip(works, refused, strict=True)
    ]
    wanted = [each for plan in plans for each in plan if isinstance(each, _Wanted)]
    results = iter(_trace(wanted, runner))
    executions = []
    for work, drop, plan in zip(works, refused, plans, strict=True):
        if drop is not None:
            executions.append(Execution(None, (drop,)))
            continue
        found = [next(results) if isinstance(each, _Wanted) else each for each in plan]
        executions.append(_judge(work, found, recipe))
    return tuple(executions)


def _judge(work: Work, results: Sequence[Result], recipe: Recipe) -> Execution:
    """What the traces and drops of a draft's calls make of it."""
    draft, where = work.draft, work.where
    traces: dict[str, Trace] = {}
    dropped: list[Dropped] = []
    for result in results:
        if isinstance(result, Dropped):
            dropped.append(result)
        elif result.args in traces:
            dropped.append(Dropped("inputs", "duplicate", where, result.args[:200]))
        else:
            traces[result.args] = result
    filters = recipe.filters_rule
    ran, trivial = filter_traces(tuple(traces.values()), filters, where)
    dropped.extend(trivial)
    refused = _check_traces(draft, ran, where) or find_constant(ran, filters, where)
    if refused is not None:
        return Execution(None, (*dropped, refused))
    kept, left = select_traces(ran, recipe.inputs.keep, draft.origin.constraint, where)
    dropped.extend(left)
    questions = tuple(choose_questions(trace, recipe.questions) for trace in kept)
    return Execution(Example(draft, kept, questions, tuple(dropped)), tuple(dropped))


def _check_text(draft: Draft, where: str) -> Dropped | None:
    constraint = draft.origin.constraint
    if constraint is None:
        return None
    for violation in check_static(draft.program, constraint):
        return Dropped("constraint", violation.constraint, where, violation.reason)
    return None


def _check_tests(draft: Draft, runner: Runner, where: str) -> Dropped | None:
    if draft.tests is None:
        return None
    outcome = run_tests(draft.program, draft.tests, runner)
    if outcome.kind == "returned":
        return None
    kind = outcome.kind if outcome.kind != "raised" else f"raised {outcome.type}"
    return Dropped("execution", "tests_failed", where, kind)


def _check_traces(draft: Draft, traces: tuple[Trace, ...], where: str) -> Dropped | None:
    if not traces:
        if not draft.calls:
            return Dropped("inputs", "no_input", where, "no call that stands on its own")
        return Dropped("execution", "no_trace", where, "no call of it was kept")
    constraint = draft.origin.constraint
    if constraint is not None:
        for violation in check_dynamic(traces, constraint):
            return Dropped("constraint", violation.constraint, where, violation.reason)
    return None


def _plan(work: Work, recipe: Recipe) -> Iterator[_Wanted | Dropped]:
    """The seed calls, then their mutants, or why there are none."""
    draft = work.draft
    promised = draft.expected or (None,) * len(draft.calls)
    for call, expected in zip(draft.calls, promised, strict=True):
        yield _Wanted(work, call, expected)
    if recipe.inputs.mutants:
        from factory.inputs import mutate_calls

        seed = f"{work.seed}:inputs"
        made = mutate_calls(draft.program, draft.calls, recipe.inputs.mutants, seed)
        if made.refused is not None and len(made.calls) < recipe.inputs.mutants:
            yield Dropped("inputs", "not_mutated", work.where, made.refused)
        for call in made.calls:
            yield _Wanted(work, call, None)


def run_tests(program: Program, tests: str, runner: Runner) -> Outcome:
    """Outcome of a program's own tests, which get more time than a single call.

    Raises:
        InfrastructureError: The sandbox failed :data:`MAX_TRIES` times.
    """
    limits = runner.limits
    runner.limits = replace(
        limits, cpu_s=limits.cpu_s * TESTS_TIME, wall_s=limits.wall_s * TESTS_TIME
    )
    try:
        for _ in range(MAX_TRIES):
            outcome = runner.check(program, tests)
            if outcome.kind != "infrastructure":
                return outcome
    finally:
        runner.limits = limits
    raise InfrastructureError(f"the sandbox failed {MAX_TRIES} times: {outcome.message}")


def run_calls(calls: Sequence[tuple[Program, Call]], runner: Runner) -> list[Trace]:
    """Traces of calls, in their order.

    Raises:
        InfrastructureError: The sandbox failed :data:`MAX_TRIES` times.
    """
    traces = list(runner.trace_many(calls))
    for place, (program, call) in enumerate(calls):
        for _ in range(MAX_TRIES - 1):
            if traces[place].outcome.kind == "infrastructure":
                traces[place] = runner.run(program, call)
        if traces[place].outcome.kind == "infrastructure":
            said = traces[place].outcome.message
            raise InfrastructureError(f"the sandbox failed {MAX_TRIES} times: {said}")
    return traces


def _trace(wanted: Sequence[_Wanted], runner: Runner) -> list[Result]:
    """The trace of each call as its row will spell it, or why it is not kept.

    The row holds the canonical text of the arguments; a call that is spelled otherwise is run
    again from that text, which may share no object between arguments and may order a set
    otherwise.
    """
    traces = run_calls([(each.work.draft.program, each.call) for each in wanted], runner)
    results: list[Result] = []
    respelled: dict[int, Call] = {}
    for each, trace in zip(wanted, traces, strict=True):
        refused = _refusal(trace, each.work.where, each.call.args)
        if refused is None and trace.args != each.call.args:
            respelled[len(results)] = Call(trace.args, each.call.stdin)
        results.append(trace if refused is None else refused)
    again = [(wanted[place].work.draft.program, call) for place, call in respelled.items()]
    for place, trace in zip(respelled, run_calls(again, runner), strict=True):
        each, args = wanted[place], respelled[place].args
        refused = _refusal(trace, each.work.where, args)
        if refused is None and trace.args != args:
            args = each.call.args[:200]
            refused = Dropped("inputs", "arguments_not_stable", each.work.where, args)
        results[place] = trace if refused is None else refused
    return [_keep_promise(*pair) for pair in zip(wanted, results, strict=True)]


def _keep_promise(wanted: _Wanted, result: Result) -> Result:
    if wanted.expected is None or isinstance(result, Dropped):
        return result
    refused = _compare(result, wanted.expected, wanted.work.where, wanted.call.args)
    return result if refused is None else refused


def _refusal(trace: Trace, where: str, args: str) -> Dropped | None:
    outcome = trace.outcome
    shown = f"({args[:200]})"
    if outcome.kind != "returned":
        parts = [shown]
        if outcome.kind in _DETAILED:
            parts += [part for part in (outcome.type, outcome.message) if part]
        return Dropped("execution", outcome.kind, where, ": ".join(parts))
    if not trace.complete:
        return Dropped("execution", "incomplete_trace", where, shown)
    if outcome.value is None or not is_faithful(outcome.value):
        reason = "unfaithful_output"
        if outcome.value is not None and outcome.value.startswith("too_large("):
            reason = "output_too_large"
        return Dropped("execution", reason, where, f"{shown}: {outcome.type}")
    if not _is_utf8(trace.stdout) or not _is_utf8(trace.args):
        return Dropped("execution", "lone_surrogate", where, shown)
    return None


def _is_utf8(text: str) -> bool:
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


def _compare(trace: Trace, expected: str, where: str, args: str) -> Dropped | None:
    """A drop when the result is not the promised one; values are compared, never texts."""
    assert trace.outcome.value is not None
    try:
        promised = parse(expected)
    except NotFaithful:
        return Dropped("execution", "bad_output", where, f"not a value: {expected[:200]}")
    if equal(parse(trace.outcome.value), promised):
        return None
    detail = f"({args[:200]}) gave {trace.outcome.value[:200]}, promised {expected[:200]}"
    return Dropped("execution", "output_differs", where, detail)
